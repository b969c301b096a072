import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { acquire } from './resilience.ts'
import type { Permit } from './upstream-rate-limit.ts'

type Verdict = Awaited<ReturnType<Permit['tryAcquire']>>
const GO: Verdict = { go: true }
const queued = (waitMs: number): Verdict => ({ go: false, waitMs, isQueued: true })
const outOfReach = (waitMs: number): Verdict => ({ go: false, waitMs, isQueued: false })

/** A rate limit that gives these verdicts one after another, and remembers what it was asked. */
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

describe('waiting for a turn', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const clock = () => Date.now()

  it('who may go goes at once, and holds its place', async () => {
    const { rateLimit, diary, permit } = scriptedRateLimit(GO)
    const deadline = createDeadline(2_000)
    expect(await acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).toBe(permit)
    expect(diary).toEqual([1_500])
    deadline.cancel()
  })

  it('who is in the line asks again when it was told to, and not before', async () => {
    const { rateLimit, diary } = scriptedRateLimit(queued(400), queued(100), GO)
    const deadline = createDeadline(2_000)
    const turn = acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })
    await vi.advanceTimersByTimeAsync(399)
    expect(diary).toEqual([1_500])
    await vi.advanceTimersByTimeAsync(2)
    expect(diary).toEqual([1_500, 1_099])
    await vi.advanceTimersByTimeAsync(101)
    await turn
    expect(diary).toEqual([1_500, 1_099, 998])
    deadline.cancel()
  })

  it('a turn that is out of reach: busy at once, and when to come again', async () => {
    const { rateLimit, diary } = scriptedRateLimit(outOfReach(3_200))
    const deadline = createDeadline(10_000)
    const turn = acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })
    await expect(turn).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 4 })
    expect(diary).toEqual([1_500])
    deadline.cancel()
  })

  it('what is left of the deadline bounds the wait', async () => {
    const { rateLimit, diary } = scriptedRateLimit(outOfReach(700))
    const deadline = createDeadline(600)
    await expect(acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(diary).toEqual([600])
    deadline.cancel()
  })

  it('ends with the deadline: the permit is left, and no call goes out after it', async () => {
    const { rateLimit, diary } = scriptedRateLimit(queued(1_000))
    const turn = acquire({ rateLimit, deadline: createDeadline(300), maxWaitMs: 1_500, clock })
    const refusal = expect(turn).rejects.toMatchObject({ kind: 'busy' })
    await vi.advanceTimersByTimeAsync(301)
    await refusal
    expect(diary).toEqual([300, 'leave'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a turn that comes when the time is up is left unused', async () => {
    const { rateLimit, diary } = scriptedRateLimit(GO)
    const deadline = createDeadline(300)
    deadline.cancel()
    await expect(acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(diary).toEqual([0, 'leave'])
  })

  it('who finds the calls of the day used up is told so, and when to come back', async () => {
    const { rateLimit } = scriptedRateLimit({ go: false, waitMs: 7_200_000, isQueued: false, isSpent: true })
    const deadline = createDeadline(2_000)
    await expect(acquire({ rateLimit, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({
      kind: 'overBudget',
      retryAfterSeconds: 7_200,
    })
    deadline.cancel()
  })
})
