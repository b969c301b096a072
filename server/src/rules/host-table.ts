// A map from host names to one of a few values, for long lists. It keeps names as bytes in one buffer, so that 200,000 of
// them take a third of the memory of a `Map`, and none of the garbage collector's time, which would stop searches.
//
// It is a hash table with open addressing. A list may be made to collide, so after a number of steps a name goes into an
// ordinary `Map`, whose hash nobody knows.

const MAX_STEPS = 32
/** An entry is the number of its value, the length of the name, and the name. */
const HEAD_BYTES = 2

export class HostTable<Value> {
  readonly #values: readonly Value[]
  readonly #crowded = new Map<string, Value>()
  /** Where in `#entries` an entry begins, from 1; 0 for a free slot. */
  #slots = new Uint32Array(32)
  #entries = Buffer.alloc(512)
  #end = 0
  #count = 0

  constructor(values: readonly Value[]) {
    this.#values = values
  }

  get(host: string): Value | undefined {
    if (this.#isCrowded(host)) return this.#crowded.get(host)
    const slot = this.#slotOf(host)
    const entry = slot === undefined ? 0 : (this.#slots[slot] ?? 0)
    return entry === 0 ? undefined : this.#values[this.#entries[entry - 1] ?? 0]
  }

  /** The name is ASCII and has at most 255 characters, as host names do. */
  set(host: string, value: Value): void {
    if ((this.#count + 1) * 2 > this.#slots.length) this.#grow()
    // Once there, always there: a table that has grown would have room for it.
    const slot = this.#isCrowded(host) ? undefined : this.#slotOf(host)
    if (slot === undefined) {
      // A copy: a part of a longer text would keep all of it in memory.
      this.#crowded.set(Buffer.from(host, 'latin1').toString('latin1'), value)
      return
    }
    const entry = this.#slots[slot] ?? 0
    if (entry > 0) this.#entries[entry - 1] = this.#values.indexOf(value)
    else this.#append(host, value, slot)
  }

  /** Most tables have none: then the host needn't be hashed again. */
  #isCrowded(host: string): boolean {
    return this.#crowded.size > 0 && this.#crowded.has(host)
  }

  #append(host: string, value: Value, slot: number): void {
    const end = this.#end + HEAD_BYTES + host.length
    if (end > this.#entries.length) this.#entries = Buffer.concat([this.#entries], end * 2)
    this.#entries[this.#end] = this.#values.indexOf(value)
    this.#entries[this.#end + 1] = host.length
    this.#entries.write(host, this.#end + HEAD_BYTES, 'latin1')
    this.#slots[slot] = this.#end + 1
    this.#end = end
    this.#count += 1
  }

  /** The slot that has the host, or the free one where it belongs; undefined if both are too far. */
  #slotOf(host: string): number | undefined {
    const mask = this.#slots.length - 1
    let slot = hashOf(host) & mask
    for (let step = 0; step < MAX_STEPS; step++) {
      const entry = this.#slots[slot] ?? 0
      if (entry === 0 || this.#hasHost(entry - 1, host)) return slot
      slot = (slot + 1) & mask
    }
    return undefined
  }

  #hasHost(start: number, host: string): boolean {
    const entries = this.#entries
    if (entries[start + 1] !== host.length) return false
    for (let at = 0; at < host.length; at++) if (entries[start + HEAD_BYTES + at] !== host.charCodeAt(at)) return false
    return true
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (let start = 0; start < this.#end; ) {
      const from = start + HEAD_BYTES
      const end = from + (this.#entries[start + 1] ?? 0)
      const host = this.#entries.toString('latin1', from, end)
      const slot = this.#slotOf(host)
      if (slot !== undefined) this.#slots[slot] = start + 1
      else this.#crowded.set(host, this.#values[this.#entries[start] ?? 0] as Value)
      start = end
    }
  }
}

/** FNV-1a, with its high bits mixed into the low ones. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
