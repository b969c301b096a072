// Limits the requests in flight in this process, of any kind. Beyond the limit, every client would only wait longer and
// memory would fill up; a refused client can use another node or retry. A machine that is merely slow refuses nothing.
//
// A request is in flight from when it has arrived, with its body, until its reply is sent or its client disconnects.
// That includes streams: one lasts as long as its search, and costs as much. `unfinished-requests.ts` limits those that
// are still arriving.
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'

interface LoadShedderParts {
  /** 0: unlimited. */
  maxInFlight: number
  log: Log
  /** Milliseconds of a monotonic clock. */
  clock: () => number
}

const RETRY_SECONDS = 2
const LOG_EVERY_MS = 1_000

/** Created once: capturing a stack trace would cost more than the rest of a refusal. */
const REFUSAL = new Refusal('overloaded', `The server is overloaded. Try again in ${RETRY_SECONDS} seconds.`, {
  'Retry-After': String(RETRY_SECONDS),
})

export class LoadShedder {
  inFlight = 0
  refused = 0
  #logged = { at: Number.NEGATIVE_INFINITY, refused: 0 }
  readonly #parts: LoadShedderParts

  constructor(parts: LoadShedderParts) {
    this.#parts = parts
  }

  /** Whether one more request would be too many. */
  get isFull(): boolean {
    const { maxInFlight } = this.#parts
    return maxInFlight > 0 && this.inFlight >= maxInFlight
  }

  enter = (): void => {
    this.inFlight++
  }

  leave = (): void => {
    this.inFlight--
  }

  /** Counts a refusal. Logs the number of refusals, at most once a second. */
  refuse(): Refusal {
    this.refused++
    const now = this.#parts.clock()
    if (now - this.#logged.at >= LOG_EVERY_MS) {
      const { inFlight, refused } = this
      this.#parts.log.warn({ inFlight, refused: refused - this.#logged.refused }, 'overloaded; refusing requests')
      this.#logged = { at: now, refused }
    }
    return REFUSAL
  }
}
