// A reply that is already JSON, as bytes. It is serialised, compressed and tagged at most once, however often it is sent.
import { compress, type Encoding } from '../text/content-encoding.ts'
import { entityTag } from '../text/entity-tag.ts'

export class RenderedJson {
  readonly bytes: Buffer
  readonly #compressed = new Map<Encoding, Buffer | Promise<Buffer>>()
  #tag: string | undefined

  constructor(value: unknown) {
    this.bytes = Buffer.from(JSON.stringify(value))
  }

  get tag(): string {
    this.#tag ??= entityTag(this.bytes)
    return this.#tag
  }

  /** Only the first request for an encoding has to wait. */
  compressed(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const compressing = compress(this.bytes, encoding)
    this.#compressed.set(encoding, compressing)
    compressing.then(
      (bytes) => this.#compressed.set(encoding, bytes),
      () => this.#compressed.delete(encoding),
    )
    return compressing
  }
}
