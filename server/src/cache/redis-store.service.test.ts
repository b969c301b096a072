import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { createRedisStore, type FoundResponse, type RedisStore, type ResponseLease } from './redis-store.ts'
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
  // The first call of a script may be overtaken by the next command, as Redis does not have the script yet.
  const lease = leaseOf(await look(one, newBase()))
  lease.store('page', 1)
  lease.release()
  await sleep(50)
})
afterAll(async () => {
  await client.close()
  redis.giveBack()
})

const newBase = () => {
  bases += 1
  return `base-${bases}`
}
const wanted = (slug = 'mojeek', lifeMs = 60_000) => ({ slug, lifeMs, softMs: lifeMs / 2 })

async function look(store: RedisStore, base: string, lifeMs?: number): Promise<FoundResponse> {
  const [found] = (await store.find(base, [wanted('mojeek', lifeMs)])) ?? []
  if (!found) throw new Error('Redis is away')
  return found
}

function leaseOf({ lease }: FoundResponse): ResponseLease {
  if (lease) return lease
  throw new Error('the lease is not ours')
}

describe('responses in Redis', () => {
  it('the first to look for a missing response gets the lease, the next waits, and then finds the response', async () => {
    const base = newBase()
    const lease = leaseOf(await look(one, base))
    expect(await look(other, base)).toMatchObject({ text: undefined, ageMs: 0, isBeingFetched: true })
    expect((await look(one, base)).isBeingFetched).toBe(true)
    lease.store('a page, with spaces …', 60_000)
    const found = await look(other, base)
    expect(found).toMatchObject({ text: 'a page, with spaces …', lease: undefined, isBeingFetched: false })
    expect(found.ageMs).toBeLessThan(1_000)
    expect(await admin().exists(`bb:response:{${base}}:mojeek:lease`)).toBe(0)
  })

  it('several are found together, each with its own lease', async () => {
    const base = newBase()
    one.store(base, 'mojeek', { text: 'mojeek page', lifeMs: 60_000 })
    leaseOf((await one.find(base, [wanted('kagi')]))?.[0] ?? (await look(one, base)))
    const found = await other.find(base, [wanted('kagi'), wanted('mojeek'), wanted('staan')])
    expect(found?.map(({ text }) => text)).toEqual([undefined, 'mojeek page', undefined])
    expect(found?.map(({ isBeingFetched }) => isBeingFetched)).toEqual([true, false, false])
    expect(found?.map(({ lease }) => lease !== undefined)).toEqual([false, false, true])
  })

  it('a response past its soft life is found together with the lease to refresh it, which only one node gets', async () => {
    const base = newBase()
    one.store(base, 'mojeek', { text: 'page', lifeMs: 4_000 })
    await sleep(2_100)
    const lease = leaseOf(await look(one, base, 4_000))
    expect(await look(other, base, 4_000)).toMatchObject({ text: 'page', isBeingFetched: true })
    lease.release()
    expect((await look(other, base, 2_000)).text).toBeUndefined()
  })

  it('a failure is shared for a second, and does not hide a response', async () => {
    const base = newBase()
    leaseOf(await look(one, base)).fail('throttled 7 false')
    expect(await look(other, base)).toMatchObject({ failure: 'throttled 7 false', isBeingFetched: false })
    one.store(base, 'mojeek', { text: 'page', lifeMs: 60_000 })
    expect(await look(other, base)).toMatchObject({ text: 'page', failure: undefined })
    await admin().del(`bb:response:{${base}}:mojeek`)
    await sleep(1_050)
    leaseOf(await look(other, base))
  })

  it('a lease is renewed while it is held, and not after that', async () => {
    const [held, released] = [newBase(), newBase()]
    const lease = leaseOf(await look(one, held))
    const gone = leaseOf(await look(one, released))
    for (let i = 0; i < 8; i += 1) {
      await sleep(200)
      expect((await look(other, held)).isBeingFetched).toBe(true)
    }
    gone.store('page', 60_000)
    lease.release()
    leaseOf(await look(other, held))
  })

  it('a node that has lost its lease stores its response and does not affect the new holder', async () => {
    const base = newBase()
    const key = `bb:response:{${base}}:mojeek:lease`
    const lost = leaseOf(await look(one, base))
    await admin().del(key)
    leaseOf(await look(other, base))
    const holder = await admin().get(key)
    lost.fail('timeout  false')
    lost.release()
    lost.store('page', 60_000)
    expect((await look(one, base)).text).toBe('page')
    expect(await admin().get(key)).toBe(holder)
  })

  it('all keys of one base are in one slot of a cluster', async () => {
    const base = newBase()
    await one.find(base, [wanted('mojeek'), wanted('kagi')])
    one.store(base, 'mojeek', { text: 'page', lifeMs: 60_000 })
    await look(one, base)
    const keys = await admin().keys(`bb:response:{${base}}*`)
    expect(keys.length).toBe(3)
    expect(keys.every((key) => key.startsWith(`bb:response:{${base}}:`))).toBe(true)
  })

  it('are shared by all nodes of an instance and unreadable to others: both their names and their contents', async () => {
    const base = newBase()
    const open = (secret: string) => createRedisStore(client, createResponseEncryption(secret))
    open('secret').store(base, 'mojeek', { text: 'what was found', lifeMs: 60_000 })
    expect((await look(open('secret'), base)).text).toBe('what was found')
    expect((await look(open('other secret'), base)).text).toBeUndefined()
    expect(await admin().keys(`*${base}*`)).toEqual([])
    const name = createResponseEncryption('secret').nameOf(base)
    const key = `bb:response:{${name}}:mojeek`
    expect(await admin().get(key)).not.toContain('what was found')
    await admin().set(key, '60000 {"hits":[],"correction":""}', 'PX', 59_000)
    expect((await look(open('secret'), base)).text).toBe('')
  })

  it('are unavailable when Redis is', async () => {
    const severed = await openRedis(redis.url, createLog('silent'))
    const store = createRedisStore(severed, IN_CLEAR)
    await severed.close()
    expect(await store.find(newBase(), [wanted()])).toBeUndefined()
    store.store(newBase(), 'mojeek', { text: 'page', lifeMs: 1_000 })
  })
})
