// Several nodes on one Redis of their own.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { UpstreamError } from '../errors.ts'
import type { RedisLink } from '../state/redis-link.ts'
import { aPage, aProvider, failing, newBase, openNode, saying, type TestNode, within } from './page-cache.test-stage.ts'

let redis: PrivateRedis
const open: TestNode[] = []

async function nodes(count: number, watch?: (link: RedisLink) => RedisLink): Promise<TestNode[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openNode(redis.url, watch)))
  open.push(...opened)
  return opened
}

beforeAll(async () => {
  redis = await startPrivateRedis()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ link }) => link.close()))
})
afterAll(() => redis.stop())

describe('many nodes', () => {
  it('make one call an engine for 3,000 identical searches at once', async () => {
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
    expect(one.calls).toEqual(['search'])
    expect(other.calls).toEqual(['search'])
    expect(new Set(outcomes.map((both) => both.map(saying).join()))).toEqual(new Set(['call-1,call-1']))
    for (const { cache } of group) expect(cache.fromMemory(base, ['openverse', 'other'])).toBeDefined()
  })

  it('share a page as long as it lives, and know its age', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    await first?.cache.obtain(base, [ask()], within(1_000))
    await sleep(300)
    const outcomes = await second?.cache.obtain(base, [ask()], within(1_000))
    expect(outcomes).toMatchObject([{ from: 'shared', isStale: false }])
    const [outcome] = outcomes ?? []
    const ageMs = outcome && 'page' in outcome ? outcome.ageMs : 0
    expect(ageMs).toBeGreaterThanOrEqual(290)
    expect(ageMs).toBeLessThan(1_000)
    expect(calls.length).toBe(1)
  })

  it('refresh a page past its soft life by one call, and nobody waits for it', async () => {
    const group = await nodes(3)
    const { ask, calls } = aProvider((call) => (call === 1 ? Promise.resolve() : sleep(400)))
    const base = newBase()
    const terms = { cacheSeconds: 4 }
    // The third node learns of the page only when it is past its soft life.
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
    expect(Math.max(...waits)).toBeLessThan(200)
    await sleep(700)
    for (const { cache } of group) expect(cache.fromMemory(base, ['openverse'])?.[0]?.hits[0]?.title).toBe('call-2')
    expect(calls).toEqual(['search', 'refresh'])
  })

  it('know nothing of a page after its hard life', async () => {
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

  it('hand over a page that must stay in memory for ten seconds and no longer', async () => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    const terms = { cacheSeconds: 300, cacheIn: 'memory' } as const
    await first?.cache.obtain(base, [ask(terms)], within(1_000))
    await sleep(50)
    const left = await first?.link.client.pttl(`bb:page:{${base}}:openverse`)
    expect(left).toBeGreaterThan(9_000)
    expect(left).toBeLessThanOrEqual(10_000)
    expect(await second?.cache.obtain(base, [ask(terms)], within(1_000))).toMatchObject([{ from: 'shared' }])
    await first?.link.client.pexpire(`bb:page:{${base}}:openverse`, 1)
    await sleep(10)
    for (const node of [first, second]) expect(node?.cache.fromMemory(base, ['openverse'])).toBeDefined()
    expect(calls.length).toBe(1)
  })

  it('tell each other of a failure, so that not everybody tries', async () => {
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

  it('let the next node try when one would not ask at all', async () => {
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
    expect(never.calls).toEqual([])
  })

  it('and is killed delays the others by less than two seconds', async () => {
    const [victim, ...others] = await nodes(3)
    const hanging = aProvider(() => new Promise(() => undefined))
    const working = aProvider(() => sleep(20))
    const base = newBase()
    const lost = victim?.cache.obtain(base, [hanging.ask()], within(2_500))
    await sleep(700)
    victim?.link.client.disconnect()
    const started = performance.now()
    const outcomes = await Promise.all(others.map(({ cache }) => cache.obtain(base, [working.ask()], within(5_000))))
    expect(performance.now() - started).toBeLessThan(1_500)
    expect(outcomes.flat().map(saying)).toEqual(['call-1', 'call-1'])
    expect(working.calls.length).toBe(1)
    expect((await lost)?.map(saying)).toEqual(['timeout'])
  })
})

describe('waits for Redis', () => {
  const counted: string[] = []
  /** Everything but the first command of a search never comes back. */
  const watch = (link: RedisLink): RedisLink => ({
    ...link,
    attempt(commands) {
      counted.push('attempt')
      const running = link.attempt(commands)
      return counted.length === 1 ? running : new Promise(() => undefined)
    },
  })

  it('are none for pages in memory, one for pages in Redis or nowhere', async () => {
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

describe('Redis', () => {
  it.each([
    ['no page', 'garbage'],
    ['a cut-off page', '60000 {"hits":['],
    ['another shape', '60000 {"hits":[{"title":1}],"correction":""}'],
    ['a page older than may be', `999999 ${JSON.stringify(aPage('old'))}`],
    ['null', '60000 null'],
  ])('with garbage in it (%s) is as good as empty, and heals', async (_, value) => {
    const [first, second] = await nodes(2)
    const { ask, calls } = aProvider()
    const base = newBase()
    await first?.link.client.set(`bb:page:{${base}}:openverse`, value, 'PX', 59_000)
    expect((await first?.cache.obtain(base, [ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    await sleep(50)
    expect((await second?.cache.obtain(base, [ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    expect(calls.length).toBe(1)
  })

  it('with a key of another type, or a lease without end, stops nobody', async () => {
    const [node] = await nodes(1)
    const { ask } = aProvider()
    const [listed, leased] = [newBase(), newBase()]
    await node?.link.client.rpush(`bb:page:{${listed}}:openverse`, 'a')
    await node?.link.client.set(`bb:page:{${leased}}:openverse:lease`, 'somebody')
    expect((await node?.cache.obtain(listed, [ask()], within(1_000)))?.map(saying)).toEqual(['call-1'])
    expect((await node?.cache.obtain(leased, [ask()], within(1_000)))?.map(saying)).toEqual(['call-2'])
  })

  it('that dies in the middle costs a call, not an answer; when it is back, pages are shared again', async () => {
    const group = await nodes(2)
    const [first, second] = group
    const { ask, calls } = aProvider(() => sleep(300))
    const base = newBase()
    const both = Promise.all(group.map(({ cache }) => cache.obtain(base, [ask()], within(3_000))))
    await sleep(100)
    expect(calls.length).toBe(1)
    await redis.stop()
    expect((await both).flat().map(saying).sort()).toEqual(['call-1', 'call-2'])
    expect((await first?.cache.obtain(newBase(), [ask()], within(3_000)))?.map(saying)).toEqual(['call-3'])

    await redis.start()
    await expect.poll(() => first?.link.isAway() || second?.link.isAway(), { timeout: 5_000 }).toBe(false)
    const next = newBase()
    await first?.cache.obtain(next, [ask()], within(3_000))
    await sleep(50)
    expect(await second?.cache.obtain(next, [ask()], within(3_000))).toMatchObject([{ from: 'shared' }])
    expect(calls.length).toBe(4)
  })

  it('that is frozen delays a search by half a second at most', async () => {
    const [node] = await nodes(1)
    const { ask } = aProvider()
    redis.freeze()
    try {
      const started = performance.now()
      expect((await node?.cache.obtain(newBase(), [ask()], within(2_000)))?.map(saying)).toEqual(['call-1'])
      expect(performance.now() - started).toBeLessThan(900)
    } finally {
      redis.thaw()
    }
  })
})
