import { describe, expect, it } from 'vitest'
import { usedMemory } from '../../test/support/used-memory.ts'
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

  it('forgets subjects that have nothing left in any window, and keeps within bounds under a flood of strangers', async () => {
    const { rateLimiter } = await openTrial()
    now = NOON
    const strict = { ...limits, sustained: { count: 100, windowMs: 1_000 } }
    const before = await usedMemory()
    for (let i = 0; i < 130_000; i++) {
      rateLimiter.note({ subject: `address:${i}`, limits: strict, counts: false }, now)
      if (i % 1_000 === 0) now += 30_000
    }
    expect((await usedMemory()) - before).toBeLessThan(150_000_000)
  })

  it('a flood of strangers does not make it forget what a key has used', async () => {
    const { rateLimiter } = await openTrial()
    now = NOON
    const one = { ...limits, burst: { count: 1, windowMs: 60_000 } }
    await rateLimiter.consume({ subject: '1', limits: one, counts: true })
    for (let i = 0; i < 100_001; i++)
      rateLimiter.note({ subject: `site search network ${i}`, limits, counts: false }, now)
    expect((await rateLimiter.consume({ subject: '1', limits: one, counts: true })).refusedBy).toBe('burst')
  })
})
