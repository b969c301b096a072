// An operator revokes a key, or disables an account. Every server that has it cached learns of it, by message and without.
// `keys/key-freshness.database.test.ts` moves a clock and says how soon.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, prefixOf, startCluster, UNLIMITED } from '../support/cluster.ts'

const CHANNEL = 'bb:key-changes'

let cluster: Cluster
let listener: Redis
const messages: string[] = []

beforeAll(async () => {
  cluster = await startCluster()
  listener = new Redis(cluster.redis.url)
  await listener.subscribe(CHANNEL)
  listener.on('message', (_channel, message) => messages.push(message))
})
afterAll(async () => {
  listener?.disconnect()
  await cluster?.close()
})

const statuses = (key: string): Promise<number[]> =>
  Promise.all([0, 1, 2].map(async (turn) => (await cluster.node(turn).api.get('/api/v1/', { key })).status))

/** Creates a key that all three servers have cached. */
async function createCachedKey(): Promise<string> {
  const key = await cluster.createKey(UNLIMITED)
  expect(await statuses(key)).toEqual([200, 200, 200])
  return key
}

const untilAllAnswer = (status: number, key: string) =>
  expect.poll(() => statuses(key), { timeout: 60_000 }).toEqual([status, status, status])

describe('a revoked key', () => {
  it('is soon refused by all three servers, by message', async () => {
    const key = await createCachedKey()
    const admin = new Redis(cluster.redis.url)
    // The three, and this test.
    expect(await admin.pubsub('NUMSUB', CHANNEL)).toEqual([CHANNEL, 4])
    admin.disconnect()
    await cluster.command(['key', 'revoke', prefixOf(key)])
    await untilAllAnswer(401, key)
    expect(messages.length).toBeGreaterThan(0)
    const { json, headers } = await cluster.node(1).api.get('/api/v1/web/?q=climate', { key })
    expect(json).toEqual({ detail: 'This API key has been revoked.' })
    expect(headers.get('www-authenticate')).toBe('Api-Key')
  })

  it('is refused when no message is sent', async () => {
    const key = await createCachedKey()
    messages.length = 0
    await cluster.command(['key', 'revoke', key], { settings: { REDIS_URL: '' } })
    await untilAllAnswer(401, key)
    expect(messages).toEqual([])
  })
})

describe('a disabled account', () => {
  it('gets 403 from all three, also when the command cannot reach Redis, and 200 again once it is enabled', async () => {
    const key = await createCachedKey()
    await cluster.command(['user', 'disable', 'ada'], { settings: { REDIS_URL: 'redis://127.0.0.1:1' } })
    await untilAllAnswer(403, key)
    await cluster.command(['user', 'enable', 'ada'])
    await untilAllAnswer(200, key)
  })
})
