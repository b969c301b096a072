// Several nodes on one private Redis.
import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import type { RedisClient } from '../redis/redis-client.ts'
import { aProvider, failing, newBase, saying, slowed, useNodes, within } from './response-cache.test-harness.ts'

const { nodes, admin } = useNodes()

describe('many nodes', () => {
  it('make one call per engine for 3,000 concurrent identical searches', async () => {
    const group = await nodes(3)
    const one = aProvider(() => sleep(100))
    const other = aProvider(() => sleep(10))
    const base = newBase()
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, () => group)
        .flat()
        .map(({ cache }) =>
          cache.obtain(base, [one.ask(), other.ask({ slug: 'other', cacheIn: 'memory' })], within(5_000)),
        ),
    )
    expect(one.calls).toHaveLength(1)
    expect(other.calls).toHaveLength(1)
    expect(new Set(outcomes.map((both) => both.map(saying).join()))).toEqual(new Set(['call-1,call-1']))
    for (const { cache } of group) expect(cache.fromMemory(base, ['openverse', 'other'])).toBeDefined()
  })

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

  it('refresh a response past its soft life by one call, in the background', async () => {
    const group = await nodes(3)
    const { ask, calls } = aProvider((call) => (call === 1 ? Promise.resolve() : sleep(1_000)))
    const base = newBase()
    const terms = { cacheSeconds: 4 }
    // The third node first reads the response when it is past its soft life.
    for (const { cache } of group.slice(0, 2)) await cache.obtain(base, [ask(terms)], within(1_000))
    await sleep(2_100)
    const waits: number[] = []
    for (let round = 0; round < 20; round += 1) {
      for (const { cache } of group) {
        const started = performance.now()
        expect(saying((await cache.obtain(base, [ask(terms)], within(1_000)))[0])).toBe('call-1')
        waits.push(performance.now() - started)
      }
    }
    expect(Math.max(...waits)).toBeLessThan(800)
    await sleep(1_500)
    for (const { cache } of group) expect(cache.fromMemory(base, ['openverse'])?.[0]?.hits[0]?.title).toBe('call-2')
    expect(calls).toHaveLength(2)
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

  it('share a failure, so that not every node tries', async () => {
    const group = await nodes(3)
    const { ask, calls } = aProvider(async () => {
      await sleep(100)
      throw new UpstreamError('throttled', 'as the test wants it', { retryAfterSeconds: 7 })
    })
    const base = newBase()
    const outcomes = await Promise.all(group.map(({ cache }) => cache.obtain(base, [ask()], within(2_000))))
    expect(outcomes.flat().map(saying)).toEqual(['throttled', 'throttled', 'throttled'])
    for (const [outcome] of outcomes) expect(outcome).toMatchObject({ error: { retryAfterSeconds: 7 } })
    expect(calls.length).toBe(1)
  })

  it('let the next node try when one declines to make the call', async () => {
    const [first, second] = await nodes(2)
    const busy = aProvider(async () => {
      await sleep(100)
      failing('busy')
    })
    const free = aProvider()
    const base = newBase()
    const refused = first?.cache.obtain(base, [busy.ask()], within(1_000))
    await sleep(50)
    expect((await second?.cache.obtain(base, [free.ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    expect((await refused)?.map(saying)).toEqual(['busy'])
  })
})

describe('a node that holds the lease', () => {
  it('keeps it as long as its provider takes', async () => {
    const [first, second] = await nodes(2)
    const slow = aProvider(() => sleep(2_500))
    const never = aProvider()
    const base = newBase()
    const leading = first?.cache.obtain(base, [slow.ask()], within(4_000))
    await sleep(50)
    expect((await second?.cache.obtain(base, [never.ask()], within(4_000)))?.map(saying)).toEqual(['call-1'])
    await leading
    expect(never.calls).toHaveLength(0)
  })

  it('releases it when its own time is up', async () => {
    const [late] = await nodes(1, slowed)
    const [other] = await nodes(1)
    const { ask, calls } = aProvider()
    const base = newBase()
    expect((await late?.cache.obtain(base, [ask()], within(100)))?.map(saying)).toEqual(['timeout'])
    await sleep(200)
    const started = performance.now()
    expect((await other?.cache.obtain(base, [ask()], within(3_000)))?.map(saying)).toEqual(['call-1'])
    expect(performance.now() - started).toBeLessThan(1_500)
    expect(calls.length).toBe(1)
  })

  it('releases it when it can wait no longer for its provider: the others call with the time they have', async () => {
    const [hasty, patient] = await nodes(2)
    const hanging = aProvider(() => new Promise(() => undefined))
    const working = aProvider()
    const base = newBase()
    const given = hasty?.cache.obtain(base, [hanging.ask()], within(300))
    await sleep(100)
    const started = performance.now()
    expect((await patient?.cache.obtain(base, [working.ask()], within(3_000)))?.map(saying)).toEqual(['call-1'])
    expect(performance.now() - started).toBeLessThan(1_000)
    expect((await given)?.map(saying)).toEqual(['timeout'])
  })

  it('and is killed delays the others by less than two seconds', async () => {
    const [victim, ...others] = await nodes(3)
    const hanging = aProvider(() => new Promise(() => undefined))
    const working = aProvider(() => sleep(20))
    const base = newBase()
    const lost = victim?.cache.obtain(base, [hanging.ask()], within(2_500))
    await sleep(700)
    await victim?.redis.close()
    const started = performance.now()
    const outcomes = await Promise.all(others.map(({ cache }) => cache.obtain(base, [working.ask()], within(5_000))))
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(outcomes.flat().map(saying)).toEqual(['call-1', 'call-1'])
    expect(working.calls.length).toBe(1)
    expect((await lost)?.map(saying)).toEqual(['timeout'])
  })
})

describe('round trips to Redis', () => {
  const counted: string[] = []
  /** Only the first command of a search gets a reply. */
  const watch = (redis: RedisClient): RedisClient => ({
    ...redis,
    evaluate(script, keys, values) {
      counted.push('evaluate')
      const running = redis.evaluate(script, keys, values)
      return counted.length === 1 ? running : new Promise(() => undefined)
    },
  })

  it('are none for responses in memory, one for responses in Redis or uncached', async () => {
    const [filling] = await nodes(1)
    const [watched] = await nodes(1, watch)
    const { ask } = aProvider()
    const base = newBase()
    const asks = ['one', 'two', 'three'].map((slug) => ask({ slug }))
    await filling?.cache.obtain(base, asks, within(1_000))
    await sleep(50)

    counted.length = 0
    const shared = await watched?.cache.obtain(base, asks, within(1_000))
    expect(shared?.map((outcome) => 'from' in outcome && outcome.from)).toEqual(['shared', 'shared', 'shared'])
    expect(counted.length).toBe(1)

    counted.length = 0
    await watched?.cache.obtain(base, asks, within(1_000))
    expect(counted.length).toBe(0)

    counted.length = 0
    const asked = await watched?.cache.obtain(newBase(), asks, within(1_000))
    expect(asked?.map((outcome) => 'from' in outcome && outcome.from)).toEqual(['provider', 'provider', 'provider'])
    expect(counted.length).toBe(4)
  })
})
