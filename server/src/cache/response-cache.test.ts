// The cache in one process, without Redis and with a simulated clock.
import { describe, expect, it } from 'vitest'
import { pass as passTime, passUntilDone, simulateTime, wait } from '../../../engines/test/simulated-time.ts'
import {
  answers,
  aProvider,
  failing,
  log,
  newKeyPrefix,
  openCache,
  saying,
  within,
} from './response-cache.test-harness.ts'

function open(own: { maxAgeSeconds?: number } = {}) {
  let now = 1_000_000
  const cache = openCache({ shared: undefined, clock: () => now, maxAgeSeconds: 3_600, log, ...own })
  return {
    cache,
    pass: (seconds: number): void => {
      now += seconds * 1_000
    },
  }
}
simulateTime()

const aSecond = () => within(1_000)
/** Flushes all pending microtasks. */
const settle = () => passTime(5)

describe('a response', () => {
  it('is fetched once, then served from memory, the same object each time', async () => {
    const { cache, pass } = open()
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    expect(cache.findInMemory(keyPrefix, 'openverse')).toBeUndefined()
    expect(await cache.obtain(keyPrefix, [ask()], aSecond())).toMatchObject([
      { from: 'provider', isStale: false, ageMs: 0 },
    ])
    pass(29)
    const [again] = await cache.obtain(keyPrefix, [ask()], aSecond())
    expect(again).toMatchObject({ from: 'memory', isStale: false, ageMs: 29_000 })
    expect(cache.findInMemory(keyPrefix, 'openverse')).toBe(again && 'response' in again ? again.response : undefined)
    expect(calls).toHaveLength(1)
  })

  it('belongs to its query and its engine', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    await cache.obtain(keyPrefix, [ask(), ask({ slug: 'commons' })], aSecond())
    expect(calls.length).toBe(2)
    expect(cache.findInMemory(keyPrefix, 'commons')?.hits[0]?.title).toBe('call-2')
    expect(cache.findInMemory(keyPrefix, 'openverse')?.hits[0]?.title).toBe('call-1')
    expect(cache.findInMemory(keyPrefix, 'pixabay')).toBeUndefined()
    expect(cache.findInMemory(newKeyPrefix(), 'openverse')).toBeUndefined()
  })

  it('is served past its soft life while one refresh runs in the background', async () => {
    const { cache, pass } = open()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { ask, calls } = aProvider((call) => (call === 1 ? Promise.resolve() : answered))
    const keyPrefix = newKeyPrefix()
    await cache.obtain(keyPrefix, [ask()], aSecond())
    pass(30)
    expect(cache.findInMemory(keyPrefix, 'openverse')).toBeUndefined()
    for (let i = 0; i < 100; i += 1) {
      const [outcome] = await cache.obtain(keyPrefix, [ask()], aSecond())
      expect(outcome).toMatchObject({ from: 'memory', isStale: false, ageMs: 30_000 })
      expect(saying(outcome)).toBe('call-1')
    }
    expect(calls).toHaveLength(2)
    answer()
    await settle()
    expect(cache.findInMemory(keyPrefix, 'openverse')?.hits[0]?.title).toBe('call-2')
  })

  it('is served stale while its refresh fails, retried once a second, and is gone after its hard life', async () => {
    const { cache, pass } = open()
    const { ask, calls } = aProvider(async (call) => (call > 1 ? failing() : undefined))
    const keyPrefix = newKeyPrefix()
    await cache.obtain(keyPrefix, [ask()], aSecond())
    pass(58)
    expect(await cache.obtain(keyPrefix, [ask()], aSecond())).toMatchObject([{ isStale: false }])
    await settle()
    for (let i = 0; i < 10; i += 1) {
      expect(await cache.obtain(keyPrefix, [ask()], aSecond())).toMatchObject([{ from: 'memory', isStale: true }])
      await settle()
    }
    expect(calls.length).toBe(2)
    pass(1)
    expect(await cache.obtain(keyPrefix, [ask()], aSecond())).toMatchObject([{ from: 'memory', isStale: true }])
    await settle()
    expect(calls.length).toBe(3)
    pass(1)
    expect(await answers(cache, keyPrefix, [ask()])).toEqual(['unreachable'])
  })

  it('lives no longer than the operator allows', async () => {
    const { cache, pass } = open({ maxAgeSeconds: 10 })
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    await cache.obtain(keyPrefix, [ask()], aSecond())
    pass(5)
    expect(cache.findInMemory(keyPrefix, 'openverse')).toBeUndefined()
    pass(5)
    expect(await cache.obtain(keyPrefix, [ask()], aSecond())).toMatchObject([{ from: 'provider' }])
    expect(calls).toHaveLength(2)
  })

  it.each([
    ['the operator', { maxAgeSeconds: 0 }, {}],
    ['its terms', {}, { cacheSeconds: 0 }],
  ])('is not kept when %s forbid it', async (_, own, terms) => {
    const { cache } = open(own)
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    await cache.obtain(keyPrefix, [ask(terms)], aSecond())
    await cache.obtain(keyPrefix, [ask(terms)], aSecond())
    expect(calls.length).toBe(2)
    expect(cache.findInMemory(keyPrefix, 'openverse')).toBeUndefined()
  })
})

