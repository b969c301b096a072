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
let bases = 0

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

const newBase = () => {
  bases += 1
  return `base-${bases}`
}

async function look(store: RedisStore, base: string): Promise<FoundResponse | undefined> {
  const [found] = await store.find(base, ['mojeek'])
  return found
}

describe('responses in Redis', () => {
  it('are found together, and all keys of one base are in one slot of a cluster', async () => {
    const base = newBase()
    for (const slug of ['mojeek', 'kagi']) one.store(base, slug, { text: `a page, from ${slug} …`, lifeMs: 60_000 })
    const found = await other.find(base, ['kagi', 'mojeek', 'staan'])
    expect(found.map((response) => response?.text)).toEqual(['a page, from kagi …', 'a page, from mojeek …', undefined])
    const keys = await admin().keys(`bb:response:{${base}}:*`)
    expect(keys).toHaveLength(2)
  })

  it('are shared by all nodes of an instance and unreadable to others: both their names and their contents', async () => {
    const base = newBase()
    const open = (secret: string) => createRedisStore(client, createResponseEncryption(secret))
    open('secret').store(base, 'mojeek', { text: 'what was found', lifeMs: 60_000 })
    expect((await look(open('secret'), base))?.text).toBe('what was found')
    expect((await look(open('other secret'), base))?.text).toBeUndefined()
    expect(await admin().keys(`*${base}*`)).toEqual([])
    const name = createResponseEncryption('secret').hashName(base)
    const key = `bb:response:{${name}}:mojeek`
    expect(await admin().get(key)).not.toContain('what was found')
    await admin().set(key, '60000 {"hits":[],"correction":""}', 'PX', 59_000)
    expect((await look(open('secret'), base))?.text).toBe('')
  })

  it('are unavailable when Redis is', async () => {
    const severed = await openRedis(redis.url, createLog('silent'))
    const store = createRedisStore(severed, IN_CLEAR)
    await severed.close()
    expect(await store.find(newBase(), ['mojeek'])).toEqual([undefined])
    store.store(newBase(), 'mojeek', { text: 'page', lifeMs: 1_000 })
  })
})
