// A map that evicts its oldest entry when it is full.

export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  getOrCreate(key: string, create: () => Value): Value {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const created = create()
    if (this.#entries.size >= this.#limit) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest)
        break
      }
    }
    this.#entries.set(key, created)
    return created
  }
}
