// `npm run bench`: what everything that Bowerbird does around a search costs, against the bare engine in the same run.
// With --json the last line is one object of ratios. Needs PostgreSQL and redis-server, as the tests do.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { sandboxSettings } from '../server/src/demo.ts'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { createTemporaryDatabase } from '../server/test/support/temporary-database.ts'
import { LOAD_CORE, SERVER_CORE, startContestant } from './contestant.ts'
import { type Comparison, compare, Load } from './measure.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, pairs: { type: 'string', default: '7' } },
})

const CONNECTIONS = 64
const BOWERBIRD = 'server/src/bowerbird.ts'
/** Enough that no cache of an answer helps, few enough that the sandbox keeps its own replies. */
const QUERIES = Array.from({ length: 2_000 }, (_, number) => `bench+query+${number}`)

const say = (line: string): void => {
  if (!options.json) process.stdout.write(`${line}\n`)
}

const cleanups: (() => unknown)[] = []
const stoppable = <Part extends { stop: () => unknown }>(part: Part): Part => {
  cleanups.push(() => part.stop())
  return part
}

try {
  await measureAll()
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}

async function measureAll(): Promise<void> {
  const database = await createTemporaryDatabase()
  cleanups.push(database.drop)
  const redis = stoppable(await startPrivateRedis())
  const sandbox = stoppable(await startContestant(LOAD_CORE, ['sandbox/src/serve.ts']))
  const sandboxUrl: string = JSON.parse(sandbox.firstLine).url
  const settings = {
    ...sandboxSettings((slug) => `${sandboxUrl}/${slug}`),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: '0',
  }
  const key = createBenchKey(settings)
  const bowerbird = stoppable(await startContestant(SERVER_CORE, [BOWERBIRD, 'serve'], settings))
  const bare = stoppable(await startContestant(SERVER_CORE, ['bench/bare-fan-out.ts', sandboxUrl]))
  const load = stoppable(new Load())
  const pairs = Number(options.pairs)
  say(`${pairs} pairs of 3 s, ${CONNECTIONS} connections, server on core ${SERVER_CORE}\n`)
  const uncached = await compare(load, {
    candidate: {
      name: 'bowerbird, uncached',
      contestant: bowerbird,
      order: {
        port: Number(/:(\d+)\b/.exec(bowerbird.firstLine)?.[1]),
        paths: QUERIES.map((query) => `/api/v1/web/?q=${query}`),
        headers: { authorization: `Api-Key ${key}` },
        connections: CONNECTIONS,
      },
    },
    limit: {
      name: 'bare fan-out',
      contestant: bare,
      order: {
        port: JSON.parse(bare.firstLine).port,
        paths: QUERIES.map((query) => `/?q=${query}`),
        headers: {},
        connections: CONNECTIONS,
      },
    },
    pairs,
  })
  say(table([['uncached search / bare undici fan-out', uncached]]))
  if (options.json) process.stdout.write(`${JSON.stringify({ uncached_vs_bare: round(uncached.ratio) })}\n`)
}

/** A key whose limits are out of reach, made as an operator would make it. */
function createBenchKey(settings: Record<string, string>): string {
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [BOWERBIRD, ...args, '--json'], {
      env: { ...process.env, ...settings },
      input: 'a password for the bench\n',
      encoding: 'utf8',
    })
  run('user', 'create', 'bench', '--password-stdin')
  return JSON.parse(run('key', 'create', 'bench', '--burst', '10000000/s', '--sustained', '10000000/day')).key
}

function round(ratio: number): number {
  return Math.round(ratio * 1000) / 1000
}

function table(rows: [string, Comparison][]): string {
  const head = `${''.padEnd(40)}  ratio   per CPU-second      per second`
  const lines = rows.map(([name, { ratio, candidate, limit }]) => {
    const cpu = `${candidate.perCpuSecond.toFixed(0)} / ${limit.perCpuSecond.toFixed(0)}`
    const second = `${candidate.perSecond.toFixed(0)} / ${limit.perSecond.toFixed(0)}`
    return `${name.padEnd(40)}  ${ratio.toFixed(3)}   ${cpu.padEnd(18)}  ${second}`
  })
  return [head, ...lines].join('\n')
}
