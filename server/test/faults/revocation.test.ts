// An operator revokes a key. Every server that has it cached must learn of it: immediately by message, and without
// messages within ten seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, prefixOf, startCluster, UNLIMITED } from '../support/cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.close())

const ASK_EVERY_MS = 25
const GIVE_UP_MS = 30_000
/** A second on a quiet machine. Without a message, few caches would have expired by then. */
const BY_MESSAGE_MS = 4_000
/** Ten seconds, plus a margin for a busy machine. */
const WITHOUT_MESSAGE_MS = 20_000

const statusAt = async (turn: number, key: string): Promise<number> =>
  (await cluster.node(turn).api.get('/api/v1/', { key })).status

/** Creates a key that all three servers have cached. */
async function createCachedKey(username?: string): Promise<string> {
  const key = await cluster.createKey({ ...UNLIMITED, ...(username && { username }) })
  expect(await Promise.all([0, 1, 2].map((turn) => statusAt(turn, key)))).toEqual([200, 200, 200])
  return key
}

/** Runs a command while polling all three; returns how long after its end the last one changed. */
async function msUntilAllAnswer(status: number, key: string, command: () => Promise<unknown>): Promise<number> {
  const changes = [0, 1, 2].map(async (turn) => {
    const giveUpAt = performance.now() + GIVE_UP_MS
    while ((await statusAt(turn, key)) !== status) {
      if (performance.now() > giveUpAt) return Number.POSITIVE_INFINITY
      await sleep(ASK_EVERY_MS)
    }
    return performance.now()
  })
  await command()
  const endedAt = performance.now()
  return Math.max(...(await Promise.all(changes))) - endedAt
}

const createUser = (username: string) =>
  cluster.command(['user', 'create', username, '--password-stdin'], { input: 'correct horse battery\n' })

describe('a revoked key', () => {
  it('is soon refused by all three servers, by message', async () => {
    const key = await createCachedKey()
    const ms = await msUntilAllAnswer(401, key, () => cluster.command(['key', 'revoke', prefixOf(key)]))
    expect(ms).toBeLessThan(BY_MESSAGE_MS)
    const { json, headers } = await cluster.node(1).api.get('/api/v1/web/?q=climate', { key })
    expect(json).toEqual({ detail: 'This API key has been revoked.' })
    expect(headers.get('www-authenticate')).toBe('Api-Key')
  })

  it('is refused within ten seconds when no message is sent', async () => {
    const key = await createCachedKey()
    const ms = await msUntilAllAnswer(401, key, () =>
      cluster.command(['key', 'revoke', key], { settings: { REDIS_URL: '' } }),
    )
    expect(ms).toBeLessThan(WITHOUT_MESSAGE_MS)
  })
})

describe('a disabled account', () => {
  it('gets 403 from all three soon, and 200 again once it is enabled', async () => {
    await createUser('bob')
    const key = await createCachedKey('bob')
    expect(await msUntilAllAnswer(403, key, () => cluster.command(['user', 'disable', 'bob']))).toBeLessThan(
      BY_MESSAGE_MS,
    )
    expect(await msUntilAllAnswer(200, key, () => cluster.command(['user', 'enable', 'bob']))).toBeLessThan(
      BY_MESSAGE_MS,
    )
  })

  it('gets 403 within ten seconds when the command cannot reach Redis', async () => {
    await createUser('eve')
    const key = await createCachedKey('eve')
    const settings = { REDIS_URL: 'redis://127.0.0.1:1' }
    const disable = () => cluster.command(['user', 'disable', 'eve'], { settings })
    expect(await msUntilAllAnswer(403, key, disable)).toBeLessThan(WITHOUT_MESSAGE_MS)
  })
})
