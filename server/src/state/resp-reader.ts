// Reads what a Redis server says (RESP2), however the network has cut it: complete elements are taken, the rest is kept
// for the next piece. A reply is never read twice, so that its cost does not depend on the pieces. Whatever is not RESP2
// or is too large is a ProtocolError: the place where the next reply begins is then unknown, and the connection is lost.

/** An integer beyond 2^53 is rounded. An error inside an array stands there as a value. */
export type Reply = number | string | null | ReplyError | Reply[]

/** The server's refusal of one command. The connection is as good as before. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError'
}

export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

interface OpenArray {
  items: Reply[]
  missing: number
}

const [PLUS, MINUS, COLON, DOLLAR, STAR, ZERO, CR, LF] = [43, 45, 58, 36, 42, 48, 13, 10]
const LARGEST_REPLY = 16 * 1024 * 1024
const LONGEST_LINE = 65_536
const LONGEST_INTEGER = 20
const DEEPEST = 8
/** `:0\r\n`, the shortest element that an array may have. */
const SMALLEST_ELEMENT = 4

export class RespReader {
  readonly #onReply: (reply: Reply) => void
  #bytes: Buffer = Buffer.alloc(0)
  #end = 0
  #at = 0
  #kept: Buffer = Buffer.alloc(0)
  #keptLength = 0
  /** How many bytes must have been kept before it is worth looking at them again. */
  #wanted = 0
  #open: OpenArray[] = []
  /** Of the reply that is being read. */
  #size = 0

  constructor(onReply: (reply: Reply) => void) {
    this.#onReply = onReply
  }

  /** The first `length` bytes of the chunk, which may be overwritten afterwards. */
  take(chunk: Buffer, length: number): void {
    if (this.#keptLength === 0) {
      this.#bytes = chunk
      this.#end = length
    } else {
      this.#keep(chunk, 0, length)
      if (this.#keptLength < this.#wanted) return
      this.#bytes = this.#kept
      this.#end = this.#keptLength
    }
    this.#at = 0
    this.#wanted = 0
    while (this.#at < this.#end && this.#readElement());
    this.#keptLength = 0
    if (this.#at < this.#end) this.#keep(this.#bytes, this.#at, this.#end)
  }

  #keep(from: Buffer, start: number, end: number): void {
    const length = this.#keptLength + end - start
    if (length > this.#kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#wanted, 2 * this.#kept.length))
      this.#kept.copy(larger, 0, 0, this.#keptLength)
      this.#kept = larger
    }
    from.copy(this.#kept, this.#keptLength, start, end)
    this.#keptLength = length
  }

  /** False: the element is not complete, and `#at` is still where it begins. */
  #readElement(): boolean {
    const start = this.#at
    const kind = this.#bytes[start]
    this.#at++
    const isRead =
      kind === COLON || kind === DOLLAR || kind === STAR ? this.#readCounted(kind, start) : this.#readLine(kind, start)
    if (!isRead) this.#at = start
    return isRead
  }

  #readCounted(kind: number, start: number): boolean {
    const value = this.#readInteger()
    if (value === undefined) return false
    if (kind === COLON) return this.#add(value, start)
    if (value === -1) return this.#add(null, start)
    if (kind === DOLLAR) return this.#readBulk(value, start)
    if (value < 0 || value * SMALLEST_ELEMENT > LARGEST_REPLY) throw new ProtocolError('an array of no sensible length')
    if (value === 0) return this.#add([], start)
    if (this.#open.length === DEEPEST) throw new ProtocolError('arrays in arrays in arrays')
    this.#grow(start)
    this.#open.push({ items: [], missing: value })
    return true
  }

  #readBulk(length: number, start: number): boolean {
    if (length < 0 || length > LARGEST_REPLY) throw new ProtocolError('a string of no sensible length')
    const end = this.#at + length
    if (end + 2 > this.#end) {
      this.#wanted = end + 2 - start
      return false
    }
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    this.#readLineEnd()
    return this.#add(text, start)
  }

  #readLine(kind: number | undefined, start: number): boolean {
    if (kind !== PLUS && kind !== MINUS) throw new ProtocolError('no kind of reply begins like this')
    const end = this.#bytes.indexOf(CR, this.#at)
    const isEnded = end !== -1 && end < this.#end
    if ((isEnded ? end : this.#end) - this.#at > LONGEST_LINE) throw new ProtocolError('an endless line')
    if (!isEnded || end + 2 > this.#end) return false
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    this.#readLineEnd()
    return this.#add(kind === PLUS ? text : new ReplyError(text), start)
  }

  /** With its end of line. */
  #readInteger(): number | undefined {
    const isNegative = this.#bytes[this.#at] === MINUS
    let at = isNegative ? this.#at + 1 : this.#at
    const first = at
    let value = 0
    for (; at < this.#end; at++) {
      const byte = this.#bytes[at] ?? 0
      if (byte === CR) break
      const digit = byte - ZERO
      if (digit < 0 || digit > 9 || at - first === LONGEST_INTEGER) throw new ProtocolError('not an integer')
      value = value * 10 + digit
    }
    if (at < this.#end && at === first) throw new ProtocolError('not an integer')
    if (at + 2 > this.#end) return undefined
    this.#at = at
    this.#readLineEnd()
    return isNegative ? -value : value
  }

  #readLineEnd(): void {
    if (this.#bytes[this.#at] !== CR || this.#bytes[this.#at + 1] !== LF) throw new ProtocolError('a line goes on')
    this.#at += 2
  }

  #grow(start: number): void {
    this.#size += this.#at - start
    if (this.#size > LARGEST_REPLY) throw new ProtocolError('a reply that is too large')
  }

  #add(element: Reply, start: number): true {
    this.#grow(start)
    let complete = element
    for (let array = this.#open.at(-1); array; array = this.#open.at(-1)) {
      array.items.push(complete)
      array.missing--
      if (array.missing > 0) return true
      complete = array.items
      this.#open.pop()
    }
    this.#size = 0
    this.#onReply(complete)
    return true
  }
}
