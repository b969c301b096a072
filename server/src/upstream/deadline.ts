// The one timer of a whole search. Every call made for it registers an abort here and takes it back when it is done:
// a signal and a listener for each call would cost more than the call's own bookkeeping.
//
// `cancel` is for the end of the search, however it ended. It does not only stop the timer: what is still in flight is
// aborted, because nothing else would ever end it.

export interface Deadline {
  /** True once the time is up or the search is over; a call made after that fails at once. */
  readonly signalled: boolean
  /** How much time is left, 0 when it is up. */
  remainingMs(): number
  /**
   * Calls `abort` once, when the deadline is signalled; at once if it already is. Returns the way to take it back.
   * `abort` must not throw: the others wait behind it.
   */
  onExpire(abort: () => void): () => void
  /** Releases the timer and aborts what is still registered. Safe to call twice, and after the time is up. */
  cancel(): void
}

/** Starts a timer and returns the way to stop it. */
type StartTimer = (callback: () => void, ms: number) => () => void

const startRealTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

const nothingToTakeBack = () => undefined

export const createDeadline = (ms: number, startTimer: StartTimer = startRealTimer): Deadline => {
  const aborts = new Set<() => void>()
  const endsAt = performance.now() + ms
  let signalled = false

  const signal = () => {
    if (signalled) return
    signalled = true
    for (const abort of aborts) abort()
    aborts.clear()
  }
  const stopTimer = startTimer(signal, ms)

  return {
    get signalled() {
      return signalled
    },
    remainingMs: () => (signalled ? 0 : Math.max(0, endsAt - performance.now())),
    onExpire(abort) {
      if (signalled) {
        abort()
        return nothingToTakeBack
      }
      aborts.add(abort)
      return () => aborts.delete(abort)
    },
    cancel() {
      stopTimer()
      signal()
    },
  }
}
