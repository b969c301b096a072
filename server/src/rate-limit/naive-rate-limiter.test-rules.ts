// The rules of rate-limiter.ts written down in the plainest way, to compare both rate limiter with: it remembers every
// admission with the moment until which it counts, and looks through all of them for every question.
import type { ConsumeVerdict, Limits, Rate } from './rate-limiter.ts'

export type Outcome = Omit<ConsumeVerdict, 'giveBack' | 'waitMs'>

class NaiveWindow {
  readonly #buckets: number
  #ends: number[] = []

  constructor(buckets: number) {
    this.#buckets = buckets
  }

  look({ count, windowMs }: Rate, now: number) {
    this.#ends = this.#ends.filter((end) => end + windowMs > now)
    const leaving = this.#ends.map((end) => end + windowMs - now)
    const used = leaving.length
    return { remaining: Math.max(0, count - used), wait: leaving[used - count] ?? 0, reset: leaving[0] ?? 0 }
  }

  admit({ windowMs }: Rate, now: number): void {
    const bucket = windowMs / this.#buckets
    const end = this.#buckets === 0 ? now : (Math.floor(now / bucket) + 1) * bucket
    this.#ends.push(Math.max(end, this.#ends.at(-1) ?? 0))
  }
}

export class NaiveRateLimiter {
  readonly #burst = new NaiveWindow(0)
  readonly #sustained = new NaiveWindow(1_440)

  consume(limits: Limits, now: number): Outcome {
    const burst = this.#burst.look(limits.burst, now)
    const sustained = this.#sustained.look(limits.sustained, now)
    const wait = Math.max(burst.wait, sustained.wait)
    if (wait > 0) {
      return {
        refusedBy: burst.wait === wait ? 'burst' : 'sustained',
        retryAfterSeconds: Math.ceil(wait / 1000),
        burst: { remaining: burst.remaining, resetSeconds: Math.ceil((burst.wait || burst.reset) / 1000) },
        sustained: {
          remaining: sustained.remaining,
          resetSeconds: Math.ceil((sustained.wait || sustained.reset) / 1000),
        },
      }
    }
    this.#burst.admit(limits.burst, now)
    this.#sustained.admit(limits.sustained, now)
    const { remaining, reset } = this.#burst.look(limits.burst, now)
    const day = this.#sustained.look(limits.sustained, now)
    return {
      refusedBy: undefined,
      retryAfterSeconds: 0,
      burst: { remaining, resetSeconds: Math.ceil(reset / 1000) },
      sustained: { remaining: day.remaining, resetSeconds: Math.ceil(day.reset / 1000) },
    }
  }
}
