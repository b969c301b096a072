// Several nodes on one private Redis.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RedisClient } from '../redis/redis-client.ts'
import { aProvider, newBase, saying, useNodes, within } from './response-cache.test-harness.ts'

const { nodes, admin } = useNodes()

describe('a node', () => {
  it('makes one call per engine for 3,000 concurrent identical searches, and the others find the responses', async () => {
    const [node, later] = await nodes(2)
    const one = aProvider(() => sleep(100))
    const other = aProvider(() => sleep(10))
    const base = newBase()
    const asks = [one.ask(), other.ask({ slug: 'other', cacheIn: 'memory' })]
    const outcomes = await Promise.all(
      Array.from({ length: 3_000 }, async () => await node?.cache.obtain(base, asks, within(5_000))),
    )
    expect(new Set(outcomes.map((both) => both?.map(saying).join()))).toEqual(new Set(['call-1,call-1']))
    expect((await later?.cache.obtain(base, asks, within(5_000)))?.map(saying)).toEqual(['call-1', 'call-1'])
    expect(one.calls).toHaveLength(1)
    expect(other.calls).toHaveLength(1)
  })

  it('makes its own call while another makes the same, and does not wait for it', async () => {
    const [first, second] = await nodes(2)
    const hanging = aProvider(() => new Promise(() => undefined))
    const working = aProvider()
    const base = newBase()
    const lost = first?.cache.obtain(base, [hanging.ask()], within(1_000))
    await expect.poll(() => hanging.calls.length).toBe(1)
    expect((await second?.cache.obtain(base, [working.ask()], within(5_000)))?.map(saying)).toEqual(['call-1'])
    expect((await lost)?.map(saying)).toEqual(['timeout'])
  })
})

describe('many nodes', () => {
  it('share a response as long as it lives, with its age', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    await first?.cache.obtain(base, [ask()], within(1_000))
    await sleep(300)
    const outcomes = await second?.cache.obtain(base, [ask()], within(1_000))
    expect(outcomes).toMatchObject([{ from: 'shared', isStale: false }])
    const [outcome] = outcomes ?? []
    const ageMs = outcome && 'response' in outcome ? outcome.ageMs : 0
    expect(ageMs).toBeGreaterThanOrEqual(290)
    expect(ageMs).toBeLessThan(1_000)
    expect(calls.length).toBe(1)
  })

  it('refresh a response past its soft life in the background, once each at most', async () => {
    const group = await nodes(3)
    const { ask, calls } = aProvider((call) => (call === 1 ? Promise.resolve() : sleep(1_000)))
    const base = newBase()
    const terms = { cacheSeconds: 4 }
    // The third node first reads the response when it is past its soft life.
    for (const { cache } of group.slice(0, 2)) await cache.obtain(base, [ask(terms)], within(1_000))
    await sleep(2_100)
    for (let round = 0; round < 20; round += 1)
      for (const { cache } of group)
        expect(saying((await cache.obtain(base, [ask(terms)], within(1_000)))[0])).toBe('call-1')
    await sleep(1_500)
    for (const { cache } of group) expect(cache.fromMemory(base, ['openverse'])?.[0]?.hits[0]?.title).not.toBe('call-1')
    expect(calls.length).toBeLessThanOrEqual(1 + group.length)
  })

  it('also refresh a response that none of them has in memory any more', async () => {
    const [first, second, third] = await nodes(3)
    const { ask, calls } = aProvider()
    const base = newBase()
    const terms = { cacheSeconds: 2 }
    await first?.cache.obtain(base, [ask(terms)], within(1_000))
    await sleep(1_100)
    expect(await second?.cache.obtain(base, [ask(terms)], within(1_000))).toMatchObject([{ from: 'shared' }])
    await sleep(50)
    expect(calls).toHaveLength(2)
    expect((await third?.cache.obtain(base, [ask(terms)], within(1_000)))?.map(saying)).toEqual(['call-2'])
  })

  it('no longer have a response after its hard life', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    await first?.cache.obtain(base, [ask({ cacheSeconds: 1 })], within(1_000))
    await sleep(1_100)
    expect(await second?.cache.obtain(base, [ask({ cacheSeconds: 1 })], within(1_000))).toMatchObject([
      { from: 'provider' },
    ])
    expect(calls.length).toBe(2)
  })

  it('share a response that must stay in memory for ten seconds and no longer', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    const terms = { cacheSeconds: 300, cacheIn: 'memory' } as const
    await first?.cache.obtain(base, [ask(terms)], within(1_000))
    await sleep(50)
    const left = await admin().pttl(`bb:response:{${base}}:openverse`)
    expect(left).toBeGreaterThan(9_000)
    expect(left).toBeLessThanOrEqual(10_000)
    expect(await second?.cache.obtain(base, [ask(terms)], within(1_000))).toMatchObject([{ from: 'shared' }])
    await admin().pexpire(`bb:response:{${base}}:openverse`, 1)
    await sleep(10)
    for (const node of [first, second]) expect(node?.cache.fromMemory(base, ['openverse'])).toBeDefined()
    expect(calls.length).toBe(1)
  })
})

describe('round trips to Redis', () => {
  let counted = 0
  /** Only the first command of a search gets a reply. */
  const replyOnce = <Reply>(reply: Promise<Reply>): Promise<Reply> => {
    counted += 1
    return counted === 1 ? reply : new Promise(() => undefined)
  }
  const watch = (redis: RedisClient): RedisClient => ({
    ...redis,
    evaluate: (...command) => replyOnce(redis.evaluate(...command)),
    send: (...command) => replyOnce(redis.send(...command)),
  })

  it('are none for responses in memory, one for responses in Redis or uncached', async () => {
    const [filling] = await nodes(1)
    const [watched] = await nodes(1, watch)
    const { ask } = aProvider()
    const base = newBase()
    const asks = ['one', 'two', 'three'].map((slug) => ask({ slug }))
    await filling?.cache.obtain(base, asks, within(1_000))
    await sleep(50)

    counted = 0
    const shared = await watched?.cache.obtain(base, asks, within(1_000))
    expect(shared?.map((outcome) => 'from' in outcome && outcome.from)).toEqual(['shared', 'shared', 'shared'])
    expect(counted).toBe(1)

    counted = 0
    await watched?.cache.obtain(base, asks, within(1_000))
    expect(counted).toBe(0)

    counted = 0
    const asked = await watched?.cache.obtain(newBase(), asks, within(1_000))
    expect(asked?.map((outcome) => 'from' in outcome && outcome.from)).toEqual(['provider', 'provider', 'provider'])
    expect(counted).toBe(4)
  })
})
