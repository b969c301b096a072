// A subject's use of one limit, in this process: a queue of entries, each with an end and the running total of
// admissions, its own included, so that the amount used is one subtraction. An entry leaves the window when its end does.
// With 0 buckets, each admission is its own entry, which makes the window exact; otherwise the admissions of one bucket
// share an entry that ends with the bucket. `consume-script.ts` keeps such a queue in Redis, but there a total leaves out
// the entry's own admissions, so that an entry, once written, doesn't change.
import type { Rate } from './rate-limiter.ts'

export interface WindowUsage {
  remaining: number
  /** Until a request fits; 0 if one fits now. */
  waitMs: number
  /** Until the oldest entry leaves; 0 if the window is empty. */
  resetMs: number
}

/** The arrays are compacted once more entries than this have left the window, and they are more than half of all. */
const COMPACT_AFTER = 64

export class SlidingWindow {
  readonly #buckets: number
  #ends: number[] = []
  #totals: number[] = []
  #head = 0
  /** The running total of admissions that have left the window. */
  #base = 0

  constructor(buckets: number) {
    this.#buckets = buckets
  }

  peek({ count, windowMs }: Rate, now: number): WindowUsage {
    this.#forgetUntil(now - windowMs)
    const total = this.#totals.at(-1) ?? this.#base
    const used = total - this.#base
    const first = this.#ends[this.#head]
    return {
      remaining: Math.max(0, count - used),
      waitMs: used < count ? 0 : this.#endOf(total - count + 1) + windowMs - now,
      resetMs: first === undefined ? 0 : first + windowMs - now,
    }
  }

  record({ windowMs }: Rate, now: number): void {
    const bucketMs = windowMs / this.#buckets
    const end = this.#buckets === 0 ? now : (Math.floor(now / bucketMs) + 1) * bucketMs
    const newest = this.#ends.length - 1
    // Usually the newest entry is that of the same bucket. If the limit has changed, it may even end later than a new
    // entry would. Either way, it takes the admission, so that the ends stay in order.
    if (newest >= 0 && (this.#ends[newest] ?? 0) >= end) {
      this.#totals[newest] = (this.#totals[newest] ?? 0) + 1
      return
    }
    this.#totals.push((this.#totals[newest] ?? this.#base) + 1)
    this.#ends.push(end)
  }

  #forgetUntil(moment: number): void {
    while ((this.#ends[this.#head] ?? Number.POSITIVE_INFINITY) <= moment) {
      this.#base = this.#totals[this.#head] ?? this.#base
      this.#head++
    }
    if (this.#head === this.#ends.length || (this.#head > COMPACT_AFTER && this.#head * 2 > this.#ends.length)) {
      this.#ends = this.#ends.slice(this.#head)
      this.#totals = this.#totals.slice(this.#head)
      this.#head = 0
    }
  }

  /** The end of the first entry whose running total reaches `total`. */
  #endOf(total: number): number {
    let low = this.#head
    let high = this.#ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#totals[middle] ?? 0) >= total) high = middle
      else low = middle + 1
    }
    return this.#ends[low] ?? 0
  }
}
