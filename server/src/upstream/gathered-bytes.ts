// The bytes of a reply as they arrive. The first piece is kept as it came, which for most replies is the whole of it;
// from the second on all are copied into one growing buffer. A list of pieces would let a provider that sends one byte
// at a time make us hold a hundred times what it sent.

const NOTHING = Buffer.alloc(0)
const SMALLEST_COPY = 16_384

export class GatheredBytes {
  length = 0
  #buffer: Buffer = NOTHING

  add(piece: Buffer): void {
    if (this.length === 0) {
      this.#buffer = piece
    } else {
      this.#makeRoomFor(piece.length)
      this.#buffer.set(piece, this.length)
    }
    this.length += piece.length
  }

  /** Everything so far, without a copy: not to be changed, and not valid after the next `add`. */
  get bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }

  // The first piece, which is not ours to write to, is always exactly full.
  #makeRoomFor(more: number): void {
    const needed = this.length + more
    if (needed <= this.#buffer.length) return
    const roomier = Buffer.allocUnsafe(Math.max(SMALLEST_COPY, needed * 2))
    roomier.set(this.bytes)
    this.#buffer = roomier
  }
}
