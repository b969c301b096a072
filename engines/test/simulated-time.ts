// Time that passes only when the test says so, for timers, deadlines and both clocks. Promises, sockets and the event
// loop go on as always.
import { afterEach, beforeEach, vi } from 'vitest'

const STEP_MS = 10

/** To be called where tests are described. */
export function simulateTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

export const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms))

/** For what is simulated, in the place of a real one. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Lets as much time pass as the work takes, and gives what came of it. */
export async function passUntilDone<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false }
  const done = work.finally(() => {
    state.isDone = true
  })
  // Whoever awaits it below is told of a failure; until then nobody listens.
  done.catch(() => undefined)
  while (!state.isDone) await pass(STEP_MS)
  return await done
}
