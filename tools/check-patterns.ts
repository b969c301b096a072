// Part of `npm run check`: no regular expression of the product can be made slow by what it matches. recheck decides for
// each how its time grows with the length of the worst text: linearly, as a polynomial, or exponentially. Literals are
// read from the sources; a pattern that is put together when a file is loaded is seen by loading the file.
//
// Deciding takes seconds for some patterns, so the verdicts are kept in checked-patterns.txt by the pattern's hash, and a
// pattern that isn't in there fails. `npx node tools/check-patterns.ts --write` decides new ones, and continues where it was
// interrupted. A folder as argument stands for the repository, for tests.
import { createHash } from 'node:crypto'
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseSync, Visitor } from 'oxc-parser'

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
const ROOT = resolve(positionals[0] ?? join(import.meta.dirname, '..'))
const VERDICTS = join(ROOT, 'tools/checked-patterns.txt')

/** About a few milliseconds of matching. */
const MAX_STEPS = 1_000_000
const DECIDE_MS = 20_000

interface Bound {
  /** Where the patterns are. */
  files: RegExp
  /** The longest text that they meet: a pattern of degree d takes about this to the power of d steps. */
  maxLength: number
}

/** Patterns elsewhere must be linear. */
const BOUNDS: readonly Bound[] = [
  // Longer queries are refused, by the API as by `readQuestion`.
  { files: /^answers\/|^server\/src\/cards\//, maxLength: 500 },
  // What the operator, our own programs and our own stores write.
  { files: /^server\/src\/(?:bowerbird\.ts|(?:cli|config|settings|operate|redis|store)\/)/, maxLength: 1_000 },
]

/** Patterns that aren't linear, or that recheck can't decide, and why they are harmless all the same. */
const HARMLESS: Readonly<Record<string, string>> = {
  '/^(.{1,150}?),? (?:by|von) (.{2,80})$/i': 'queries of at most 500 characters; 150 × 80 steps',
  [String.raw`/\/+$/`]: 'addresses from the settings',
  [String.raw`/[ \t]+#+$/`]: 'headings of at most 500 characters',
  [String.raw`/(\w{1,20})\s{0,5}=\s{0,5}(?:'([^'<]{0,40})'|"([^"<]{0,40})")/g`]: 'elements of at most 200 characters',
  [String.raw`/^\n{1,40}|\n{1,40}$/g`]: 'forty lines',
  [String.raw`/!\[[^\]]{0,500}\]\([^)]{0,1000}\)/g`]: 'samples of 3,000 characters',
  [String.raw`/\[([^\]]{0,500})\]\([^)]{0,1000}\)/g`]: 'samples of 3,000 characters',
  [String.raw`/\b(10\.\d{4,9}\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,200})$/`]:
    'texts of at most 2,048 characters, 200 of them at a time',
  [String.raw`/\.?0+$/`]: 'a number of at most 42 digits',
  [String.raw`/-?\d+$/`]: 'names of at most 200 characters',
  [String.raw`/^(?:(?:convert|hash)\s{1,5})?([\s\S]+?)\s{1,5}(?:to|in|with|as)\s{1,5}((?:sha|md|crc|blake|ripemd|keccak|shake|sm)[-_ ]?\d[a-z\d/_-]{0,9})$/i`]:
    'queries of at most 500 characters; every repetition but one is bounded',
  [String.raw`/^(?:api-key|bearer) +(\S{1,200}) *$/i`]: 'each part ends where the next begins',
  [String.raw`/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i`]: 'at most 64 characters',
  [String.raw`/\/\*[\s\S]*?\*\/|^\s*\/\/.*|^\s+/gm`]: 'our own stylesheets and scripts, once',
  [String.raw`/(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g`]: 'starts once in a run of digits, and is bounded',
  [String.raw`/(?<![\w/-]|\d[.,])(?:\d{14,19}|\d{4}[\s-]\d{4}[\s-]\d{4}[\s-]\d{4}(?:[\s-]\d{1,3})?|\d{4}[\s-]\d{6}[\s-]\d{4,5})(?![\w/]|[.-]\d)/g`]:
    'starts once in a run of digits, and is bounded',
  [String.raw`/(?:red|[\da-z)%]) \((.{1,100} clamped)\)$/`]:
    'the answer to a query of at most 500 characters, 100 of them at a time',
}

interface Pattern {
  /** `answers/src/text/hash.ts:63` */
  place: string
  source: string
  flags: string
}

const files = globSync('{engines,answers,reader,server}/src/**/*.{ts,js}', { cwd: ROOT })
  .filter((file) => !/\.test(?:-\w+)?\.ts$|\.d\.ts$/.test(file))
  .sort()

const patterns: Pattern[] = []
/** Places of `new RegExp(…)`. */
const constructors = new Set<string>()

for (const file of files) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const placeOf = (at: number): string => `${file}:${text.slice(0, at).split('\n').length}`
  new Visitor({
    Literal(node) {
      if ('regex' in node)
        patterns.push({ place: placeOf(node.start), source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression({ callee, start }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') constructors.add(placeOf(start))
    },
  }).visit(parseSync(file, text).program)
}

/** Loads the files that construct patterns, and notes each that one of our own lines constructs. */
async function watchConstructors(): Promise<void> {
  const Original = RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string | RegExp, string?]) {
      const pattern = new target(...args)
      const place = callerOf(new Error().stack ?? '')
      if (place) patterns.push({ place, source: pattern.source, flags: pattern.flags })
      return pattern
    },
  })
  for (const file of new Set([...constructors].map(fileOf))) await import(join(ROOT, file))
  globalThis.RegExp = Original
}

