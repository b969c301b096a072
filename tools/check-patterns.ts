// `npm run check`: no regular expression of the product can be made slow by what it matches. recheck decides for each how
// its time grows with the length of the worst text: linearly, as a polynomial, or exponentially. Literals are read from
// the sources; a pattern that is put together when a file is loaded is seen by loading the file.
//
// Deciding takes up to a second for each pattern, so the verdicts are kept in checked-patterns.txt by the pattern's hash:
// `npx node tools/check-patterns.ts --write` renews them. A pattern that isn't in there yet is decided on every run.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

const ROOT = resolve(import.meta.dirname, '..')
const VERDICTS = join(ROOT, 'tools/checked-patterns.txt')

/** About a few milliseconds of matching. */
const MAX_STEPS = 1_000_000
const DECIDE_MS = 20_000

interface Bound {
  /** Where the patterns are. */
  files: RegExp
  /** The longest text that they meet; a pattern of degree d takes about this to the power of d steps. */
  maxLength: number
  reason: string
}

/** Patterns elsewhere must be linear. */
const BOUNDS: readonly Bound[] = []

/** Patterns that recheck can't decide, as `/source/flags`, and why they are linear. */
const UNDECIDED: Readonly<Record<string, string>> = {}

/** Constructors that don't run when their file is loaded, as `file:line` would be too brittle: by file, with the reason. */
const BUILT_LATER: Readonly<Record<string, string>> = {}

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
    const { status, complexity } = checkSync(source, flags, { timeout: DECIDE_MS })
    if (status === 'unknown' || complexity === undefined) return 'undecided'
    if (complexity.type === 'exponential') return 'exponential'
    return complexity.type === 'polynomial' ? complexity.degree : 1
  }
}

function faultOf({ place, source, flags }: Pattern, degree: Degree): string | undefined {
  const text = `/${source}/${flags}`
  if (degree === 'undecided') return text in UNDECIDED ? undefined : `${place}: recheck can't decide ${text}`
  if (degree === 1) return undefined
  const bound = BOUNDS.find(({ files: where }) => where.test(place))
  if (bound && degree !== 'exponential' && bound.maxLength ** degree <= MAX_STEPS) return undefined
  return `${place}: ${degree === 'exponential' ? degree : `degree ${degree}`}: ${text}`
}

await watchConstructors()
const seen = new Set(patterns.map(({ place }) => place))
const faults = [...constructors]
  .filter((place) => !seen.has(place) && !(fileOf(place) in BUILT_LATER))
  .map((place) => `${place}: this pattern isn't constructed when its file is loaded, so it isn't checked`)

const isWriting = process.argv.includes('--write')
const known = isWriting ? new Map<string, Degree>() : readVerdicts()
const verdicts = new Map<string, Degree>()
let decide: ((pattern: Pattern) => Degree) | undefined
for (const pattern of patterns) {
  const hash = hashOf(pattern)
  let degree = verdicts.get(hash) ?? known.get(hash)
  if (degree === undefined) {
    decide ??= await loadRecheck()
    degree = decide(pattern)
  }
  verdicts.set(hash, degree)
  const fault = faultOf(pattern, degree)
  if (fault) faults.push(fault)
}
if (isWriting)
  writeFileSync(
    VERDICTS,
    `${[...verdicts]
      .map(([hash, degree]) => `${hash} ${degree}`)
      .sort()
      .join('\n')}\n`,
  )

for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
