// `npm run bench`: the cost of everything that Bowerbird does around a search, compared with the bare engine in the
// same run; for a cached search also with the same libraries wired together directly (`libraries.ts`). `npm run bench
// -- --against <git ref>` compares this tree with another revision in the same way. With --json the last line is one
// object of ratios. Needs PostgreSQL and redis-server, as the tests do, and an otherwise idle machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Contestant, SERVER_CORE, startContestant } from './contestant.ts'
import type { LibrariesOrder } from './libraries.ts'
import { type Comparison, comparisonOf, Load, measure, ROUNDS, type Side } from './measure.ts'
import { checkOut } from './other-tree.ts'
import { countWaits, startSlowRedis } from './redis-waits.ts'
import {
  type RunningNode,
  type Surroundings,
  sandboxUrlOf,
  startBenchSandbox,
  startSurroundings,
} from './surroundings.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(ROUNDS) },
    against: { type: 'string' },
  },
})

const rounds = Number(options.rounds)
const CONNECTIONS = 64
const MANY_CONNECTIONS = 256
/** More than the caches of both sides can hold in a window, few enough that the sandbox caches its own replies. */
const QUERIES = Array.from({ length: 1_000 }, (_, number) => `bench+query+${number}`)
const CACHED = ['climate']

const say = (line: string): void => {
  if (!options.json) process.stdout.write(`${line}\n`)
}

const parts = new AsyncDisposableStack()
const stoppable = <Part extends { stop: () => unknown }>(part: Part): Part => {
  parts.defer(async () => void (await part.stop()))
  return part
}

async function measureAgainstBare(sandbox: Contestant, load: Load): Promise<void> {
  const surroundings = stoppable(await startSurroundings(sandbox))
  const { uncached, cached } = await searchesOf(surroundings)
  const many: Side = { ...uncached, name: 'many', order: { ...uncached.order, connections: MANY_CONNECTIONS } }
  const fanOut = stoppable(await startContestant(SERVER_CORE, ['bench/bare-fan-out.ts', sandboxUrlOf(sandbox)]))
  const bareFanOut = { name: 'bare fan-out', contestant: fanOut, order: bareOrder(fanOut, QUERIES) }
  const files = await writeReply(surroundings, cached)
  const constant = stoppable(await startContestant(SERVER_CORE, ['bench/bare-constant.ts', files.body]))
  const bareConstant = { name: 'bare node:http', contestant: constant, order: bareOrder(constant, CACHED) }
  const wired = stoppable(await startContestant(SERVER_CORE, ['bench/libraries.ts', files.order]))
  const libraries = { name: 'libraries', contestant: wired, order: { ...cached.order, port: portOf(wired) } }
  say(`reply of an uncached search: ${await replyBytes(uncached)} bytes, bare ${await replyBytes(bareFanOut)}\n`)

  const readings = await measure(load, [uncached, bareFanOut, many, cached, bareConstant, libraries], rounds)
  const uncachedToBare = comparisonOf(readings, { candidate: uncached, limit: bareFanOut })
  const cachedToBare = comparisonOf(readings, { candidate: cached, limit: bareConstant })
  const cachedToLibraries = comparisonOf(readings, { candidate: cached, limit: libraries })
  const manyToFew = comparisonOf(readings, { candidate: many, limit: uncached, by: 'perSecond' })
  const waits = await countRedisWaits(surroundings)
  say(
    table([
      ['uncached search / bare undici fan-out', uncachedToBare],
      ['cached search / bare node:http', cachedToBare],
      ['cached search / the libraries alone', cachedToLibraries],
      [`${MANY_CONNECTIONS} / ${CONNECTIONS} connections, uncached`, manyToFew],
    ]),
  )
  say(`\nRedis round trips waited for: ${waits.memory} when cached in memory, ${waits.shared} when cached in Redis`)
  finish({
    uncached_vs_bare: uncachedToBare.ratio,
    uncached_low: uncachedToBare.low,
    cached_vs_bare: cachedToBare.ratio,
    cached_low: cachedToBare.low,
    cached_vs_libraries: cachedToLibraries.ratio,
    cached_vs_libraries_low: cachedToLibraries.low,
    cached_vs_libraries_high: cachedToLibraries.high,
    c256_vs_c64: manyToFew.ratio,
    redis_waits_memory: waits.memory,
    redis_waits_shared: waits.shared,
  })
}

