// Decides when this process has more work than it can do in time, and which requests it then refuses. More work only
// makes everybody wait; a caller who is refused at once can go to another node.
//
// A timer measures how late it comes: the event loop's delay, which every request waits for several times. As CoDel does
// with the delay of a queue, one long pause is ignored. If the delay stays above the target for an interval, the process
// is overloaded. From then on only so many requests may be in flight, and that number follows the delay: it falls by a
// fifth when the loop is late although no more are in flight, and rises by one at a time while it is not. So there is
// always work, and never much of it. The limit is lifted once the loop has been on time for a while.
//
// The cheapest requests are refused last: pages and replies from memory only when the delay is several times the target
// or twice as many requests are in flight as ever may be. Health checks never are. A request that meets no overload
// compares two numbers.
import { Refusal } from '../errors.ts'

export interface LoadLimits {
  /** The delay of the event loop from which costly requests are refused; 0: any is fine. */
  maxLoopDelayMs: number
  /** Requests in flight from which costly requests are refused; 0: any number. */
  maxInFlight: number
}

/** `costly`: it asks providers, or may have to. */
export type RequestCost = 'costly' | 'cheap'

interface LoadShedderParts extends LoadLimits {
  /** Milliseconds of a monotonic clock. */
  clock: () => number
  random: () => number
  /** Is told when overload begins and ends. */
  onChange?: (isOverloaded: boolean) => void
  /** Is told the delay at every tick. */
  onTick?: (delayMs: number) => void
}

/** The website shows it in the reader's language. */
export class OverloadRefusal extends Refusal {}

export const TICK_MS = 10
/** How long the delay must stay above the target before anything is refused. */
const INTERVAL_MS = 60
/** How long it must stay below before the next pause is ignored again. */
const CALM_MS = 2_000
/** How much more it takes for a cheap request to be refused. */
const CHEAP = { delay: 4, inFlight: 2 }
/** How the number of requests in flight follows the delay. */
const LEAST_IN_FLIGHT = 2
const CUT = 0.8

/** Made beforehand: the stack trace of an error costs more than all the rest of a refusal. */
const refusalFor = (seconds: number): OverloadRefusal =>
  new OverloadRefusal(503, `The server is overloaded. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`, {
    'Retry-After': String(seconds),
  })
const REFUSALS = [1, 2, 3].map(refusalFor)
const LAST_REFUSAL = refusalFor(4)

export class LoadShedder {
  /** Of the last tick. */
  delayMs = 0
  inFlight = 0
  refused = { costly: 0, cheap: 0 }
  #isLate = false
  /** While overloaded: how many requests may be in flight. */
  #limit = Number.POSITIVE_INFINITY
  #refusedAtTick = 0
  #tickedAt: number
  #lateSince: number | undefined
  #calmSince: number | undefined
  readonly #parts: LoadShedderParts
  readonly #mostInFlight: number

  constructor(parts: LoadShedderParts) {
    this.#parts = parts
    this.#mostInFlight = parts.maxInFlight === 0 ? Number.POSITIVE_INFINITY : parts.maxInFlight
    this.#tickedAt = parts.clock()
  }

  /** False almost always; only otherwise is there a reason to ask `refuses`. */
  get isOverloaded(): boolean {
    return this.#isLate || this.inFlight > this.#mostInFlight
  }

  enter = (): void => {
    this.inFlight++
  }

  leave = (): void => {
    this.inFlight--
  }

  /** To be called every TICK_MS. */
  tick(): void {
    const now = this.#parts.clock()
    this.delayMs = Math.max(0, now - this.#tickedAt - TICK_MS)
    this.#tickedAt = now
    this.#parts.onTick?.(this.delayMs)
    const { maxLoopDelayMs } = this.#parts
    if (maxLoopDelayMs === 0) return
    if (this.delayMs > maxLoopDelayMs) {
      this.#calmSince = undefined
      this.#lateSince ??= now
      if (this.#isLate) this.#lower()
      // With hardly any request in flight, it is late for another reason, and nobody would be refused.
      else if (now - this.#lateSince >= INTERVAL_MS && this.inFlight > LEAST_IN_FLIGHT) this.#change(true)
    } else {
      if (this.refused.costly > this.#refusedAtTick) this.#limit++
      this.#lateSince = undefined
      this.#calmSince ??= now
      if (now - this.#calmSince >= CALM_MS) this.#change(false)
    }
    this.#refusedAtTick = this.refused.costly
  }

  /** Whether a request that has not entered yet is too much; it is not counted. */
  wouldRefuse(cost: RequestCost): boolean {
    return this.#isTooMuch(cost, this.inFlight + 1)
  }

  refuses(cost: RequestCost): boolean {
    const isRefused = this.#isTooMuch(cost, this.inFlight)
    if (isRefused) this.refused[cost]++
    return isRefused
  }

  /** The wait differs, so that not everyone comes back at the same moment. */
  refusal(): OverloadRefusal {
    return REFUSALS[Math.floor(this.#parts.random() * (REFUSALS.length + 1))] ?? LAST_REFUSAL
  }

  #isTooMuch(cost: RequestCost, inFlight: number): boolean {
    if (cost === 'costly') return inFlight > Math.min(this.#limit, this.#mostInFlight)
    if (inFlight > this.#mostInFlight * CHEAP.inFlight) return true
    return this.#isLate && this.delayMs > this.#parts.maxLoopDelayMs * CHEAP.delay
  }

  /** Not while there is more in flight than the limit: then the delay says nothing about the limit yet. */
  #lower(): void {
    if (this.inFlight <= this.#limit) this.#limit = Math.max(LEAST_IN_FLIGHT, this.inFlight * CUT)
  }

  #change(isLate: boolean): void {
    if (this.#isLate === isLate) return
    this.#isLate = isLate
    this.#limit = isLate ? Math.max(LEAST_IN_FLIGHT, this.inFlight / 2) : Number.POSITIVE_INFINITY
    this.#parts.onChange?.(isLate)
  }
}
