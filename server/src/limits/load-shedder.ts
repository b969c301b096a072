// Bounds the requests in flight in this process, whatever they are. More of them would only make every caller wait
// longer and fill the memory; one who is refused can go to another node, or come back. A machine that is merely slow
// refuses nothing.
//
// A request is in flight from the first hook until its reply is sent or its client has left. That holds for a stream
// too: it lasts as long as its search, and costs as much.
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'

interface LoadShedderParts {
  /** 0: any number. */
  maxInFlight: number
  log: Log
  /** Milliseconds of a monotonic clock. */
  clock: () => number
}

/** The website shows it in the reader's language. */
export class OverloadRefusal extends Refusal {}

const RETRY_SECONDS = 2
const LOG_EVERY_MS = 1_000

/** Made once: the stack trace of an error costs more than all the rest of a refusal. */
const REFUSAL = new OverloadRefusal(503, `The server is overloaded. Try again in ${RETRY_SECONDS} seconds.`, {
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

  /** Counts the refusal. Logs how many there were, at most once a second. */
  refuse(): OverloadRefusal {
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
