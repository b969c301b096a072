// `npm run bench`: what everything that Bowerbird does around a search costs, against the bare engine in the same run.
// With --json the last line is one object of ratios. Needs PostgreSQL and redis-server, as the tests do.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sandboxSettings } from '../server/src/demo.ts'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { createTemporaryDatabase } from '../server/test/support/temporary-database.ts'
import { type Contestant, LOAD_CORE, SERVER_CORE, startContestant } from './contestant.ts'
import { type Comparison, compare, Load, type Side } from './measure.ts'
import { countWaits, startSlowRedis } from './redis-waits.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, pairs: { type: 'string', default: '7' } },
})

const BOWERBIRD = ['server/src/bowerbird.ts']
const CONNECTIONS = 64
const MANY_CONNECTIONS = 256
/** More than the caches of both sides can help with in a window, few enough that the sandbox keeps its own replies. */
const QUERIES = Array.from({ length: 1_000 }, (_, number) => `bench+query+${number}`)

const say = (line: string): void => {
  if (!options.json) process.stdout.write(`${line}\n`)
}

const cleanups: (() => unknown)[] = []
const stoppable = <Part extends { stop: () => unknown }>(part: Part): Part => {
  cleanups.push(() => part.stop())
  return part
}

async function measureAll(): Promise<void> {
  const settings = await startSurroundings()
  const authorization = `Api-Key ${createBenchKey(settings)}`
  const uncachedNode = await startNode({ ...settings, SEARCH_CACHE_SECONDS: '0' })
  const cachedNode = await startNode(settings)
  const load = stoppable(new Load())
  const pairs = Number(options.pairs)
  say(`${pairs} pairs of 3 s a row, ${CONNECTIONS} connections, server on core ${SERVER_CORE}\n`)

  const uncached: Side = searches('uncached search', uncachedNode, {
    authorization,
    paths: QUERIES,
    connections: CONNECTIONS,
  })
  const bareFanOut = stoppable(await startContestant(SERVER_CORE, ['bench/bare-fan-out.ts', sandboxOf(settings)]))
  const uncachedToBare = await compare(load, {
    candidate: uncached,
    limit: { name: 'bare fan-out', contestant: bareFanOut, order: bareOrder(bareFanOut, QUERIES) },
    pairs,
  })
  const cached = searches('cached search', cachedNode, { authorization, paths: ['climate'], connections: CONNECTIONS })
  const bareConstant = await startBareConstant(cached)
  const cachedToBare = await compare(load, {
    candidate: cached,
    limit: { name: 'bare node:http', contestant: bareConstant, order: bareOrder(bareConstant, ['climate']) },
    pairs,
  })
  const manyToFew = await compare(load, {
    candidate: { ...uncached, order: { ...uncached.order, connections: MANY_CONNECTIONS } },
    limit: uncached,
    pairs,
    by: 'perSecond',
  })
  const waits = await countRedisWaits(settings, authorization)
  say(
    table([
      ['uncached search / bare undici fan-out', uncachedToBare],
      ['cached search / bare node:http', cachedToBare],
      [`${MANY_CONNECTIONS} / ${CONNECTIONS} connections, uncached`, manyToFew],
    ]),
  )
  say(`\nRedis round trips waited for: ${waits.memory} when cached in memory, ${waits.shared} when cached in Redis`)
  if (options.json) {
    const ratios = {
      uncached_vs_bare: round(uncachedToBare.ratio),
      cached_vs_bare: round(cachedToBare.ratio),
      c256_vs_c64: round(manyToFew.ratio),
      redis_waits_memory: waits.memory,
      redis_waits_shared: waits.shared,
    }
    process.stdout.write(`${JSON.stringify(ratios)}\n`)
  }
}

async function startSurroundings(): Promise<Record<string, string>> {
  const database = await createTemporaryDatabase()
  cleanups.push(database.drop)
  const redis = stoppable(await startPrivateRedis())
  const sandbox = stoppable(await startContestant(LOAD_CORE, ['sandbox/src/serve.ts']))
  const sandboxUrl: string = JSON.parse(sandbox.firstLine).url
  return {
    ...sandboxSettings((slug) => `${sandboxUrl}/${slug}`),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: '0',
    // The real provider's rate is below what is measured here.
    BRAVE_PACE: 'off',
  }
}

const sandboxOf = (settings: Record<string, string>): string => new URL(settings['BRAVE_URL'] ?? '').origin

const startNode = async (settings: Record<string, string>): Promise<Contestant> =>
  stoppable(await startContestant(SERVER_CORE, [...BOWERBIRD, 'serve'], settings))

const portOf = (node: Contestant): number => Number(/:(\d+)\b/.exec(node.firstLine)?.[1])

const searches = (
  name: string,
  contestant: Contestant,
  { authorization, paths, connections }: { authorization: string; paths: string[]; connections: number },
): Side => ({
  name,
  contestant,
  order: {
    port: portOf(contestant),
    paths: paths.map((query) => `/api/v1/web/?q=${query}`),
    headers: { authorization },
    connections,
  },
})

const bareOrder = (bare: Contestant, queries: string[]): Side['order'] => ({
  port: JSON.parse(bare.firstLine).port,
  paths: queries.map((query) => `/?q=${query}`),
  headers: {},
  connections: CONNECTIONS,
})

/** Serves exactly the bytes that the cached search answers with. */
async function startBareConstant({ order }: Side): Promise<Contestant> {
  const reply = await fetch(`http://127.0.0.1:${order.port}${order.paths[0]}`, { headers: order.headers })
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'reply.json')
  await writeFile(file, await reply.text())
  return stoppable(await startContestant(SERVER_CORE, ['bench/bare-constant.ts', file]))
}

async function countRedisWaits(settings: Record<string, string>, authorization: string) {
  const slow = stoppable(await startSlowRedis(settings['REDIS_URL'] ?? ''))
  const quick = await startNode(settings)
  const slowed = await startNode({ ...settings, REDIS_URL: slow.url })
  const ask = (node: Contestant, query: string) =>
    fetch(`http://127.0.0.1:${portOf(node)}/api/v1/web/?q=${query}`, { headers: { authorization } }).then((reply) =>
      reply.text(),
    )
  await ask(slowed, 'warm+the+key')
  let number = 0
  const shared = await countWaits(
    async () => {
      // Only the slowed node's own time counts; that the query is in Redis is arranged before.
      number += 1
      return await ask(slowed, `shared+${number}`)
    },
    { tries: 3, before: async () => void (await ask(quick, `shared+${number + 1}`)) },
  )
  const memory = await countWaits(() => ask(slowed, 'warm+the+key'), { tries: 3 })
  return { memory, shared }
}

/** A key whose limits are out of reach, made as an operator would make it. */
function createBenchKey(settings: Record<string, string>): string {
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [...BOWERBIRD, ...args, '--json'], {
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

try {
  await measureAll()
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}
