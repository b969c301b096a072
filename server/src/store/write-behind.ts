// Writes rows to the database in the background, in batches: usage, costs, contributions, last use, provider history. No
// request waits for a write or fails because of one. While the database is away, rows are kept and written later; an
// orderly stop writes what is left; a killed process loses at most what it collected since its last write.
//
// Each row has a key, and a newer row with the same key replaces an older one. So a counter puts its absolute value,
// and a repeated write changes nothing.
import type { Log } from '../log.ts'
import { repeat } from '../repeat.ts'

interface WriteBehindParts<Row> {
  /** What is written, for the log: "usage". */
  name: string
  everyMs: number
  log: Log
  /** Must be idempotent: after an error it is called again with the same rows, or newer ones. */
  write: (rows: Row[]) => Promise<void>
  rowsPerWrite?: number
  /** While nothing can be written, the oldest rows beyond this number are dropped. */
  maxRows?: number
}

export class WriteBehind<Row> {
  readonly #parts: WriteBehindParts<Row>
  readonly #rows = new Map<string, Row>()
  #isFailing = false
  #lastFlush: Promise<boolean> = Promise.resolve(true)
  #stopRepeating = (): Promise<void> => Promise.resolve()
  /** When everything was last written (milliseconds since 1970, 0: never), and how long the last attempt took. */
  readonly state = { succeededAt: 0, lastMs: 0 }

  constructor(parts: WriteBehindParts<Row>) {
    this.#parts = parts
  }

  put(key: string, row: Row): void {
    this.#rows.set(key, row)
    if (this.#rows.size > (this.#parts.maxRows ?? Number.POSITIVE_INFINITY)) this.#dropOldest()
  }

  /** Rows that the database does not have yet. */
  unwritten(): Row[] {
    return [...this.#rows.values()]
  }

  start(): void {
    const work = async () => void (await this.flush())
    this.#stopRepeating = repeat({ everyMs: this.#parts.everyMs, work })
  }

  /** Stops repeating and writes what is left. */
  async stop(): Promise<void> {
    await this.#stopRepeating()
    const isWritten = await this.flush()
    if (!isWritten) this.#parts.log.warn({ rows: this.#rows.size }, `${this.#parts.name} was lost at shutdown`)
  }

  /** Writes never overlap. False: something couldn't be written, and is kept. */
  flush(): Promise<boolean> {
    this.#lastFlush = this.#lastFlush.then(() => this.#flushNow())
    return this.#lastFlush
  }

  async #flushNow(): Promise<boolean> {
    const { name, log, write, rowsPerWrite = 500 } = this.#parts
    const startedAt = performance.now()
    const entries = [...this.#rows]
    try {
      for (let from = 0; from < entries.length; from += rowsPerWrite) {
        const batch = entries.slice(from, from + rowsPerWrite)
        await write(batch.map(([, row]) => row))
        for (const [key, row] of batch) if (this.#rows.get(key) === row) this.#rows.delete(key)
      }
      if (this.#isFailing) log.info(`writing ${name} again`)
      this.#isFailing = false
      this.state.succeededAt = Date.now()
    } catch (error) {
      if (!this.#isFailing) log.warn({ err: new Error(`could not write ${name}; will retry`, { cause: error }) })
      this.#isFailing = true
    }
    this.state.lastMs = performance.now() - startedAt
    return !this.#isFailing
  }

  #dropOldest(): void {
    const { name, log } = this.#parts
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined) this.#rows.delete(oldest)
    if (!this.#isFailing) log.warn(`dropping the oldest ${name}: too much is waiting to be written`)
    this.#isFailing = true
  }
}
