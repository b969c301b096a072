import { describe, expect, it } from 'vitest'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { NOON, rateLimiterRules } from './rate-limiter-rules.test-rules.ts'
import { userLimitsRules } from './user-limits-rules.test-rules.ts'

let now = NOON
let used = 0
const openTrial = async () => ({
  rateLimiter: createMemoryRateLimiter({
    clock: () => now,
    loadMonthUsage: async () => ({ used, validMs: 600_000 }),
  }),
  setTime(ms: number) {
    now = ms
  },
  setMonthUsage(value: number) {
    used = value
  },
  close: async () => undefined,
})

rateLimiterRules('the rate limiter in memory', openTrial, 100)
userLimitsRules('the rate limiter in memory', openTrial)

describe('the rate limiter in memory', () => {
  const limits = {
    burst: { count: 5, windowMs: 60_000 },
    sustained: { count: 100, windowMs: 86_400_000 },
    monthlyCap: undefined,
  }

  it('an admission noted from elsewhere uses the limits up', async () => {
    const { rateLimiter } = await openTrial()
    now = NOON
    const request = { subject: '1', limits, counts: true }
    for (let i = 0; i < 5; i++) rateLimiter.note(request, NOON)
    expect((await rateLimiter.consume(request)).refusedBy).toBe('burst')
  })

  it('many requests that wait for the same monthly usage get no more than the cap', async () => {
    now = NOON
    const loading = Promise.withResolvers<{ used: number; validMs: number }>()
    const rateLimiter = createMemoryRateLimiter({
      clock: () => now,
      loadMonthUsage: () => loading.promise,
    })
    const capped = { ...limits, burst: { count: 50, windowMs: 60_000 }, monthlyCap: 3 }
    const spends = Array.from({ length: 20 }, () => rateLimiter.consume({ subject: '1', limits: capped, counts: true }))
    loading.resolve({ used: 0, validMs: 600_000 })
    expect((await Promise.all(spends)).filter(({ refusedBy }) => !refusedBy)).toHaveLength(3)
  })

  it.each([
    ['knows a subject until a minute after its windows are empty', 119_000, 99],
    ['forgets a subject a minute after its windows are empty', 121_000, 100],
  ])('%s', async (_, ms, remaining) => {
    const { rateLimiter } = await openTrial()
    const short = { ...limits, sustained: { count: 100, windowMs: 1_000 } }
    rateLimiter.note({ subject: 'address:1', limits: short, counts: false }, NOON)
    now = NOON + ms
    rateLimiter.note({ subject: 'address:2', limits: short, counts: false }, now)
    // A longer window counts the admission of noon if it is still known.
    expect((await rateLimiter.peek({ subject: 'address:1', limits })).sustained.remaining).toBe(remaining)
  })

  it('a flood of strangers evicts the first of them, and does not make it forget what a key has used', async () => {
    const { rateLimiter } = await openTrial()
    now = NOON
    const one = { ...limits, burst: { count: 1, windowMs: 60_000 } }
    await rateLimiter.consume({ subject: '1', limits: one, counts: true })
    for (let i = 0; i < 100_001; i++)
      rateLimiter.note({ subject: `site search network ${i}`, limits, counts: false }, now)
    const remainingOf = async (id: number) =>
      (await rateLimiter.peek({ subject: `site search network ${id}`, limits })).burst.remaining
    expect(await remainingOf(0)).toBe(5)
    expect(await remainingOf(1)).toBe(4)
    expect((await rateLimiter.consume({ subject: '1', limits: one, counts: true })).refusedBy).toBe('burst')
  })
})
