// `npx node bench/weight.ts`: what a release weighs when nobody uses it: the time until it listens and the CPU time that
// takes, and its memory five seconds later, with a folder of its own and with PostgreSQL and Redis. Builds the release
// first. `--against <git ref>` also builds another revision; all take turns in a shuffled order. With --json, one object
// of medians. Memory hardly varies between runs; times do, so compare them only within a run.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { cpuSecondsOf, peakMegabytesOf, residentMegabytesOf } from '../server/test/support/process-usage.ts'
import { startServerProcess } from '../server/test/support/server-process.ts'
import { createEmptyDatabase } from '../server/test/support/temporary-database.ts'
import { median, ROUNDS, shuffled } from './measure.ts'
import { checkOut } from './other-tree.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(ROUNDS) },
    against: { type: 'string' },
  },
})

/** As the image and the systemd unit set them. */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '30000' }
/** Until the collection after the start has run. */
const SETTLE_MS = 5_000

interface Weight {
  listeningMs: number
  cpuMs: number
  residentMb: number
  peakMb: number
}

interface Side {
  name: string
  program: string
  settings: Record<string, string>
  rounds: Weight[]
}

const parts = new AsyncDisposableStack()

/** Returns the program of the release. */
function buildRelease(root: string): string {
  execFileSync(process.execPath, ['server/build.ts'], { cwd: root })
  return resolve(root, 'dist/bowerbird.js')
}

async function createSides(name: string, program: string): Promise<Side[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-weight-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const database = await createEmptyDatabase()
  parts.defer(() => database.drop())
  const redis = await startPrivateRedis()
  parts.defer(() => redis.remove())
  const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url }
  const sideOf = (mode: string, settings: Record<string, string>): Side => ({
    name: `${name}, ${mode}`,
    program,
    settings: { ...MALLOC, ...settings },
    rounds: [],
  })
  return [sideOf('small', { DATA_DIR: join(folder, 'data') }), sideOf('stores', stores)]
}

async function measureStart({ program, settings }: Side): Promise<Weight> {
  const startedAt = performance.now()
  const server = await startServerProcess(settings, [], program)
  const listeningMs = performance.now() - startedAt
  const { pid } = server.process
  const cpuMs = cpuSecondsOf(pid) * 1_000
  await sleep(SETTLE_MS)
  const weight = { listeningMs, cpuMs, residentMb: residentMegabytesOf(pid), peakMb: peakMegabytesOf(pid) }
  await server.stop()
  return weight
}

/** `113 [110-115]` */
function describe(values: readonly number[]): string {
  const [middle, lowest, highest] = [median(values), Math.min(...values), Math.max(...values)]
  return `${middle.toFixed(0)} [${lowest.toFixed(0)}-${highest.toFixed(0)}]`.padEnd(20)
}

try {
  const sides = await createSides('this tree', buildRelease('.'))
  if (options.against !== undefined) {
    const tree = checkOut(options.against)
    parts.defer(tree.remove)
    sides.push(...(await createSides(options.against, buildRelease(tree.root))))
  }
  // The first start makes the database and fills the compile cache.
  for (const side of sides) await measureStart(side)
  for (let round = 0; round < Number(options.rounds); round++)
    for (const side of shuffled(sides)) side.rounds.push(await measureStart(side))

  const valuesOf = ({ rounds }: Side, name: keyof Weight) => rounds.map((weight) => weight[name])
  const names = ['listeningMs', 'cpuMs', 'residentMb', 'peakMb'] as const
  if (options.json) {
    const medians = (side: Side) => Object.fromEntries(names.map((name) => [name, median(valuesOf(side, name))]))
    process.stdout.write(`${JSON.stringify(Object.fromEntries(sides.map((side) => [side.name, medians(side)])))}\n`)
  } else {
    process.stdout.write(`${' '.repeat(24)}${names.map((name) => name.padEnd(20)).join('')}\n`)
    for (const side of sides)
      process.stdout.write(`${side.name.padEnd(24)}${names.map((name) => describe(valuesOf(side, name))).join('')}\n`)
  }
} finally {
  await parts.disposeAsync()
}
