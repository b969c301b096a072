import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { createRedisStore, type FoundResponse, type RedisStore } from './redis-store.ts'
import { IN_CLEAR } from './response-cache.test-harness.ts'
import { createResponseEncryption } from './response-encryption.ts'

let redis: TakenRedis
const admin = useRedisAdmin(() => redis.url)
let client: RedisClient
let one: RedisStore
let other: RedisStore
let keyPrefixes = 0

beforeAll(async () => {
  redis = await takeRedis()
  client = await openRedis(redis.url, createLog('silent'))
  one = createRedisStore(client, IN_CLEAR)
  other = createRedisStore(client, IN_CLEAR)
})
afterAll(async () => {
  await client.close()
  redis.giveBack()
})

const newKeyPrefix = () => {
  keyPrefixes += 1
  return `prefix-${keyPrefixes}`
}

async function look(store: RedisStore, keyPrefix: string): Promise<FoundResponse | undefined> {
  const [found] = await store.find(keyPrefix, ['mojeek'])
  return found
}

describe('responses in Redis', () => {
  it('are found together, and all keys with one prefix are in one slot of a cluster', async () => {
    const keyPrefix = newKeyPrefix()
    for (const slug of ['mojeek', 'kagi'])
      one.store(keyPrefix, slug, { text: `a page, from ${slug} …`, lifeMs: 60_000 })
    const found = await other.find(keyPrefix, ['kagi', 'mojeek', 'staan'])
    expect(found.map((response) => response?.text)).toEqual(['a page, from kagi …', 'a page, from mojeek …', undefined])
    const keys = await admin().keys(`bb:response:{${keyPrefix}}:*`)
    expect(keys).toHaveLength(2)
  })

  it('are shared by all nodes of an instance and unreadable to others: both their names and their contents', async () => {
    const keyPrefix = newKeyPrefix()
    const open = (secret: string) => createRedisStore(client, createResponseEncryption(secret))
    open('secret').store(keyPrefix, 'mojeek', { text: 'what was found', lifeMs: 60_000 })
    expect((await look(open('secret'), keyPrefix))?.text).toBe('what was found')
    expect((await look(open('other secret'), keyPrefix))?.text).toBeUndefined()
    expect(await admin().keys(`*${keyPrefix}*`)).toEqual([])
    const name = createResponseEncryption('secret').hashName(keyPrefix)
    const key = `bb:response:{${name}}:mojeek`
    expect(await admin().get(key)).not.toContain('what was found')
    await admin().set(key, '60000 {"hits":[],"correction":""}', 'PX', 59_000)
    expect((await look(open('secret'), keyPrefix))?.text).toBe('')
  })

  it('are unavailable when Redis is', async () => {
    const severed = await openRedis(redis.url, createLog('silent'))
    const store = createRedisStore(severed, IN_CLEAR)
    await severed.close()
    expect(await store.find(newKeyPrefix(), ['mojeek'])).toEqual([undefined])
    store.store(newKeyPrefix(), 'mojeek', { text: 'page', lifeMs: 1_000 })
  })
})
