// PostgreSQL goes away and comes back. Cached keys keep working, no valid key gets a 401, and usage counted meanwhile
// is written afterwards.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.ts'
import { statusesOf, underLoad } from '../support/steady-load.ts'
import { storedUsage } from '../support/stored-usage.ts'

const parts = new AsyncDisposableStack()
let postgres: PrivatePostgres
let cluster: Cluster

beforeAll(async () => {
  postgres = await startPrivatePostgres()
  parts.defer(() => postgres.remove())
  cluster = await startCluster({ nodes: 2, databaseUrl: postgres.url })
  parts.defer(() => cluster.close())
})
afterAll(() => parts.disposeAsync())

const BACK_MS = 60_000

const search = (turn: number, key: string): Promise<ApiReply> =>
  cluster.node(turn).api.get(`/api/v1/web/?q=calm-${turn % 50}`, { key })

/** What both servers must reply while PostgreSQL is away. */
async function expectHonestRefusals(coldKey: string): Promise<void> {
  const neverIssued = mintKey(randomBytes).full
  for (const turn of [0, 1]) {
    for (const unknown of [coldKey, neverIssued]) {
      const refused = await search(turn, unknown)
      expect(refused.status).toBe(503)
      expect(refused.json.detail).toMatch(/cannot be checked right now/)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await search(turn, 'no key at all')).status).toBe(401)
  }
}

describe('while PostgreSQL is stopped', () => {
  it('cached keys keep working, cold keys get 503 and never 401, and it recovers by itself with nothing lost', async () => {
    const [cachedKey, coldKey] = await Promise.all([cluster.createKey(UNLIMITED), cluster.createKey()])
    expect((await search(0, cachedKey)).status).toBe(200)
    expect((await search(1, cachedKey)).status).toBe(200)

    const seen = await underLoad({ clients: 4, ask: (turn) => search(turn, cachedKey) }, async () => {
      await postgres.stop()
      await expectHonestRefusals(coldKey)
      // Longer than a connection that was open may be believed in.
      await sleep(1_500)
      await expectHonestRefusals(coldKey)
      const usage = await cluster.node(0).api.get('/api/v1/usage/', { key: cachedKey })
      expect(usage.status).toBe(200)
      expect(usage.json.complete).toBe(false)
      await postgres.start()
      expect(await eventually(async () => (await search(0, coldKey)).status === 200, BACK_MS)).toBe(true)
      expect(await eventually(async () => (await search(1, coldKey)).status === 200, BACK_MS)).toBe(true)
    })
    const answered = 2 + seen.length

    expect(statusesOf(seen)).toEqual([200])
    expect(seen.length).toBeGreaterThan(20)
    expect(await eventually(async () => (await storedUsage(postgres.url, cachedKey)) === answered, BACK_MS)).toBe(true)
    expect((await cluster.node(1).api.get('/api/v1/usage/', { key: cachedKey })).json).toMatchObject({
      searches: answered,
      complete: true,
    })
    expect((await search(0, mintKey(randomBytes).full)).status).toBe(401)
  })
})
