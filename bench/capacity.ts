// `npm run capacity`: measures what one node, Redis and PostgreSQL spend on a request and store for a key, and
// extrapolates to larger installations. docs/scale/capacity.md is written from it. `--full` gives Redis a million
// keys and a million cached responses instead of a twentieth of that.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createLog } from '../server/src/log.ts'
import { createRateLimiter } from '../server/src/rate-limit/rate-limiter-with-fallback.ts'
import { openRedis } from '../server/src/redis/redis-client.ts'
import { openPostgres } from '../server/src/store/postgres.ts'
import { startPrivateRedis } from '../server/test/support/private-redis.ts'
import { openRedisCopies } from '../server/test/support/redis-copies.ts'
import { largerInstallations, type Measured, type PerRequest } from './capacity-model.ts'
import { Load, type Side } from './measure.ts'
import { redisInfo } from './redis-info.ts'
import { type Surroundings, startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
})

const WARM_UP_MS = 10_000
const WINDOW_MS = 10_000
/** Until usage is written and PostgreSQL has updated its statistics. */
const SETTLE_MS = 3_000
const CONNECTIONS = 64
const MANY = options.full ? 1_000_000 : 50_000
const AT_ONCE = 500
/** How many engines the sandbox simulates for a web search. */
const ENGINES = 3
const DAY_MS = 86_400_000
const LIMITS = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: DAY_MS },
  monthlyCap: undefined,
}

const parts = new AsyncDisposableStack()
const log = createLog('silent')

/** Counters of Redis and PostgreSQL. */
interface StoreReading {
  redisCpuSeconds: number
  redisCommands: number
  redisBytes: number
  postgresRows: number
}

async function readStores({ settings }: Surroundings): Promise<StoreReading> {
  const info = redisInfo(settings['REDIS_URL'] ?? '')
  const database = openPostgres(settings['DATABASE_URL'] ?? '', log)
  const { rows } = await sql<{ written: string }>`
    select tup_inserted + tup_updated as written from pg_stat_database where datname = current_database()`.execute(
    database.db,
  )
  await database.close()
  return {
    redisCpuSeconds: info('used_cpu_user') + info('used_cpu_sys'),
    redisCommands: info('total_commands_processed'),
    redisBytes: info('total_net_input_bytes') + info('total_net_output_bytes'),
    postgresRows: Number(rows[0]?.written),
  }
}

async function measureSide(load: Load, surroundings: Surroundings, { contestant, order }: Side): Promise<PerRequest> {
  await load.put({ ...order, ms: WARM_UP_MS })
  await sleep(SETTLE_MS)
  const [before, cpuBefore] = [await readStores(surroundings), contestant.cpuSeconds()]
  const { requests } = await load.put({ ...order, ms: WINDOW_MS })
  const nodeMicros = ((contestant.cpuSeconds() - cpuBefore) * 1e6) / requests
  await sleep(SETTLE_MS)
  const after = await readStores(surroundings)
  const each = (of: (reading: StoreReading) => number) => (of(after) - of(before)) / requests
  return {
    nodeMicros,
    redisMicros: each(({ redisCpuSeconds }) => redisCpuSeconds) * 1e6,
    redisCommands: each(({ redisCommands }) => redisCommands),
    redisBytes: each(({ redisBytes }) => redisBytes),
    postgresRows: each(({ postgresRows }) => postgresRows),
  }
}

/** Bytes in Redis per item that `add` stores. */
async function bytesOfEach(url: string, add: (number: number) => unknown): Promise<number> {
  const before = redisInfo(url)('used_memory')
  for (let from = 0; from < MANY; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => add(from + index)))
  }
  await sleep(SETTLE_MS)
  return (redisInfo(url)('used_memory') - before) / MANY
}

async function bytesOfKey(): Promise<number> {
  const server = await startPrivateRedis()
  const redis = await openRedis(server.url, log)
  const loadMonthUsage = async () => ({ used: 0, validMs: DAY_MS })
  const limiter = createRateLimiter({ redis, clock: Date.now, loadMonthUsage })
  const bytes = await bytesOfEach(server.url, (number) =>
    limiter.consume({ subject: String(number), limits: LIMITS, counts: true }),
  )
  await redis.close()
  await server.stop()
  return bytes
}

/** Measured with copies of the responses that the searches cached. */
async function bytesOfResponse(searchedUrl: string): Promise<number> {
  const server = await startPrivateRedis()
  const copies = await openRedisCopies('bb:response:{*}:*', { from: searchedUrl, to: server.url })
  const bytes = await bytesOfEach(server.url, copies.add)
  copies.close()
  await server.stop()
  return bytes
}

async function measureAll(): Promise<Measured> {
  const sandbox = await startBenchSandbox()
  parts.defer(() => sandbox.stop())
  const load = new Load()
  parts.defer(() => load.stop())
  const surroundings = await startSurroundings(sandbox)
  parts.defer(() => surroundings.stop())
  const { node, port } = await surroundings.startNode()
  const side = (name: string, paths: string[]): Side => ({
    name,
    contestant: node,
    order: { port, paths, headers: { authorization: surroundings.authorization }, connections: CONNECTIONS },
  })
  const cached = await measureSide(load, surroundings, side('cached', ['/api/v1/web/?q=climate']))
  const fresh = Array.from({ length: 200_000 }, (_, number) => `/api/v1/web/?q=new+${number}`)
  const uncached = await measureSide(load, surroundings, side('uncached', fresh))
  return {
    cached,
    uncached,
    redisBytesOfKey: await bytesOfKey(),
    redisBytesOfResponse: await bytesOfResponse(surroundings.settings['REDIS_URL'] ?? ''),
    engines: ENGINES,
  }
}

try {
  const measured = await measureAll()
  process.stdout.write(options.json ? `${JSON.stringify(measured)}\n` : largerInstallations(measured, MANY))
} finally {
  await parts.disposeAsync()
}
