// `npm run mutants`: whether the tests would notice a fault. It invents faults in the source, one at a time and spread over
// all folders: a condition is negated, a constant changed, a call removed, a `catch` emptied. For each it runs the unit tests
// of the file's folder, then all that are related to the file, and the specification's for what survives. A survivor is a place where nothing looks: read
// it, and add a test if a user would notice.
//
//   npm run mutants -- --count 200 --seed 1      the same seed makes the same faults, also after other lines have changed
//   npm run mutants -- --folder server/src/keys  only there
//
// Everything happens in a copy of the last commit beside the repository, which is removed afterwards.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseSync, Visitor } from 'oxc-parser'

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', default: '' },
  },
})
const ROOT = resolve(import.meta.dirname, '..')
/** Beside the repository, so that data next to it is found. */
const COPY = `${ROOT}-mutants-${process.pid}`
const SOURCE = /^(?:engines|answers|reader|server|sandbox|clients\/typescript)\/src\/.*\.ts$/
const TEST = /\.test[.-]/
/** A fault that makes a test hang is found as well. */
const PATIENCE_MS = 1_200_000
const TIERS = ['unit', 'spec'] as const

const say = (line: string): void => void process.stdout.write(`${line}\n`)

interface Fault {
  file: string
  line: number
  kind: 'condition' | 'constant' | 'call' | 'catch'
  /** Of what is replaced. */
  start: number
  end: number
  replacement: string
}

interface Outcome extends Fault {
  /** The tier whose tests have found it; undefined: it has survived. */
  foundBy: (typeof TIERS)[number] | undefined
}

/** Every fault that can be made in a file. */
function findFaults(file: string, text: string): Fault[] {
  const faults: Fault[] = []
  const add = (kind: Fault['kind'], { start, end }: { start: number; end: number }, replacement: string) =>
    faults.push({ file, line: text.slice(0, start).split('\n').length, kind, start, end, replacement })
  const negate = ({ test }: { test: { start: number; end: number } }) =>
    add('condition', test, `!(${text.slice(test.start, test.end)})`)
  new Visitor({
    IfStatement: negate,
    ConditionalExpression: negate,
    Literal(node) {
      if (typeof node.value === 'boolean') add('constant', node, String(!node.value))
      if (typeof node.value === 'number') add('constant', node, String(node.value + 1))
    },
    ExpressionStatement(node) {
      const { expression } = node
      const called = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (called.type === 'CallExpression') add('call', node, 'void 0')
    },
    CatchClause(node) {
      if (node.body.body.length > 0) add('catch', node.body, '{}')
    },
  }).visit(parseSync(file, text).program)
  return faults
}

/** `server/src/keys` for a file of the server, `engines` for any other. */
const getFolder = (file: string): string =>
  file.startsWith('server/') ? dirname(file).split('/').slice(0, 3).join('/') : (file.split('/')[0] ?? '')

/** Takes faults from the folders in turn, so that a small one counts as much as a large one. */
function chooseFaults(count: number, seed: number): Fault[] {
  const files = execFileSync('git', ['ls-files', options.folder || '.'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const sources = files.filter((file) => SOURCE.test(file) && !TEST.test(file) && !file.endsWith('.d.ts'))
  const all = sources.flatMap((file) => {
    const text = readFileSync(join(COPY, file), 'utf8')
    return findFaults(file, text).map((fault) => ({ fault, rank: rankFault(fault, text, seed) }))
  })
  all.sort((one, other) => one.rank.localeCompare(other.rank))
  const byFolder = [...Map.groupBy(all, ({ fault }) => getFolder(fault.file)).values()]
  const chosen: Fault[] = []
  for (let turn = 0; chosen.length < Math.min(count, all.length); turn += 1)
    chosen.push(...byFolder.flatMap((faults) => faults[turn]?.fault ?? []))
  return chosen.slice(0, count)
}

/** By what stands there, not by where it stands. */
function rankFault({ file, kind, start, end }: Fault, text: string, seed: number): string {
  const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end))
  return createHash('sha256')
    .update(JSON.stringify([seed, file, kind, line]))
    .digest('hex')
}

function tryFault(fault: Fault): Outcome {
  const path = join(COPY, fault.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, fault.start) + fault.replacement + text.slice(fault.end))
  try {
    if (!doTestsPass(['run', dirname(fault.file)], 'unit')) return { ...fault, foundBy: 'unit' }
    return { ...fault, foundBy: TIERS.find((tier) => !doTestsPass(['related', fault.file], tier)) }
  } finally {
    writeFileSync(path, text)
  }
}

function doTestsPass(what: readonly string[], tier: (typeof TIERS)[number]): boolean {
  const args = ['vitest', ...what, '--run', '--bail=1', '--passWithNoTests', '--reporter=dot', '--project', tier]
  const { status } = spawnSync('npx', args, { cwd: COPY, stdio: 'ignore', timeout: PATIENCE_MS, killSignal: 'SIGKILL' })
  return status === 0
}

function printSummary(outcomes: readonly Outcome[]): void {
  say(`\n${'folder'.padEnd(28)}faults    unit    spec  survived`)
  const row = (name: string, some: readonly Outcome[]) => {
    const count = (tier: Outcome['foundBy']) =>
      String(some.filter(({ foundBy }) => foundBy === tier).length).padStart(8)
    say(
      name.padEnd(26) + String(some.length).padStart(8) + count('unit') + count('spec') + count(undefined).padStart(10),
    )
  }
  const byFolder = Map.groupBy(outcomes, ({ file }) => getFolder(file))
  for (const folder of [...byFolder.keys()].toSorted()) row(folder, byFolder.get(folder) ?? [])
  row('all', outcomes)
}

execFileSync('git', ['worktree', 'add', '--quiet', '--detach', COPY], { cwd: ROOT })
try {
  const modules = execFileSync('git', ['ls-files', '--others', '--directory', '*node_modules/'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const folder of modules.split('\n').filter((name) => name.endsWith('node_modules/')))
    execFileSync('cp', ['--archive', '--link', folder, join(COPY, folder)], { cwd: ROOT })
  execFileSync('npx', ['node', 'tools/make-client-types.ts'], { cwd: COPY })
  const faults = chooseFaults(Number(options.count), Number(options.seed))
  const files = [...new Set(faults.map(({ file }) => file))]
  const failing = TIERS.find((tier) => !doTestsPass(['related', ...files], tier))
  if (failing !== undefined) throw new Error(`the tests of ${failing} fail without any fault`)
  const outcomes: Outcome[] = []
  for (const fault of faults) {
    const outcome = tryFault(fault)
    outcomes.push(outcome)
    say(`${(outcome.foundBy ?? 'SURVIVED').padEnd(9)} ${fault.kind.padEnd(9)} ${fault.file}:${fault.line}`)
  }
  printSummary(outcomes)
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', COPY], { cwd: ROOT })
  rmSync(COPY, { recursive: true, force: true })
}
