import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryRateLimiter } from '../rate-limit/memory-rate-limiter.ts'
import { createUpstreamRateLimits } from './upstream-rate-limit.ts'

const DAY_MS = 86_400_000

// Windows have slices of the clock: what is left of one depends on when a test begins.
beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 18, 12) }))
afterEach(() => void vi.useRealTimers())

/** A provider's limits, and what has become of each call: when it could be made, or why not. */
function openLimit(rates: Parameters<ReturnType<typeof createUpstreamRateLimits>>[1]) {
  const loadMonthUsage = () => expect.unreachable('there is no cap')
  const rateLimiter = createMemoryRateLimiter({ clock: Date.now, loadMonthUsage })
  const limit = createUpstreamRateLimits({ rateLimiter, clock: Date.now })('fern', rates)
  const start = Date.now()
  const outcomes: (number | string)[] = []
  const call = async ({ maxWaitMs = 0, deadline = createDeadline(60_000) } = {}) => {
    try {
      await limit?.acquire(deadline, maxWaitMs)
      outcomes.push(Date.now() - start)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      outcomes.push(`${error.kind} ${error.retryAfterSeconds}`)
    } finally {
      deadline.cancel()
    }
  }
  return { limit, call, outcomes }
}

const times = (count: number, make: () => Promise<void>) => Promise.all(Array.from({ length: count }, make))

describe('a provider’s rate limit', () => {
  it('three in a second: never more start within a second and a margin', async () => {
    const { call, outcomes } = openLimit({ rate: { calls: 3, perSeconds: 1 } })
    const calling = times(10, () => call({ maxWaitMs: 10_000 }))
    await vi.advanceTimersByTimeAsync(10_000)
    await calling
    const starts = outcomes.map(Number)
    expect(starts).toHaveLength(10)
    for (const start of starts)
      expect(starts.filter((at) => at >= start && at < start + 1_250).length).toBeLessThanOrEqual(3)
    expect(Math.max(...starts)).toBeLessThan(4_000)
  })

  it('a call that would wait too long is refused immediately, with Retry-After, and those that wait count', async () => {
    const { call, outcomes } = openLimit({ rate: { calls: 1, perSeconds: 1 } })
    await call()
    await call({ maxWaitMs: 1_000 })
    expect(outcomes).toEqual([0, 'busy 2'])
    const waiting = call({ maxWaitMs: 2_000 })
    await vi.advanceTimersByTimeAsync(0)
    await call({ maxWaitMs: 2_000 })
    expect(outcomes).toEqual([0, 'busy 2', 'busy 3'])
    await vi.advanceTimersByTimeAsync(2_000)
    await waiting
    expect(outcomes.slice(3)).toEqual([1_251])
  })

  it('the rest of the deadline bounds the wait', async () => {
    const { call, outcomes } = openLimit({ rate: { calls: 1, perSeconds: 1 } })
    await call()
    await call({ maxWaitMs: 60_000, deadline: createDeadline(600) })
    expect(outcomes).toEqual([0, 'busy 2'])
  })

  it('a wait ends with the deadline, and uses up nothing', async () => {
    const { call, outcomes } = openLimit({ rate: { calls: 1, perSeconds: 1 } })
    await call()
    const deadline = createDeadline(60_000)
    const waiting = call({ maxWaitMs: 5_000, deadline })
    await vi.advanceTimersByTimeAsync(500)
    deadline.cancel()
    await vi.advanceTimersByTimeAsync(1_000)
    await waiting
    expect(outcomes).toEqual([0, 'busy 1'])
    await call()
    expect(outcomes.slice(2)).toEqual([1_500])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a rate limit and a daily quota', () => {
  it('both hold: two in a second, five in a day, and the sixth gets a Retry-After of a day', async () => {
    const { limit, call, outcomes } = openLimit({ rate: { calls: 2, perSeconds: 1 }, dailyCalls: 5 })
    for (let second = 0; second < 3; second++) {
      expect(await limit?.peekQuota()).toBe(0)
      await times(3, call)
      await vi.advanceTimersByTimeAsync(2_000)
    }
    expect(outcomes.slice(0, 6)).toEqual([0, 0, 'busy 2', 2_000, 2_000, 'busy 2'])
    expect(outcomes.slice(6)).toEqual([
      4_000,
      expect.stringMatching(/^overBudget 86[34]\d\d$/),
      expect.stringMatching(/^over/),
    ])
    expect(await limit?.peekQuota()).toBeGreaterThan(DAY_MS - 60_000)
    await vi.advanceTimersByTimeAsync(DAY_MS + 120_000)
    expect(await limit?.peekQuota()).toBe(0)
  })

  it('a quota alone is never waited for', async () => {
    const { call, outcomes } = openLimit({ rate: undefined, dailyCalls: 1 })
    await call()
    await call({ maxWaitMs: 2 * DAY_MS, deadline: createDeadline(2 * DAY_MS) })
    expect(outcomes).toEqual([0, expect.stringMatching(/^overBudget /)])
  })

  it('without either there is no limit', () => {
    expect(openLimit({ rate: undefined }).limit).toBeUndefined()
  })
})