describe('concurrent searches', () => {
  it('share one call', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider(() => wait(20))
    const keyPrefix = newKeyPrefix()
    const outcomes = await passUntilDone(
      Promise.all(
        Array.from({ length: 1_000 }, () => cache.obtain(keyPrefix, [ask(), ask({ slug: 'commons' })], aSecond())),
      ),
    )
    expect(calls.length).toBe(2)
    expect(new Set(outcomes.map((both) => both.map(saying).join()))).toEqual(new Set(['call-1,call-2']))
  })

  it('end by their own deadlines, even if the provider never answers', async () => {
    const { cache, pass } = open()
    const { ask, calls } = aProvider((call) => (call === 1 ? new Promise(() => undefined) : Promise.resolve()))
    const keyPrefix = newKeyPrefix()
    const started = performance.now()
    const first = cache.obtain(keyPrefix, [ask()], within(400))
    const [joined] = await passUntilDone(cache.obtain(keyPrefix, [ask()], within(100)))
    expect(saying(joined)).toBe('timeout')
    expect(performance.now() - started).toBeLessThan(300)
    expect(saying((await passUntilDone(first))[0])).toBe('timeout')
    expect(performance.now() - started).toBeLessThan(600)
    expect(calls.length).toBe(1)
    pass(1)
    expect(await answers(cache, keyPrefix, [ask()])).toEqual(['call-2'])
  })

  it('are served from memory even when their time is up, and start no call', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider()
    const keyPrefix = newKeyPrefix()
    await cache.obtain(keyPrefix, [ask()], aSecond())
    const over = aSecond()
    over.cancel()
    const outcomes = await cache.obtain(keyPrefix, [ask(), ask({ slug: 'commons' })], over)
    expect(outcomes.map(saying)).toEqual(['call-1', 'timeout'])
    expect(calls.length).toBe(1)
  })

  it('do not wait for a slow engine of another search', async () => {
    const { cache } = open()
    const slow = aProvider(() => wait(500))
    const fast = aProvider()
    const keyPrefix = newKeyPrefix()
    const both = cache.obtain(keyPrefix, [slow.ask({ slug: 'slow' }), fast.ask()], aSecond())
    const started = performance.now()
    expect(await answers(cache, keyPrefix, [fast.ask()])).toEqual(['call-1'])
    expect(performance.now() - started).toBeLessThan(200)
    expect((await passUntilDone(both)).map(saying)).toEqual(['call-1', 'call-1'])
    expect(fast.calls.length).toBe(1)
  })
})

