import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { acquire } from './resilience.ts'
import type { Permit } from './upstream-rate-limit.ts'

type Verdict = Awaited<ReturnType<Permit['tryAcquire']>>
const GO: Verdict = { go: true }
const queued = (waitMs: number): Verdict => ({ go: false, waitMs, isQueued: true })
const outOfReach = (waitMs: number): Verdict => ({ go: false, waitMs, isQueued: false })

/** A rate limit that returns these verdicts one after another, and records its calls. */
function scriptedRateLimit(...verdicts: Verdict[]) {
  const diary: (string | number)[] = []
  const permit: Permit = {
    async tryAcquire(maxWaitMs) {
      diary.push(maxWaitMs)
      return verdicts.shift() ?? expect.unreachable('it is not asked again')
    },
    release: () => void diary.push('leave'),
  }
  return { rateLimit: { createPermit: () => permit }, diary, permit }
}

describe('waiting for a permit', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const clock = () => Date.now()

  it('an admitted call starts immediately, and holds its permit', async () => {
    const { rateLimit, diary, permit } = scriptedRateLimit(GO)
    const deadline = createDeadline(2_000)
    expect(await acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).toBe(permit)
    expect(diary).toEqual([1_500])
    deadline.cancel()
  })

  it('a queued call tries again after the given wait, and not before', async () => {
    const { rateLimit, diary } = scriptedRateLimit(queued(400), queued(100), GO)
    const deadline = createDeadline(2_000)
    const acquiring = acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })
    await vi.advanceTimersByTimeAsync(399)
    expect(diary).toEqual([1_500])
    await vi.advanceTimersByTimeAsync(2)
    expect(diary).toEqual([1_500, 1_099])
    await vi.advanceTimersByTimeAsync(101)
    await acquiring
    expect(diary).toEqual([1_500, 1_099, 998])
    deadline.cancel()
  })

  it('a permit that is out of reach: busy immediately, with Retry-After', async () => {
    const { rateLimit, diary } = scriptedRateLimit(outOfReach(3_200))
    const deadline = createDeadline(10_000)
    const acquiring = acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })
    await expect(acquiring).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 4 })
    expect(diary).toEqual([1_500])
    deadline.cancel()
  })

  it('the rest of the deadline bounds the wait', async () => {
    const { rateLimit, diary } = scriptedRateLimit(outOfReach(700))
    const deadline = createDeadline(600)
    await expect(acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(diary).toEqual([600])
    deadline.cancel()
  })

  it('ends with the deadline: the permit is released, and no call is made', async () => {
    const { rateLimit, diary } = scriptedRateLimit(queued(1_000))
    const acquiring = acquire({ rateLimit, deadline: createDeadline(300), maxWaitMs: 1_500, clock })
    const refusal = expect(acquiring).rejects.toMatchObject({ kind: 'busy' })
    await vi.advanceTimersByTimeAsync(301)
    await refusal
    expect(diary).toEqual([300, 'leave'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a permit that arrives when the time is up is released unused', async () => {
    const { rateLimit, diary } = scriptedRateLimit(GO)
    const deadline = createDeadline(300)
    deadline.cancel()
    await expect(acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(diary).toEqual([0, 'leave'])
  })

  it('a call beyond the quota of the day is refused as such, with Retry-After', async () => {
    const { rateLimit } = scriptedRateLimit({ go: false, waitMs: 7_200_000, isQueued: false, isQuotaUsedUp: true })
    const deadline = createDeadline(2_000)
    await expect(acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({
      kind: 'overBudget',
      retryAfterSeconds: 7_200,
    })
    deadline.cancel()
  })
})
