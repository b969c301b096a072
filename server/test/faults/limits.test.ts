// One key, three servers: the limit belongs to the key, not the server, and is exact however the requests arrive. While Redis
// is away, nothing fails and each server keeps the limit alone; afterwards they share it again.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { statusesOf, underLoad } from '../support/steady-load.ts'

const LIMIT = 10

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ settings: { SEARCH_TIMEOUT_MS: '30000' } })
})
afterAll(() => cluster?.close())

/** Asks no engine, which could be slow on a busy machine. */
const ask = (key: string, turn: number): Promise<ApiReply> => cluster.node(turn).api.get('/api/v1/key/', { key })

const askAtOnce = (key: string, count: number): Promise<ApiReply[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => ask(key, turn)))

const tally = (replies: ApiReply[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The wait of a 429, which must be the same in all three places. */
function waitOf({ status, json, headers }: ApiReply): number {
  expect(status).toBe(429)
  const wait = Number(headers.get('retry-after'))
  expect(json).toEqual({ detail: `Request was throttled. Expected available in ${wait} seconds.` })
  expect(headers.get('ratelimit')).toMatch(new RegExp(`^"(burst|sustained)";r=0;t=${wait}(,|$)`))
  return wait
}

describe('limits over three servers', () => {
  it('of 300 concurrent requests with one key exactly 60 pass', async () => {
    const replies = await askAtOnce(await cluster.createKey(), 300)
    expect(tally(replies)).toEqual({ 200: 60, 429: 240 })
    const waits = replies.filter(({ status }) => status === 429).map(waitOf)
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60)
  })

  it('a client that waits for Retry-After passes', async () => {
    const key = await cluster.createKey({ burst: '5/s' })
    let refused: ApiReply | undefined
    // A slow machine may take more than a second for a few requests, so that none is refused.
    while (!refused) refused = (await askAtOnce(key, 10)).find(({ status }) => status === 429)
    await sleep(waitOf(refused) * 1_000)
    expect((await ask(key, 0)).status).toBe(200)
  })

  it('a refused request costs nothing, and another key of the same user is not refused', async () => {
    const key = await cluster.createKey({ burst: '1000/min', sustained: '10/day' })
    expect(tally(await askAtOnce(key, 40))).toEqual({ 200: 10, 429: 30 })
    const usage = await cluster.node(0).api.get('/api/v1/usage/', { key })
    // The usage request is refused too; the remaining burst shows that all 31 refusals cost nothing.
    expect(usage.status).toBe(429)
    expect(usage.headers.get('ratelimit')).toMatch(/"burst";r=990;/)
    const other = await ask(await cluster.createKey(), 0)
    expect(other.headers.get('ratelimit')).toMatch(/^"burst";r=59;/)
  })
})

describe.each([
  ['stopped', () => cluster.redis.stop(), () => cluster.redis.start()],
  ['frozen', async () => cluster.redis.freeze(), async () => cluster.redis.thaw()],
])('while Redis is %s under load', (_how, begin, end) => {
  it('nothing fails, limits hold, and they are shared again afterwards', async () => {
    const createLimited = () => cluster.createKey({ burst: `${LIMIT}/min` })
    const passing = async (key: string, turnOf: (turn: number) => number) => {
      const replies = Array.from({ length: 3 * LIMIT }, (_, turn) => ask(key, turnOf(turn)))
      return tally(await Promise.all(replies))[200]
    }
    const [key, spent] = [await cluster.createKey(UNLIMITED), await createLimited()]
    expect(await passing(spent, () => 0)).toBe(LIMIT)
    const met = await createLimited()
    const seen = await underLoad(
      { clients: 4, ask: (turn) => cluster.node(turn).api.get('/api/v1/web/?q=climate', { key }) },
      async () => {
        await begin()
        expect(await passing(met, () => 0)).toBe(LIMIT)
        await sleep(1_500)
        expect((await ask(met, 0)).status).toBe(429)
        expect((await ask(spent, 0)).status).toBe(429)
        await end()
        // Once Redis decides, a limit holds across all servers.
        const passingAtAll = async () => await passing(await createLimited(), (turn) => turn)
        await expect.poll(passingAtAll, { timeout: 60_000 }).toBe(LIMIT)
      },
    )
    expect(statusesOf(seen)).toEqual([200])
    expect(seen.length).toBeGreaterThan(20)
  })
})
