// The requests to a provider: a count of all and the last ten thousand. Requests are kept raw and parsed only on
// demand, because recording happens on every request of a benchmark.
import type { RawRequest } from './renderer.ts'

const CALLS_KEPT = 10_000
const CONNECTION_HEADERS = new Set(['host', 'connection', 'keep-alive', 'te', 'content-length', 'transfer-encoding'])

export interface Call {
  /** Milliseconds since 1970. */
  at: number
  method: string
  /** Below the provider's base, without the query string. */
  path: string
  query: Record<string, string>
  /** Lower-case names, without connection headers. */
  headers: Record<string, string>
  body: string
}

export class CallLog {
  #count = 0
  readonly #latest: { at: number; request: RawRequest }[] = []

  get count(): number {
    return this.#count
  }

  record(at: number, request: RawRequest): void {
    this.#latest[this.#count % CALLS_KEPT] = { at, request }
    this.#count++
  }

  /** Oldest first. */
  list(): Call[] {
    const oldest = this.#count > CALLS_KEPT ? this.#count % CALLS_KEPT : 0
    return [...this.#latest.slice(oldest), ...this.#latest.slice(0, oldest)].map(({ at, request }) => ({
      at,
      method: request.method,
      path: request.path,
      query: Object.fromEntries(new URLSearchParams(request.search)),
      headers: Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          value === undefined || CONNECTION_HEADERS.has(name) ? [] : [[name, String(value)]],
        ),
      ),
      body: request.body,
    }))
  }

  clear(): void {
    this.#count = 0
    this.#latest.length = 0
  }
}
