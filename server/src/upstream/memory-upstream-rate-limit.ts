// Enforces a provider's rate limit in one process. `upstream-rate-limit.ts` follows the same rule in Redis.
//
// "20 calls a second" means as the provider sees it, and we don't know when it sees a call: a connection may have to be
// opened first, a network or an event loop may stall. But once a call has been answered, we know that it had arrived.
// So a call counts from its start until one window after its answer, and at most `calls` of them count at any time. Of
// any calls that arrive within one window, the last one to start found all the others counting, so there are never too
// many, however late they arrived. The price is that a slow provider is called somewhat less often.
//
// A caller that finds no free slot can queue if one may become free in time. The queue is FIFO, and each caller gets
// the earliest time at which it could have a slot.

/** `isSpent`: the daily quota is used up. */
export type AcquireVerdict = { go: true } | { go: false; waitMs: number; isQueued: boolean; isSpent?: true }

export interface UpstreamRateRule {
  calls: number
  windowMs: number
}

/** If its process was killed, a call stops counting after this plus the window. No real call takes nearly as long. */
export const LONGEST_CALL_MS = 60_000

export class MemoryUpstreamRateLimit {
  readonly #calls: number
  readonly #windowMs: number
  /** Start times by id. */
  readonly #underWay = new Map<string, number>()
  /** Times of the answers, oldest first. */
  readonly #answered: number[] = []
  /** The queue in order of arrival: until when each call waits, by id. */
  readonly #line = new Map<string, number>()

  constructor({ calls, windowMs }: UpstreamRateRule) {
    this.#calls = calls
    this.#windowMs = windowMs
  }

  ask(id: string, now: number, maxWaitMs: number): AcquireVerdict {
    this.#forget(now)
    const ahead = this.#aheadOf(id)
    const waitMs = this.#waitMs(now, ahead)
    if (waitMs > 0 && waitMs <= maxWaitMs) {
      if (!this.#line.has(id)) this.#line.set(id, now + maxWaitMs)
      return { go: false, waitMs, isQueued: true }
    }
    this.#line.delete(id)
    if (waitMs > 0) return { go: false, waitMs, isQueued: false }
    this.begin(id, now)
    return { go: true }
  }

  /** The time until a slot could be free for the first in the queue; 0 if one is free now. */
  earliestMs(now: number): number {
    this.#forget(now)
    return this.#waitMs(now, 0)
  }

  begin(id: string, now: number): void {
    this.#underWay.set(id, now)
  }

  /** Ends a call that was answered or failed, or that leaves the queue. */
  leave(id: string, now: number): void {
    if (this.#underWay.delete(id)) this.#answered.push(now)
    this.#line.delete(id)
  }

  #waitMs(now: number, ahead: number): number {
    const room = this.#calls - this.#underWay.size - this.#answered.length
    if (room > ahead) return 0
    // Slots become free in the order of the answers; the slot of a call in progress a window from now at the earliest.
    const place = ahead - room
    const answeredAt = this.#answered[place]
    if (answeredAt !== undefined) return answeredAt + this.#windowMs - now
    return this.#windowMs * (1 + Math.floor((place - this.#answered.length) / this.#calls))
  }

  #aheadOf(id: string): number {
    if (!this.#line.has(id)) return this.#line.size
    let ahead = 0
    for (const other of this.#line.keys()) {
      if (other === id) break
      ahead++
    }
    return ahead
  }

  #forget(now: number): void {
    const recent = this.#answered.findIndex((at) => at + this.#windowMs > now)
    this.#answered.splice(0, recent === -1 ? this.#answered.length : recent)
    for (const [id, until] of this.#line) if (until <= now) this.#line.delete(id)
    for (const [id, began] of this.#underWay) {
      if (began + LONGEST_CALL_MS + this.#windowMs > now) break
      this.#underWay.delete(id)
    }
  }
}
