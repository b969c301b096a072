// A server dies in the middle of its work. Every search that a client has received is in the usage all the same, and
// none is there that nobody asked for.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { storedUsage } from '../support/stored-usage.ts'

let cluster: Cluster

beforeAll(async () => {
  // Every search asks its engines, as fast as it can.
  cluster = await startCluster({ settings: { BRAVE_PACE: '100000/s', SEARCH_CACHE_SECONDS: '0' } })
})
afterAll(() => cluster?.close())

const REQUESTS = 2_000
const CLIENTS = 48
const ROLLED_UP_MS = 5_000

/** 48 clients make 2,000 searches at three servers, of which the last is killed when half of them are answered. */
async function searchThroughAKill(key: string): Promise<{ received: number; cutOff: number }> {
  const victim = cluster.node(2)
  let asked = 0
  let received = 0
  let cutOff = 0
  let isKilled = false

  async function askOne(turn: number): Promise<void> {
    const { api } = isKilled ? cluster.node(turn % 2) : cluster.node(turn)
    const path = `/api/v1/web/?q=search-${turn}`
    const reply = await api.get(path, { key }).catch((error: unknown) => {
      if (api !== victim.api || !isKilled) throw error
      cutOff++
    })
    if (!reply) return
    expect(reply.status).toBe(200)
    received++
  }

  async function client(): Promise<void> {
    while (asked < REQUESTS) {
      await askOne(asked++)
      if (received < REQUESTS / 2 || isKilled) continue
      isKilled = true
      await victim.stop('SIGKILL')
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { received, cutOff }
}

describe('usage', () => {
  it('of 2,000 searches survives the sudden end of a server: at least what was received, at most what was asked', async () => {
    const key = await cluster.createKey(UNLIMITED)
    for (const slug of ['brave', 'mojeek', 'marginalia'])
      cluster.sandbox.setFault(slug, { kind: 'latency', latencyMs: 20 })
    const { received, cutOff } = await searchThroughAKill(key)
    expect(received + cutOff).toBe(REQUESTS)
    expect(cutOff).toBeGreaterThan(0)
    expect(cutOff).toBeLessThanOrEqual(CLIENTS)

    const stored = () => storedUsage(cluster.databaseUrl, key)
    expect(await eventually(async () => (await stored()) >= received, ROLLED_UP_MS)).toBe(true)
    const soon = await stored()
    expect(soon).toBeLessThanOrEqual(received + cutOff)

    // Whatever is rolled up later must not count anything twice.
    await sleep(2_500)
    const later = await stored()
    expect(later).toBeGreaterThanOrEqual(soon)
    expect(later).toBeLessThanOrEqual(received + cutOff)

    for (const turn of [0, 1]) {
      const { json } = await cluster.node(turn).api.get('/api/v1/usage/', { key })
      expect(json).toMatchObject({ searches: later, complete: true, by_endpoint: { web_search: later } })
      expect((await cluster.node(turn).api.get('/api/v1/key/', { key })).json.usage.searches).toBe(later)
    }
  })
})
