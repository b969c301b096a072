// What another machine's clock says, in terms of our own: two bounds, narrowed by every answer that carries its time. The
// time was read between our sending and our receiving; the narrowest of such spans stays, and widens slowly, because no
// two clocks run alike. One quick answer is thus worth more than many slow ones, and a stall of this process, which
// makes an answer look slow, spoils nothing.

/** In milliseconds; both clocks only run forward, save for a correction of the distant one. */
export interface ClockReading {
  sentAt: number
  /** The distant clock's. */
  time: number
  receivedAt: number
}

/** How far two clocks may drift apart, as a share of the time that passes. */
const DRIFT = 0.001

export class DistantClock {
  /** Of distant time minus our own. */
  #least = Number.NEGATIVE_INFINITY
  #most = Number.POSITIVE_INFINITY
  #seenAt = 0

  see({ sentAt, time, receivedAt }: ClockReading): void {
    const drift = (receivedAt - this.#seenAt) * DRIFT
    this.#seenAt = receivedAt
    const [least, most] = [time - receivedAt, time - sentAt]
    this.#least = Math.max(this.#least - drift, least)
    this.#most = Math.min(this.#most + drift, most)
    // The distant clock was set, or is another one.
    if (this.#least > this.#most) [this.#least, this.#most] = [least, most]
  }

  /** When a distant moment is surely reached, in our time, and by how much it may have passed by then. */
  locate(moment: number): { at: number; uncertainMs: number } {
    return { at: moment - this.#least, uncertainMs: this.#most - this.#least }
  }
}
