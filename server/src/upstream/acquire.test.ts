import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeadline } from './deadline.ts'
import { type PacePlace, waitForTurn } from './wait-for-turn.ts'

type Verdict = Awaited<ReturnType<PacePlace['ask']>>
const GO: Verdict = { go: true }
const inLine = (waitMs: number): Verdict => ({ go: false, waitMs, isInLine: true })
const outOfReach = (waitMs: number): Verdict => ({ go: false, waitMs, isInLine: false })

/** A pace that gives these verdicts one after another, and remembers what it was asked. */
function scriptedPace(...verdicts: Verdict[]) {
  const diary: (string | number)[] = []
  const place: PacePlace = {
    async ask(maxWaitMs) {
      diary.push(maxWaitMs)
      return verdicts.shift() ?? expect.unreachable('it is not asked again')
    },
    leave: () => void diary.push('leave'),
  }
  return { pace: { join: () => place }, diary, place }
}

describe('waiting for a turn', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const clock = () => Date.now()

  it('who may go goes at once, and holds its place', async () => {
    const { pace, diary, place } = scriptedPace(GO)
    const deadline = createDeadline(2_000)
    expect(await waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })).toBe(place)
    expect(diary).toEqual([1_500])
    deadline.cancel()
  })

  it('who is in the line asks again when it was told to, and not before', async () => {
    const { pace, diary } = scriptedPace(inLine(400), inLine(100), GO)
    const deadline = createDeadline(2_000)
    const turn = waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })
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
    const { pace, diary } = scriptedPace(outOfReach(3_200))
    const deadline = createDeadline(10_000)
    const turn = waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })
    await expect(turn).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 4 })
    expect(diary).toEqual([1_500])
    deadline.cancel()
  })

  it('what is left of the deadline bounds the wait', async () => {
    const { pace, diary } = scriptedPace(outOfReach(700))
    const deadline = createDeadline(600)
    await expect(waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(diary).toEqual([600])
    deadline.cancel()
  })

  it('ends with the deadline: the place is left, and no call goes out after it', async () => {
    const { pace, diary } = scriptedPace(inLine(1_000))
    const turn = waitForTurn({ pace, deadline: createDeadline(300), maxWaitMs: 1_500, clock })
    const refusal = expect(turn).rejects.toMatchObject({ kind: 'busy' })
    await vi.advanceTimersByTimeAsync(301)
    await refusal
    expect(diary).toEqual([300, 'leave'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a turn that comes when the time is up is left unused', async () => {
    const { pace, diary } = scriptedPace(GO)
    const deadline = createDeadline(300)
    deadline.cancel()
    await expect(waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(diary).toEqual([0, 'leave'])
  })
})
