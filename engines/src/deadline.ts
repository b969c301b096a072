// The deadline of a search, or of a provider call that several searches may wait for (`cache/single-flight.ts`). Work
// that must end with it registers an abort callback and removes it when done: one AbortSignal and one listener per call
// would cost more than the call's own bookkeeping.
//
// Call `cancel` when the work ends, however it ended. It does more than stop the timer: it aborts whatever is still in
// flight, because nothing else ever would.

export interface Deadline {
  /** True once the deadline has passed or the search is over; calls made after that fail immediately. */
  readonly signalled: boolean
  /** True if it ended early because the client disconnected, which says nothing about a provider. */
  readonly isCalledOff: boolean
  /** The time left; 0 once it is up. */
  remainingMs(): number
  /**
   * Calls `abort` once, when the deadline passes, or immediately if it already has. Returns a function that unregisters
   * it. `abort` must not throw: the other callbacks run after it.
   */
  onExpire(abort: () => void): () => void
  /** Extends the deadline to `ms` from now, at most `2 * ms` after its start. Never moves it earlier. */
  extend(ms: number): void
  /** Ends it early because the client disconnected. */
  callOff(): void
  /** Stops the timer and aborts whatever is still registered. Safe to call twice, and after the deadline. */
  cancel(): void
}

/** Starts a timer and returns a function that stops it. */
type StartTimer = (callback: () => void, ms: number) => () => void

const startRealTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

export const createDeadline = (ms: number, startTimer: StartTimer = startRealTimer): Deadline => {
  const aborts = new Set<() => void>()
  const startedAt = performance.now()
  let endsAt = startedAt + ms
  let signalled = false
  let isCalledOff = false

  const signal = () => {
    if (signalled) return
    signalled = true
    for (const abort of aborts) abort()
    aborts.clear()
  }
  let stopTimer = startTimer(signal, ms)
  const cancel = () => {
    stopTimer()
    signal()
  }

  return {
    get signalled() {
      return signalled
    },
    get isCalledOff() {
      return isCalledOff
    },
    remainingMs: () => (signalled ? 0 : Math.max(0, endsAt - performance.now())),
    onExpire(abort) {
      if (signalled) {
        abort()
        return () => undefined
      }
      aborts.add(abort)
      return () => aborts.delete(abort)
    },
    extend(more) {
      const now = performance.now()
      const end = Math.min(now + more, startedAt + 2 * more)
      if (signalled || end <= endsAt) return
      endsAt = end
      stopTimer()
      stopTimer = startTimer(signal, end - now)
    },
    callOff() {
      isCalledOff ||= !signalled
      cancel()
    },
    cancel,
  }
}