async function measureAgainstTree(sandbox: Contestant, load: Load, ref: string): Promise<void> {
  const tree = checkOut(ref)
  parts.defer(tree.remove)
  const here = await searchesOf(stoppable(await startSurroundings(sandbox)))
  const there = await searchesOf(stoppable(await startSurroundings(sandbox, { root: tree.root })))
  const readings = await measure(load, [here.uncached, there.uncached, here.cached, there.cached], rounds)
  const uncached = comparisonOf(readings, { candidate: here.uncached, limit: there.uncached })
  const cached = comparisonOf(readings, { candidate: here.cached, limit: there.cached })
  say(
    table([
      [`uncached search / ${ref}`, uncached],
      [`cached search / ${ref}`, cached],
    ]),
  )
  finish({
    uncached_vs_then: uncached.ratio,
    uncached_low: uncached.low,
    uncached_high: uncached.high,
    cached_vs_then: cached.ratio,
    cached_low: cached.low,
    cached_high: cached.high,
  })
}

async function searchesOf(surroundings: Surroundings): Promise<{ uncached: Side; cached: Side }> {
  const uncachedNode = await surroundings.startNode({ SEARCH_CACHE_SECONDS: '0' })
  const cachedNode = await surroundings.startNode()
  const searches = (name: string, { node, port }: RunningNode, queries: string[]): Side => ({
    name,
    contestant: node,
    order: {
      port,
      paths: queries.map((query) => `/api/v1/web/?q=${query}`),
      headers: { authorization: surroundings.authorization },
      connections: CONNECTIONS,
    },
  })
  return {
    uncached: searches('uncached search', uncachedNode, QUERIES),
    cached: searches('cached search', cachedNode, CACHED),
  }
}

const portOf = ({ firstLine }: Contestant): number => JSON.parse(firstLine).port

const bareOrder = (bare: Contestant, queries: string[]): Side['order'] => ({
  port: portOf(bare),
  paths: queries.map((query) => `/?q=${query}`),
  headers: {},
  connections: CONNECTIONS,
})

const replyOf = async ({ order: { port, paths, headers } }: Side): Promise<Response> =>
  await fetch(`http://127.0.0.1:${port}${paths[0]}`, { headers: { ...headers, 'accept-encoding': 'identity' } })

const replyBytes = async (side: Side): Promise<number> => (await (await replyOf(side)).bytes()).length

/** Headers that Node writes, or that a server computes for every request. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'ratelimit'])

/** Records the reply of a cached search, for the servers that it is compared with. */
async function writeReply({ settings, authorization }: Surroundings, cached: Side) {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const files = { body: join(folder, 'reply.json'), order: join(folder, 'order.json') }
  const reply = await replyOf(cached)
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => !OWN_HEADERS.has(name)))
  const body = await reply.text()
  const order: LibrariesOrder = { redisUrl: settings['REDIS_URL'] ?? '', authorization, headers, body }
  await writeFile(files.body, body)
  await writeFile(files.order, JSON.stringify(order))
  return files
}

async function countRedisWaits({ settings, authorization, startNode }: Surroundings) {
  const slow = stoppable(await startSlowRedis(settings['REDIS_URL'] ?? ''))
  const quick = await startNode()
  const slowed = await startNode({ REDIS_URL: slow.url })
  const ask = async ({ port }: RunningNode, query: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/web/?q=${query}`, { headers: { authorization } })
    return await reply.text()
  }
  await ask(slowed, 'warm+the+key')
  let number = 0
  const shared = await countWaits(
    async () => {
      // Only the slowed node's time counts; the query is put into Redis before.
      number += 1
      return await ask(slowed, `shared+${number}`)
    },
    { tries: 3, before: async () => void (await ask(quick, `shared+${number + 1}`)) },
  )
  const memory = await countWaits(() => ask(slowed, 'warm+the+key'), { tries: 3 })
  return { memory, shared }
}

function finish(ratios: Record<string, number>): void {
  if (!options.json) return
  const rounded = Object.entries(ratios).map(([name, value]) => [name, Math.round(value * 1000) / 1000])
  process.stdout.write(`${JSON.stringify(Object.fromEntries(rounded))}\n`)
}

function table(rows: [string, Comparison][]): string {
  const head = `${''.padEnd(40)}  ratio  95 % interval   per CPU-second      per second`
  const lines = rows.map(([name, { ratio, low, high, candidate, limit }]) => {
    const interval = `${low.toFixed(3)}-${high.toFixed(3)}`
    const cpu = `${candidate.perCpuSecond.toFixed(0)} / ${limit.perCpuSecond.toFixed(0)}`
    const second = `${candidate.perSecond.toFixed(0)} / ${limit.perSecond.toFixed(0)}`
    return `${name.padEnd(40)}  ${ratio.toFixed(3)}  ${interval.padEnd(14)}  ${cpu.padEnd(18)}  ${second}`
  })
  return [head, ...lines].join('\n')
}

try {
  const sandbox = stoppable(await startBenchSandbox())
  const load = stoppable(new Load())
  say(`${rounds} shuffled rounds, ${CONNECTIONS} connections, servers on core ${SERVER_CORE}\n`)
  await (options.against === undefined
    ? measureAgainstBare(sandbox, load)
    : measureAgainstTree(sandbox, load, options.against))
} finally {
  await parts.disposeAsync()
}
