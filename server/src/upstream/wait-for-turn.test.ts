import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeadline } from './deadline.ts'
import { type Pace, waitForTurn } from './wait-for-turn.ts'

/** A pace that gives these turns one after another, each only if it is within reach, and remembers what it was asked. */
function scriptedPace(...waits: number[]) {
  const asked: number[] = []
  const pace: Pace = {
    async reserve(maxWaitMs) {
      asked.push(maxWaitMs)
      const waitMs = waits.shift() ?? expect.unreachable('it is not asked again')
      return waitMs > maxWaitMs
        ? { retryAfterMs: waitMs }
        : { from: Date.now() + waitMs, until: Date.now() + waitMs + 75 }
    },
  }
  return { pace, asked }
}

describe('waiting for a turn', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const clock = () => Date.now()

  it('lasts as long as it was told, and no call goes before', async () => {
    const { pace } = scriptedPace(400)
    const deadline = createDeadline(2_000)
    let isOver = false
    const turn = waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock }).then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(399)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(2)
    expect(isOver).toBe(true)
    await turn
    deadline.cancel()
  })

  it('a turn that is too far away is not taken: busy, and when to come again', async () => {
    const { pace, asked } = scriptedPace(3_200)
    const deadline = createDeadline(10_000)
    const turn = waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })
    await expect(turn).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 4 })
    expect(asked).toEqual([1_500])
    deadline.cancel()
  })

  it('what is left of the deadline bounds the wait', async () => {
    const { pace, asked } = scriptedPace(700)
    const deadline = Object.assign(createDeadline(600), { remainingMs: () => 600 })
    await expect(waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })).rejects.toMatchObject({ kind: 'busy' })
    expect(asked).toEqual([600])
    deadline.cancel()
  })

  it('ends with the deadline, and no call goes out after it', async () => {
    const { pace } = scriptedPace(1_000)
    const turn = waitForTurn({ pace, deadline: createDeadline(300), maxWaitMs: 1_500, clock })
    const refusal = expect(turn).rejects.toMatchObject({ kind: 'busy' })
    await vi.advanceTimersByTimeAsync(301)
    await refusal
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a turn that is reached too late is given up for another', async () => {
    const late: Pace = {
      async reserve() {
        const from = Date.now()
        vi.setSystemTime(from + 76)
        return { from, until: from + 75 }
      },
    }
    const { pace } = scriptedPace(0)
    const reserve = vi.fn<Pace['reserve']>().mockImplementationOnce(late.reserve).mockImplementation(pace.reserve)
    const deadline = createDeadline(2_000)
    await waitForTurn({ pace: { reserve }, deadline, maxWaitMs: 1_500, clock })
    expect(reserve.mock.calls).toEqual([[1_500], [1_424]])
    deadline.cancel()
  })

  it('a process that is always late gives up in the end', async () => {
    const pace: Pace = {
      async reserve() {
        const from = Date.now()
        vi.setSystemTime(from + 100)
        return { from, until: from + 75 }
      },
    }
    const deadline = createDeadline(60_000)
    const turn = waitForTurn({ pace, deadline, maxWaitMs: 1_500, clock })
    await expect(turn).rejects.toMatchObject({ kind: 'busy' })
    deadline.cancel()
  })
})