const fileOf = (place: string): string => place.slice(0, place.lastIndexOf(':'))

/** The line of ours that called; types are only blanked out when a file is loaded, so lines stay where they are. */
function callerOf(stack: string): string | undefined {
  const caller = stack.split('\n')[2] ?? ''
  const [, address, line] = /(file:\/\/[^)\s]+?):(\d+):\d+\)?$/.exec(caller) ?? []
  const file = address === undefined ? '' : relative(ROOT, fileURLToPath(address))
  return files.includes(file) ? `${file}:${line}` : undefined
}

/** The degree of the polynomial; 1 is linear or less. */
type Degree = number | 'exponential' | 'undecided'

const hashOf = ({ source, flags }: Pattern): string =>
  createHash('sha256').update(`/${source}/${flags}`).digest('base64url').slice(0, 12)

function readVerdicts(): Map<string, Degree> {
  const lines = readFileSync(VERDICTS, 'utf8').split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const [hash = '', degree = ''] = line.split(' ')
      return [hash, /^\d+$/.test(degree) ? Number(degree) : (degree as Degree)]
    }),
  )
}

async function loadRecheck(): Promise<(pattern: Pattern) => Degree> {
  // Without this, recheck would look for Java and a program of its own.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  return ({ source, flags }) => {
    const verdict = checkSync(source, flags, { timeout: DECIDE_MS })
    if (verdict.status === 'unknown') return 'undecided'
    const { complexity } = verdict
    if (complexity.type === 'exponential') return 'exponential'
    return complexity.type === 'polynomial' ? complexity.degree : 1
  }
}

function faultOf({ place, source, flags }: Pattern, degree: Degree | undefined): string | undefined {
  const text = `/${source}/${flags}`
  if (degree === undefined) return `${place}: not decided yet, run npx node tools/check-patterns.ts --write: ${text}`
  if (degree === 1 || text in HARMLESS) return undefined
  if (degree === 'undecided') return `${place}: recheck can't decide ${text}`
  const bound = BOUNDS.find(({ files: where }) => where.test(place))
  if (bound && degree !== 'exponential' && bound.maxLength ** degree <= MAX_STEPS) return undefined
  return `${place}: ${degree === 'exponential' ? degree : `degree ${degree}`}: ${text}`
}

await watchConstructors()
const seen = new Set(patterns.map(({ place }) => place))
const faults = [...constructors]
  .filter((place) => !seen.has(place))
  .map((place) => `${place}: this pattern isn't constructed when its file is loaded, so it isn't checked`)

const verdicts = readVerdicts()
if (values.write) await decideNew()
for (const pattern of patterns) {
  const fault = faultOf(pattern, verdicts.get(hashOf(pattern)))
  if (fault) faults.push(fault)
}

/** Leaves out patterns that are gone. */
async function decideNew(): Promise<void> {
  const decide = await loadRecheck()
  for (const pattern of patterns) {
    const hash = hashOf(pattern)
    if (verdicts.has(hash)) continue
    const degree = decide(pattern)
    verdicts.set(hash, degree)
    // One by one, because it may be interrupted.
    appendFileSync(VERDICTS, `${hash} ${degree}\n`)
  }
  const used = new Set(patterns.map((pattern) => `${hashOf(pattern)} ${verdicts.get(hashOf(pattern))}\n`))
  writeFileSync(VERDICTS, [...used].sort().join(''))
}

for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
