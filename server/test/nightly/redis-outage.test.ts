// Redis goes away and comes back under load. Clients must not notice: no errors, no delays, no bypassed limits.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { statusesOf, underLoad } from '../support/steady-load.ts'

let cluster: Cluster
let key: string

beforeAll(async () => {
  cluster = await startCluster({ nodes: 2 })
  key = await cluster.createKey(UNLIMITED)
})
afterAll(() => cluster?.close())

const CLIENTS = 6
const LIMIT = 10
/** Reconnects are attempted every quarter of a second. */
const BACK_MS = 2_000

const createLimitedKey = () => cluster.createKey({ burst: `${LIMIT}/min` })

const search = (turn: number, key: string): Promise<ApiReply> =>
  cluster.node(turn).api.get(`/api/v1/web/?q=calm-${turn % 50}`, { key })

const countOf = async (status: number, replies: Promise<ApiReply>[]): Promise<number> =>
  (await Promise.all(replies)).filter((reply) => reply.status === status).length

/** How many of these concurrent requests pass: at one server, or spread over both. */
const passAtOne = (key: string) =>
  countOf(
    200,
    Array.from({ length: 3 * LIMIT }, () => search(0, key)),
  )
const passAtBoth = (key: string) =>
  countOf(
    200,
    Array.from({ length: 3 * LIMIT }, (_, turn) => search(turn, key)),
  )

describe('while Redis is stopped for ten seconds under load', () => {
  it('nothing fails, limits hold, and they are shared again afterwards', async () => {
    const [spent, metDuring, metAfter] = await Promise.all([1, 2, 3].map(createLimitedKey))
    if (!spent || !metDuring || !metAfter) throw new Error('a key is missing')
    expect(await passAtOne(spent)).toBe(LIMIT)

    const seen = await underLoad({ clients: CLIENTS, ask: (turn) => search(turn, key) }, async () => {
      await sleep(500)
      await cluster.redis.stop()
      const stoppedAt = performance.now()
      expect(await passAtOne(metDuring)).toBe(LIMIT)
      while (performance.now() - stoppedAt < 10_000) {
        expect((await search(0, spent)).status).toBe(429)
        expect((await search(0, metDuring)).status).toBe(429)
        await sleep(250)
      }
      await cluster.redis.start()
      await sleep(BACK_MS)
      // Redis restarted empty and decides alone: from now on a limit holds across both servers.
      expect(await passAtBoth(spent)).toBe(LIMIT)
      expect(await passAtBoth(metAfter)).toBe(LIMIT)
    })

    expect(statusesOf(seen)).toEqual([200])
    expect(seen.length).toBeGreaterThan(200)
  })

  it('revocations arrive by message again', async () => {
    const revoked = await cluster.createKey(UNLIMITED)
    expect((await search(0, revoked)).status).toBe(200)
    expect((await search(1, revoked)).status).toBe(200)
    await cluster.command(['key', 'revoke', revoked])
    await sleep(1_000)
    expect((await search(0, revoked)).status).toBe(401)
    expect((await search(1, revoked)).status).toBe(401)
  })
})

describe('while Redis is frozen', () => {
  it('no request hangs, limits hold, and they are shared again afterwards', async () => {
    const [metDuring, metAfter] = await Promise.all([1, 2].map(createLimitedKey))
    if (!metDuring || !metAfter) throw new Error('a key is missing')

    const seen = await underLoad({ clients: CLIENTS, ask: (turn) => search(turn, key) }, async () => {
      cluster.redis.freeze()
      try {
        expect(await passAtOne(metDuring)).toBe(LIMIT)
        await sleep(3_000)
        expect((await search(0, metDuring)).status).toBe(429)
      } finally {
        cluster.redis.thaw()
      }
      await sleep(BACK_MS)
      expect(await passAtBoth(metAfter)).toBe(LIMIT)
    })

    expect(statusesOf(seen)).toEqual([200])
    // A command may take a second, plus a margin for a busy machine.
    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(2_000)
    expect(seen.length).toBeGreaterThan(100)
  })
})
