// Who may call a provider now, at its pace: the rule, and its keeping in one process. `provider-pace.ts` keeps the same in Redis.
//
// "20 calls a second" is meant as the provider sees it, and we do not know when it sees a call: a connection may have
// to be opened first, a network or an event loop may stall. What we know is that a call which has been answered had
// arrived. So a call counts from its start until a window after its answer, and never more than `calls` of them count
// at once. Of any calls that arrive within one window, the one that started last found all the others counting; so they
// are never too many, however late any of them arrived. The price is that a slow provider is asked somewhat less.
//
// Whoever finds no room may wait for it in a line, if it can come within reach: in the order of coming, and each one told
// the earliest moment at which a place could be free for it.

export type PaceVerdict = { go: true } | { go: false; waitMs: number; isInLine: boolean }

export interface PaceRule {
  calls: number
  windowMs: number
}

/** A call whose process was killed stops counting after this and the window; no other takes nearly as long. */
export const LONGEST_CALL_MS = 60_000

export class PaceBook {
  readonly #calls: number
  readonly #windowMs: number
  /** When each began, by id. */
  readonly #underWay = new Map<string, number>()
  /** When each was answered, oldest first. */
  readonly #answered: number[] = []
  /** Until when each waits, by id, in the order of coming. */
  readonly #line = new Map<string, number>()

  constructor({ calls, windowMs }: PaceRule) {
    this.#calls = calls
    this.#windowMs = windowMs
  }

  ask(id: string, now: number, maxWaitMs: number): PaceVerdict {
    this.#forget(now)
    const ahead = this.#aheadOf(id)
    const waitMs = this.#waitMs(now, ahead)
    if (waitMs > 0 && waitMs <= maxWaitMs) {
      if (!this.#line.has(id)) this.#line.set(id, now + maxWaitMs)
      return { go: false, waitMs, isInLine: true }
    }
    this.#line.delete(id)
    if (waitMs > 0) return { go: false, waitMs, isInLine: false }
    this.begin(id, now)
    return { go: true }
  }

  /** How long until there could be room for somebody with nobody ahead; 0 when there is. */
  earliestMs(now: number): number {
    this.#forget(now)
    return this.#waitMs(now, 0)
  }

  begin(id: string, now: number): void {
    this.#underWay.set(id, now)
  }

  /** The call was answered or has failed, or its place in the line is given up. */
  leave(id: string, now: number): void {
    if (this.#underWay.delete(id)) this.#answered.push(now)
    this.#line.delete(id)
  }

  #waitMs(now: number, ahead: number): number {
    const room = this.#calls - this.#underWay.size - this.#answered.length
    if (room > ahead) return 0
    // The places become free in the order of the answers; for a call under way it is a window from now at the earliest.
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
