// `npx node bench/record.ts`: every benchmark in a short form and a soak, for `.ci/nightly`. Appends the figures to
// history.jsonl, one line per benchmark with commit, date and machine, and prints them beside the last ones of the same
// machine. FIGURES_FILE names a file of figures from the nightly tests, which are recorded in the same way. Exits with
// 1 if a benchmark fails, and never because of a figure.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'

const HISTORY = resolve(import.meta.dirname, 'history.jsonl')
/** The factor by which a figure may change before it is flagged. */
const WORTH_A_LOOK = 1.3

const SHORT = ['--rounds', '4']
const BENCHES: Record<string, string[]> = {
  run: SHORT,
  latency: SHORT,
  weight: SHORT,
  capacity: [],
  ranking: process.env['BOWERBIRD_JUDGED_DATA'] ? ['--data', process.env['BOWERBIRD_JUDGED_DATA']] : [],
  soak: ['--minutes', '5'],
}

type Figures = Record<string, number>

interface Entry {
  date: string
  commit: string
  machine: string
  name: string
  figures: Figures
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const readLines = <Line>(path: string | undefined): Line[] =>
  // Written by this program, or by the tests' `recordFigures`.
  path && existsSync(path) ? linesOf(readFileSync(path, 'utf8')).map((line) => JSON.parse(line) as Line) : []

/** `{ cached: { nodeMicros: 1 } }` → `cached.nodeMicros`. */
function flatten(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, Math.round(value * 1000) / 1000]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => flatten(part, path === '' ? name : `${path}.${name}`))
}

/** The last line of its output, parsed; undefined if it failed. */
function measure(name: string, args: string[]): Figures | undefined {
  process.stdout.write(`${name} ${args.join(' ')}\n`)
  const program = resolve(import.meta.dirname, `${name}.ts`)
  const { status, stdout } = spawnSync(process.execPath, [program, ...args, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = linesOf(stdout).findLast((line) => line.startsWith('{'))
  if (status !== 0 || line === undefined) {
    process.stdout.write(`${stdout}failed: ${name} (${status})\n`)
    process.exitCode = 1
    return undefined
  }
  return Object.fromEntries(flatten(JSON.parse(line)))
}

function rowsOf({ name, figures }: Entry, last: Entry | undefined): string[] {
  return Object.entries(figures).map(([figure, now]) => {
    const then = last?.figures[figure]
    const factor = then === undefined ? undefined : Math.max(now / then, then / now)
    const mark = factor !== undefined && factor > WORTH_A_LOOK ? `  <- ${(now / (then ?? now)).toFixed(2)} times` : ''
    return `${`${name} ${figure}`.padEnd(48)} ${String(then ?? '').padStart(12)} ${String(now).padStart(12)}${mark}`
  })
}

const run = {
  date: new Date().toISOString(),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
}
const history = readLines<Entry>(HISTORY).filter(({ machine }) => machine === run.machine)
const tested = readLines<Pick<Entry, 'name' | 'figures'>>(process.env['FIGURES_FILE'])
const measured = Object.entries(BENCHES).flatMap(([name, args]) => {
  const figures = measure(name, args)
  return figures ? [{ name, figures }] : []
})
const entries = [...tested, ...measured].map((found): Entry => ({ ...run, ...found }))
appendFileSync(HISTORY, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
process.stdout.write(`\n${''.padEnd(48)} ${'last'.padStart(12)} ${'now'.padStart(12)}\n`)
for (const entry of entries) {
  const last = history.findLast(({ name }) => name === entry.name)
  process.stdout.write(`${rowsOf(entry, last).join('\n')}\n`)
}
