// One call's time: a deadline over everything it does, attempts and waits included, and the caller's own abort signal.
import { ConnectionFailedError, TimedOutError } from './errors.ts'

/** Timers can't be set for longer: 24 days. */
const LONGEST_MS = 2 ** 31 - 1

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, retries and waits included. */
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

export class Call {
  readonly #own = new AbortController()
  readonly #theirs: AbortSignal | undefined
  readonly #timeoutMs: number
  readonly #startedAt = Date.now()
  readonly #timer: ReturnType<typeof setTimeout>
  #isLate = false
  readonly maxRetries: number

  constructor({ signal, timeoutMs = Number.NaN, maxRetries = Number.NaN }: CallOptions) {
    if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be a positive number of milliseconds.')
    if (!(maxRetries >= 0)) throw new TypeError('maxRetries must be 0 or more.')
    signal?.throwIfAborted()
    this.#theirs = signal
    this.#timeoutMs = timeoutMs
    this.maxRetries = maxRetries
    signal?.addEventListener('abort', this.#abort)
    this.#timer = setTimeout(
      () => {
        this.#isLate = true
        this.#abort()
      },
      Math.min(timeoutMs, LONGEST_MS),
    )
  }

  get signal(): AbortSignal {
    return this.#own.signal
  }

  /** Whether so long a wait would end in time. */
  hasTimeFor(waitMs: number): boolean {
    return Date.now() - this.#startedAt + waitMs < this.#timeoutMs
  }

  async sleep(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(wake, waitMs)
      const { signal } = this
      function wake() {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
    if (this.signal.aborted) throw this.explain(undefined)
  }

  /** What to throw for something that failed: fetch fails the same way for all of these. */
  explain(cause: unknown): unknown {
    if (this.#theirs?.aborted === true) return this.#theirs.reason
    if (this.#isLate) return new TimedOutError(`The call took longer than ${this.#timeoutMs} ms.`)
    return new ConnectionFailedError('The connection to the instance failed.', { cause })
  }

  /** To be called when everything has been read; what is still under way ends. */
  end(): void {
    clearTimeout(this.#timer)
    this.#theirs?.removeEventListener('abort', this.#abort)
    this.#own.abort()
  }

  readonly #abort = (): void => this.#own.abort()
}
