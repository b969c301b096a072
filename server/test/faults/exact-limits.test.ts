// One key, three servers: the limit belongs to the key, not the server, and is exact however the requests arrive.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.close())

const search = (key: string, turn: number): Promise<ApiReply> =>
  cluster.node(turn).api.get('/api/v1/web/?q=climate', { key })

const searchAtOnce = (key: string, count: number): Promise<ApiReply[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => search(key, turn)))

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
  it('of 1,000 concurrent requests with one key exactly 60 pass', async () => {
    const key = await cluster.createKey()
    const replies = await searchAtOnce(key, 1_000)
    expect(tally(replies)).toEqual({ 200: 60, 429: 940 })
    const waits = replies.filter(({ status }) => status === 429).map(waitOf)
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60)
  })

  it('a client that waits for Retry-After passes, at any server, every time', async () => {
    const key = await cluster.createKey({ burst: '5/s' })
    for (let round = 0; round < 3; round++) {
      let refused: ApiReply | undefined
      // A slow machine may take more than a second for a few requests, so that none is refused.
      while (!refused) refused = (await searchAtOnce(key, 10)).find(({ status }) => status === 429)
      const wait = waitOf(refused)
      expect(wait).toBe(1)
      await sleep(wait * 1_000)
      expect((await search(key, round)).status).toBe(200)
    }
  })

  it('a refused request costs nothing', async () => {
    const key = await cluster.createKey({ burst: '1000/min', sustained: '10/day' })
    expect(tally(await searchAtOnce(key, 40))).toEqual({ 200: 10, 429: 30 })
    const usage = await cluster.node(0).api.get('/api/v1/usage/', { key })
    // The usage request is refused too; the remaining burst shows that all 31 refusals cost nothing.
    expect(usage.status).toBe(429)
    expect(usage.headers.get('ratelimit')).toMatch(/"burst";r=990;/)
  })

  it('two keys of one user do not share a limit', async () => {
    const [one, other] = await Promise.all([cluster.createKey({ burst: '3/min' }), cluster.createKey()])
    expect(tally(await searchAtOnce(one, 6))).toEqual({ 200: 3, 429: 3 })
    const reply = await search(other, 0)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('ratelimit')).toMatch(/^"burst";r=59;/)
  })
})
