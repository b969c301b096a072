// The single timer of a whole search. Every call made for the search registers an abort callback here and removes it
// when it is done: one signal and one listener per call would cost more than the call's own bookkeeping.
//
// Call `cancel` when the search ends, however it ended. It does more than stop the timer: it aborts whatever is still
// in flight, because nothing else ever would.

export interface Deadline {
  /** True once the time is up or the search is over; a call made after that fails at once. */
  readonly signalled: boolean
  /** True if it ended before its time, because nobody waits any more: that says nothing about a provider. */
  readonly isCalledOff?: boolean
  /** How much time is left, 0 when it is up. */
  remainingMs(): number
  /**
   * Calls `abort` once, when the deadline passes, or immediately if it already has. Returns a function that unregisters
   * it. `abort` must not throw: the other callbacks run after it.
   */
  onExpire(abort: () => void): () => void
  /** Stops the timer and aborts whatever is still registered. Safe to call twice, and after the deadline. */
  cancel(): void
}

/** Starts a timer and returns a function that stops it. */
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

/** The same deadline for one of its calls, which can also be called off on its own. */
export function withCallOff(deadline: Deadline): Deadline & { callOff: () => void } {
  const own = createDeadline(deadline.remainingMs(), (expire) => deadline.onExpire(expire))
  let isCalledOff = false
  return {
    get signalled() {
      return own.signalled
    },
    get isCalledOff() {
      return isCalledOff
    },
    remainingMs: () => own.remainingMs(),
    onExpire: (abort) => own.onExpire(abort),
    cancel: () => own.cancel(),
    callOff() {
      isCalledOff ||= !own.signalled
      own.cancel()
    },
  }
}
