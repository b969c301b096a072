// Reads a stream in pieces of the reader's choice: a line first, then so many bytes at a time.

const LINE_FEED = 0x0a

export class PieceReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks
  }

  async line(): Promise<string> {
    const pieces: Buffer[] = []
    for (;;) {
      const end = this.#rest.indexOf(LINE_FEED)
      if (end >= 0) {
        pieces.push(this.#rest.subarray(0, end))
        this.#rest = this.#rest.subarray(end + 1)
        return Buffer.concat(pieces).toString()
      }
      pieces.push(this.#rest)
      await this.#next()
    }
  }

  async *pieces(bytes: number): AsyncGenerator<Buffer> {
    let missing = bytes
    while (missing > 0) {
      if (this.#rest.length === 0) await this.#next()
      const piece = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(piece.length)
      missing -= piece.length
      yield piece
    }
  }

  async #next(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done) throw new Error('the prepared database ends too early')
    this.#rest = value
  }
}
