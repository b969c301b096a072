// A cap on calls holds across three nodes while nodes, Redis and PostgreSQL are killed, frozen and replaced. No call is
// made that cannot be recorded, and all nodes together keep a provider's rate limit.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.ts'
import { type RedisPair, startRedisPair } from '../support/redis-pair.ts'

const CAP = 100
const BEFORE = 20
const DURING_A_FAULT = 10

const engineStatus = ({ headers }: ApiReply): string => headers.get('engine-status') ?? ''

describe('three nodes with a cap', () => {
  const parts = new AsyncDisposableStack()
  let redis: RedisPair
  let postgres: PrivatePostgres
  let cluster: Cluster
  let key: string
  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedisPair(), startPrivatePostgres()])
    parts.defer(() => redis.close())
    parts.defer(() => postgres.remove())
    cluster = await startCluster({
      databaseUrl: postgres.url,
      settings: {
        REDIS_URL: redis.url,
        BRAVE_MONTHLY_CALLS: `${CAP}`,
        BRAVE_RATE_LIMIT: 'off',
        MARGINALIA_RATE_LIMIT: '1/s',
        SEARCH_CACHE_SECONDS: '0',
      },
    })
    parts.defer(() => cluster.close())
    key = await cluster.createKey(UNLIMITED)
    await Promise.all(cluster.nodes.map(({ api }) => api.get('/api/v1/key/', { key })))
  })
  afterAll(() => parts.disposeAsync())

  let turn = 0
  const search = (engine: string): Promise<ApiReply> => {
    turn += 1
    return cluster.node(turn).api.get(`/api/v1/web/?engine=${engine}&q=${engine}+${turn}`, { key })
  }
  const searchMany = (many: number): Promise<ApiReply[]> =>
    Promise.all(Array.from({ length: many }, () => search('engine_a')))
  const calls = () => cluster.sandbox.callCount('brave')
  const works = async () => engineStatus(await search('engine_a')).includes('engine_a;ok')

  it('every call made is counted as spent', async () => {
    const replies = await searchMany(BEFORE)
    const answered = replies.filter((reply) => engineStatus(reply).includes('engine_a;ok'))
    expect(answered.length).toBeGreaterThan(0)
    expect(calls()).toBe(answered.length)
    // On a busy machine some statements are late and the call is given back.
    await expect.poll(() => spentCalls(postgres.url, 'brave'), { timeout: 60_000 }).toBe(calls())
  })

  it('the engine is called without Redis but not without PostgreSQL, and the others answer', async () => {
    const isBack = redis.restart(1_500)
    await sleep(200)
    await expect.poll(works, { timeout: 60_000, interval: 100 }).toBe(true)
    await isBack
    const before = calls()
    await postgres.freeze()
    try {
      const reply = await search('all')
      expect(reply.status).toBe(200)
      expect(engineStatus(reply)).toMatch(/engine_a;budget.*engine_c;ok/)
    } finally {
      postgres.thaw()
    }
    expect(calls()).toBe(before)
    await expect.poll(works, { timeout: 60_000, interval: 500 }).toBe(true)
  })

  it('the cap holds, and can be used up, through node kills, Redis restarts and failovers, and PostgreSQL outages', async () => {
    const faults: (() => Promise<void>)[] = [
      () => cluster.replaceNode(0),
      () => redis.restart(300),
      async () => {
        await postgres.stop()
        await sleep(300)
        await postgres.start()
      },
      () => redis.failOver(),
    ]
    cluster.sandbox.setFault('brave', { kind: 'latency', latencyMs: 100 })
    for (const fault of faults) {
      const searching = Array.from({ length: DURING_A_FAULT }, async (_, index) => {
        await sleep(index * 40)
        // A killed node doesn't reply.
        await search('engine_a').catch((error: unknown) => expect(error).toBeInstanceOf(TypeError))
      })
      await Promise.all([fault(), ...searching])
    }
    expect(calls()).toBeLessThan(CAP)
    await expect.poll(works, { timeout: 60_000, interval: 500 }).toBe(true)
    const spendRest = async () => {
      await searchMany(50)
      return await spentCalls(postgres.url, 'brave')
    }
    await expect.poll(spendRest, { timeout: 60_000 }).toBe(CAP)
    expect(calls()).toBeLessThanOrEqual(CAP)
    // Only calls in flight during a kill are spent without having been made.
    expect(calls()).toBeGreaterThan(CAP / 2)
    expect(engineStatus(await search('engine_a'))).toContain('engine_a;budget')
  })

  it('a rate of one call a second is never exceeded at the provider, under any load', async () => {
    cluster.sandbox.setFault('marginalia', { kind: 'banAbove', calls: 1, perMs: 950 })
    const until = performance.now() + 3_000
    const before = cluster.sandbox.callCount('marginalia')
    const client = async () => {
      while (performance.now() < until) {
        expect([200, 503]).toContain((await search('engine_c')).status)
        await sleep(20)
      }
    }
    await Promise.all(Array.from({ length: 9 }, client))
    expect(cluster.sandbox.rateLimitViolations('marginalia')).toBe(0)
    expect(cluster.sandbox.callCount('marginalia') - before).toBeGreaterThanOrEqual(1)
  })
})

async function spentCalls(databaseUrl: string, provider: string): Promise<number> {
  const database = new pg.Client(databaseUrl)
  await database.connect()
  try {
    const statement = 'select calls from provider_budgets where provider = $1'
    return Number((await database.query<{ calls: string }>(statement, [provider])).rows[0]?.calls ?? 0)
  } finally {
    await database.end()
  }
}
