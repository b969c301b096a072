// Several nodes on one private Redis. A response there grows old when Redis is told that it expires sooner.
import { describe, expect, it } from 'vitest'
import type { RedisClient } from '../redis/redis-client.ts'
import { isResponseOf } from '../search/response-shape.ts'
import { aProvider, type ImageResponse, newKeyPrefix, saying, useNodes, within } from './response-cache.test-harness.ts'
import type { ResponseKey } from './response-cache.ts'

const { nodes, admin } = useNodes()

type KeyPrefix = ResponseKey<ImageResponse>
const redisKey = (keyPrefix: KeyPrefix, slug = 'openverse') => `bb:response:{${keyPrefix}}:${slug}`
const isShared = (keyPrefix: KeyPrefix, slug?: string) =>
  expect.poll(() => admin().exists(redisKey(keyPrefix, slug))).toBe(1)

describe('many nodes', () => {
  it('make their own calls while another makes the same, and do not wait for it', async () => {
    const [first, second] = await nodes(2)
    const hanging = aProvider(() => new Promise(() => undefined))
    const keyPrefix = newKeyPrefix()
    const until = within(60_000)
    const lost = first?.cache.obtain(keyPrefix, [hanging.ask()], until)
    await expect.poll(() => hanging.calls.length).toBe(1)
    expect((await second?.cache.obtain(keyPrefix, [aProvider().ask()], within(60_000)))?.map(saying)).toEqual([
      'call-1',
    ])
    until.cancel()
    expect((await lost)?.map(saying)).toEqual(['timeout'])
  })

  it('share a response for its whole life and no longer, with its age', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    await first?.cache.obtain(keyPrefix, [ask()], within(60_000))
    await isShared(keyPrefix)
    const lifeMs = await admin().pttl(redisKey(keyPrefix))
    expect(lifeMs).toBeGreaterThan(30_000)
    expect(lifeMs).toBeLessThanOrEqual(60_000)
    await admin().pexpire(redisKey(keyPrefix), 40_000)
    const outcomes = await second?.cache.obtain(keyPrefix, [ask()], within(60_000))
    expect(outcomes).toMatchObject([{ from: 'shared', isStale: false }])
    const [outcome] = outcomes ?? []
    expect(outcome && 'response' in outcome && outcome.ageMs).toBeGreaterThanOrEqual(20_000)
    expect(calls).toHaveLength(1)
  })

  it('refresh a response that none of them has in memory any more', async () => {
    const [first, second, third] = await nodes(3)
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    await first?.cache.obtain(keyPrefix, [ask()], within(60_000))
    await isShared(keyPrefix)
    await admin().pexpire(redisKey(keyPrefix), 20_000)
    expect(await second?.cache.obtain(keyPrefix, [ask()], within(60_000))).toMatchObject([{ from: 'shared' }])
    await expect.poll(() => admin().pttl(redisKey(keyPrefix))).toBeGreaterThan(20_000)
    expect(calls).toHaveLength(2)
    expect((await third?.cache.obtain(keyPrefix, [ask()], within(60_000)))?.map(saying)).toEqual(['call-2'])
  })

  it('share a response that must stay in memory for ten seconds and no longer', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    const terms = { cacheSeconds: 300, cacheIn: 'memory' } as const
    await first?.cache.obtain(keyPrefix, [ask(terms)], within(60_000))
    await isShared(keyPrefix)
    expect(await admin().pttl(redisKey(keyPrefix))).toBeLessThanOrEqual(10_000)
    expect(await second?.cache.obtain(keyPrefix, [ask(terms)], within(60_000))).toMatchObject([{ from: 'shared' }])
    await admin().del(redisKey(keyPrefix))
    for (const node of [first, second]) expect(node?.cache.findInMemory(keyPrefix, 'openverse')).toBeDefined()
    expect(calls).toHaveLength(1)
  })
})

describe('a look-up that fetches nothing', () => {
  it('finds what is in memory and in Redis, each in the place where it was wanted', async () => {
    const [first, second] = await nodes(2)
    const [inRedis, inMemory, nowhere] = [newKeyPrefix(), newKeyPrefix(), newKeyPrefix()]
    await first?.cache.obtain(inRedis, [aProvider().ask()], within(60_000))
    await isShared(inRedis)
    await second?.cache.obtain(inMemory, [aProvider().ask()], within(60_000))
    const lookups = [nowhere, inRedis, inMemory].map((keyPrefix) => ({ keyPrefix, slug: 'openverse' }))
    const responses = await second?.cache.peek(lookups, isResponseOf.images)
    expect(responses?.map((response) => response?.hits[0]?.title)).toEqual([undefined, 'call-1', 'call-1'])
  })
})

describe('round trips to Redis', () => {
  let count = 0
  /** Only the first command of a search gets a reply. */
  const replyOnce = <Reply>(reply: Promise<Reply>): Promise<Reply> => {
    count += 1
    return count === 1 ? reply : new Promise(() => undefined)
  }
  const watch = (redis: RedisClient): RedisClient => ({
    ...redis,
    evaluate: (...command) => replyOnce(redis.evaluate(...command)),
    send: (...command) => replyOnce(redis.send(...command)),
  })

  it('are none for responses in memory, one for those in Redis, and one more to store each that is fetched', async () => {
    const [filling] = await nodes(1)
    const [watched] = await nodes(1, watch)
    const { ask } = aProvider()
    const keyPrefix = newKeyPrefix()
    const slugs = ['one', 'two', 'three']
    const asks = slugs.map((slug) => ask({ slug }))
    await filling?.cache.obtain(keyPrefix, asks, within(60_000))
    for (const slug of slugs) await isShared(keyPrefix, slug)

    const countRoundTrips = async (of: KeyPrefix) => {
      count = 0
      const outcomes = await watched?.cache.obtain(of, asks, within(60_000))
      return { from: outcomes?.map((outcome) => 'from' in outcome && outcome.from), count }
    }
    expect(await countRoundTrips(keyPrefix)).toEqual({ from: ['shared', 'shared', 'shared'], count: 1 })
    expect(await countRoundTrips(keyPrefix)).toEqual({ from: ['memory', 'memory', 'memory'], count: 0 })
    expect(await countRoundTrips(newKeyPrefix())).toEqual({ from: ['provider', 'provider', 'provider'], count: 4 })
  })
})
