// A Redis that is reachable but useless: a replica after a failover, out of memory, locked, unable to save, loading its
// data. Searches keep working, the outage is reported, and once Redis works the nodes use it again by themselves.
import { mkdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'

const METRICS_TOKEN = 'a token that only the collector knows'
const LIMIT = 5

let redis: PrivateRedis
let cluster: Cluster
let admin: Redis
let key: string

beforeAll(async () => {
  redis = await startPrivateRedis(() => ['--enable-debug-command', 'local'])
  cluster = await startCluster({ nodes: 2, redis, settings: { METRICS_TOKEN } })
  admin = new Redis(cluster.redis.url)
  key = await cluster.createKey(UNLIMITED)
}, 60_000)
afterEach(() => untilUp(1))
afterAll(async () => {
  admin?.disconnect()
  await cluster?.close()
  await redis?.remove()
})

let queries = 0
const search = async (turn = 0) =>
  (await cluster.node(turn).api.get(`/api/v1/web/?q=degraded-${queries++}`, { key })).status

const readiness = async (query = '') => {
  const reply = await fetch(`${cluster.node(0).url}/readyz${query}`)
  return [reply.status, await reply.json()]
}

const redisUp = async (turn: number): Promise<number> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${cluster.node(turn).url}/metrics`, { headers })).text()
  return Number(/^bowerbird_redis_up (\d)$/m.exec(text)?.[1])
}

/** Waits for both nodes, searching meanwhile. */
async function untilUp(expected: number): Promise<void> {
  for (const turn of [0, 1]) {
    await expect
      .poll(
        async () => {
          expect(await search(turn)).toBe(200)
          return await redisUp(turn)
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBe(expected)
  }
}

/** How many requests pass at both nodes together: a shared limit admits `LIMIT`. */
async function passing(): Promise<number> {
  const limited = await cluster.createKey({ burst: `${LIMIT}/min` })
  const replies = Array.from({ length: 4 * LIMIT }, (_, turn) =>
    cluster.node(turn).api.get('/api/v1/web/?q=limited', { key: limited }),
  )
  return (await Promise.all(replies)).filter(({ status }) => status === 200).length
}

const savePath = () => join(tmpdir(), `bb-redis-${cluster.redis.port}.rdb`)
const setMemory = (bytes: string) => admin.config('SET', 'maxmemory', bytes)
const dropOthers = () => admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')

const LOADED_KEYS = 8_000
const LOAD_DELAY_MICROSECONDS = 5_000
let reload: Promise<unknown> | undefined

/** Makes it reload its data slowly while it answers. */
async function beginLoading(): Promise<void> {
  const keys = Array.from({ length: LOADED_KEYS }, (_, at) => [`filler:${at}`, 'x'.repeat(100)])
  await admin.mset(...keys.flat())
  await admin.config('SET', 'rdbcompression', 'no')
  // It processes commands about every ten keys.
  await admin.config('SET', 'loading-process-events-interval-bytes', '1024')
  await admin.config('SET', 'key-load-delay', String(LOAD_DELAY_MICROSECONDS))
  reload = admin.call('DEBUG', 'RELOAD')
}

async function endLoading(): Promise<void> {
  const other = new Redis(cluster.redis.url, { enableReadyCheck: false })
  await other.config('SET', 'key-load-delay', '0')
  other.disconnect()
  await reload
}

const FAULTS: [string, string, { begin: () => Promise<unknown>; end: () => Promise<unknown> }][] = [
  [
    'is a replica',
    'READONLY',
    {
      begin: () => admin.replicaof('127.0.0.1', 1),
      end: () => admin.replicaof('NO', 'ONE'),
    },
  ],
  ['is out of memory', 'OOM', { begin: () => setMemory('1'), end: () => setMemory('0') }],
  [
    'requires a password that it did not require before',
    'NOAUTH',
    {
      async begin() {
        await admin.config('SET', 'requirepass', 'geheim')
        await dropOthers()
      },
      end: () => admin.config('SET', 'requirepass', ''),
    },
  ],
  [
    'cannot save and therefore rejects writes',
    'MISCONF',
    {
      async begin() {
        // It cannot write its snapshot over a directory.
        await mkdir(savePath())
        await admin.config('SET', 'save', '3600 1')
        await admin.bgsave()
        await expect.poll(async () => await admin.info('persistence')).toContain('rdb_last_bgsave_status:err')
      },
      async end() {
        await admin.config('SET', 'save', '')
        await rmdir(savePath())
      },
    },
  ],
  [
    'has fewer replicas than it needs to accept writes',
    'NOREPLICAS',
    {
      begin: () => admin.config('SET', 'min-replicas-to-write', '1'),
      end: () => admin.config('SET', 'min-replicas-to-write', '0'),
    },
  ],
  ['is loading its data', 'LOADING', { begin: beginLoading, end: endLoading }],
]

describe('a Redis that', () => {
  it.each(FAULTS)('%s (%s) is reported and done without, and used again when it works', async (_, word, fault) => {
    await untilUp(1)
    expect(await readiness()).toEqual([200, { status: 'ok' }])

    await fault.begin()
    try {
      await untilUp(0)
      const degraded = { status: 'degraded', detail: 'degraded: Redis' }
      expect(await readiness()).toEqual([200, degraded])
      const away = { state: 'away', reason: word }
      // The connection is lost before Redis rejects us.
      const verbose = [200, { ...degraded, redis: { limits: away } }]
      await expect.poll(() => readiness('?verbose'), { timeout: 5_000 }).toEqual(verbose)
      for (let turn = 0; turn < 20; turn += 1) expect(await search(turn)).toBe(200)
      expect(await passing()).toBe(2 * LIMIT)
    } finally {
      await fault.end()
    }

    await untilUp(1)
    expect(await readiness()).toEqual([200, { status: 'ok' }])
    expect(await passing()).toBe(LIMIT)
  })
})
