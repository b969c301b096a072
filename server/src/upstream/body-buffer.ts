// Collects the bytes of a reply as they arrive. The first chunk is kept as is, and for most replies it is the only one.
// From the second chunk on, everything is copied into one growing buffer: with a list of chunks, a provider that sends
// one byte at a time could make us hold a hundred times what it sent.
//
// The buffer grows by `transfer`, which frees its previous memory immediately. Left to the garbage collector, a few
// oversized replies would grow the process by many times their size.

const NOTHING = Buffer.alloc(0)
const SMALLEST_COPY = 16_384

export class BodyBuffer {
  length = 0
  /** The first chunk, or all of `#own`. */
  #buffer: Buffer = NOTHING
  #own: ArrayBuffer | undefined

  add(piece: Buffer): void {
    if (this.length === 0) {
      this.#buffer = piece
    } else {
      this.#makeRoomFor(piece.length)
      this.#buffer.set(piece, this.length)
    }
    this.length += piece.length
  }

  /** Everything so far, without copying. Don't modify it; it is invalid after the next `add` or `drop`. */
  get bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }

  /** Discards everything and frees the memory. `bytes` must no longer be in use. */
  drop(): void {
    this.#own?.transfer(0)
    this.#own = undefined
    this.#buffer = NOTHING
    this.length = 0
  }

  // The first chunk isn't ours, but it is always exactly full, so we never write to it.
  #makeRoomFor(more: number): void {
    const needed = this.length + more
    if (needed <= this.#buffer.length) return
    const size = Math.max(SMALLEST_COPY, needed * 2)
    if (this.#own) {
      this.#own = this.#own.transfer(size)
      this.#buffer = Buffer.from(this.#own)
      return
    }
    const first = this.bytes
    this.#own = new ArrayBuffer(size)
    this.#buffer = Buffer.from(this.#own)
    this.#buffer.set(first)
  }
}