describe('a search that joins another', () => {
  const hanging = () => new Promise(() => undefined)

  it('extends the call to its own time', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider(() => wait(1_500))
    const keyPrefix = newKeyPrefix()
    const first = cache.obtain(keyPrefix, [ask()], within(1_000))
    await passTime(800)
    const joined = cache.obtain(keyPrefix, [ask()], within(1_000))
    await passTime(200)
    expect(saying((await first)[0])).toBe('timeout')
    expect(calls[0]?.signalled).toBe(false)
    expect(saying((await passUntilDone(joined))[0])).toBe('call-1')
    expect(calls.length).toBe(1)
  })

  it('does not extend a hanging call forever', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider((call) => (call === 1 ? hanging() : Promise.resolve()))
    const keyPrefix = newKeyPrefix()
    const searches = []
    for (let i = 0; i < 8; i += 1) {
      searches.push(cache.obtain(keyPrefix, [ask()], within(1_000)))
      await passTime(300)
    }
    const outcomes = (await passUntilDone(Promise.all(searches))).flat().map(saying)
    expect(outcomes).toEqual([...Array.from({ length: 7 }, () => 'timeout'), 'call-2'])
    expect(calls.length).toBe(2)
  })

  it('stops the call when its own time is up too, and no failure is cached', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider((call) => (call === 1 ? hanging() : Promise.resolve()))
    const keyPrefix = newKeyPrefix()
    const searches = [100, 300, 200].map((ms) => cache.obtain(keyPrefix, [ask()], within(ms)))
    await passTime(250)
    expect(calls[0]?.signalled).toBe(false)
    expect((await passUntilDone(Promise.all(searches))).flat().map(saying)).toEqual(['timeout', 'timeout', 'timeout'])
    expect(calls[0]).toMatchObject({ signalled: true, isCalledOff: false })
    expect(await answers(cache, keyPrefix, [ask()])).toEqual(['call-2'])
  })

  it('shares a refusal to make the call', async () => {
    const { cache } = open()
    const { ask, calls } = aProvider(async () => {
      await wait(10)
      failing('busy')
    })
    const keyPrefix = newKeyPrefix()
    const searches = [100, 1_000].map((ms) => cache.obtain(keyPrefix, [ask()], within(ms)))
    expect((await passUntilDone(Promise.all(searches))).flat().map(saying)).toEqual(['busy', 'busy'])
    expect(calls.length).toBe(1)
  })
})

describe('a failure', () => {
  it.each(['timeout', 'throttled', 'rejected', 'malformed'] as const)(
    '%s is cached for a second, then retried',
    async (kind) => {
      const { cache, pass } = open()
      const { ask, calls } = aProvider(async (call) => (call === 1 ? failing(kind) : undefined))
      const keyPrefix = newKeyPrefix()
      for (let i = 0; i < 10; i += 1) expect(await answers(cache, keyPrefix, [ask()])).toEqual([kind])
      expect(calls.length).toBe(1)
      pass(1.001)
      expect(await answers(cache, keyPrefix, [ask()])).toEqual(['call-2'])
    },
  )

  it.each(['overBudget', 'open', 'busy'] as const)('%s is not cached, because no call was made', async (kind) => {
    const { cache } = open()
    const { ask, calls } = aProvider(async (call) => (call === 1 ? failing(kind) : undefined))
    const keyPrefix = newKeyPrefix()
    expect(await answers(cache, keyPrefix, [ask()])).toEqual([kind])
    expect(await answers(cache, keyPrefix, [ask()])).toEqual(['call-2'])
    expect(calls.length).toBe(2)
  })

  it('of one engine does not affect the others, and a bug in an adapter is a malformed reply', async () => {
    const { cache } = open()
    const good = aProvider()
    const bad = aProvider(() => Promise.reject(new TypeError('a bug')))
    const outcomes = await cache.obtain(newKeyPrefix(), [bad.ask({ slug: 'bad' }), good.ask()], aSecond())
    expect(outcomes.map(saying)).toEqual(['malformed', 'call-1'])
  })
})
