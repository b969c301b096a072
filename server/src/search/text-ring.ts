// Texts in one block of bytes, outside the garbage collector's heap. Each is written behind the last; at the end of the
// block writing goes on at its beginning, over the oldest. So it takes exactly its size, however many texts pass through.
//
// Places are counted on without end, not from the block's beginning: a place is still readable as long as it is not more
// than the block's size behind the last one written.

export interface Place {
  readonly start: number
  readonly length: number
}

export class TextRing {
  readonly #bytes: Buffer
  #end = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  /** Undefined for a text that does not fit at all. */
  write(text: string): Place | undefined {
    const size = this.#bytes.length
    const length = Buffer.byteLength(text)
    if (length > size) return undefined
    const room = size - (this.#end % size)
    // A text is never cut in two.
    const start = length > room ? this.#end + room : this.#end
    this.#bytes.write(text, start % size)
    this.#end = start + length
    return { start, length }
  }

  has({ start }: Place): boolean {
    return start >= this.#end - this.#bytes.length
  }

  /** Only of a place that it `has`. */
  read({ start, length }: Place): string {
    const from = start % this.#bytes.length
    return this.#bytes.toString('utf8', from, from + length)
  }
}
