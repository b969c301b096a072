// The cache of provider responses. It caches each engine's own response, never a merged page of results, so a search
// with other engines, or after one of them has recovered, can reuse what is there. Process memory is in front of Redis.
// Both keep a response only as long as the provider's terms and the operator allow (its hard life).
//
// For half of that time (its soft life), a response is simply served. After that it is still served immediately, while
// it is refreshed in the background. If the refresh fails, the old response is served as stale until the end of
// its hard life. Failures are remembered for a second, so that a failing query isn't sent again for every search. A
// search running out of time isn't a failure of the provider: other searches have their own deadlines.
//
// If the terms allow only transient storage (`cacheIn: 'memory'`), the response lives in process memory. It passes
// through Redis for at most ten seconds, for a node that wants it a moment later and would otherwise pay again.
//
// A search waits for nothing if all responses are in memory, and otherwise for one round trip to Redis for all of them.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { Log } from '../log.ts'
import { type CacheEntry, createMemoryStore, type MemoryStore } from './memory-store.ts'
import type { RedisStore } from './redis-store.ts'
import {
  type AnyFetch,
  createDeadlineError,
  type Fetch,
  type Flight,
  type ResponseOutcome,
  readResponse,
  SingleFlight,
  type WantedResponse,
} from './single-flight.ts'

/** The cache key of a query: the prefix of the keys of its responses, which all have this type. */
export type ResponseKey<Response> = string & { readonly responses?: Response }

export interface ResponseCache {
  /** How many responses came from each source since the start, for the metrics. */
  results: Readonly<Record<CacheResult, number>>
  /** Counts a response where it is used: one that was only looked up in memory may not be. */
  countServed: (outcome: ResponseOutcome<unknown>) => void
  /**
   * The hot path: returns the response without waiting, if it is in memory and within its soft life. It is the same object
   * every time, as long as it is among the most recently used.
   */
  findInMemory: <Response>(keyPrefix: ResponseKey<Response>, slug: string) => Response | undefined
  /** Looks up these responses in memory and in Redis, and fetches nothing. Each is undefined if it isn't there. */
  peek: <Response>(
    lookups: readonly ResponseLookup<Response>[],
    isResponse: (value: unknown) => value is Response,
  ) => Promise<(Response | undefined)[]>
  /**
   * Looks up all of them together, and fetches those that are missing or due for a refresh. Each outcome is known by
   * the end of the search's deadline, and never rejects.
   */
  getOrFetch: <Response, Wanted extends WantedResponse<Response>>(
    keyPrefix: ResponseKey<Response>,
    wanted: readonly Wanted[],
    deadline: Deadline,
    fetch: Fetch<Wanted, Response>,
  ) => Promise<ResponseOutcome<Response>>[]
}

/** `miss`: the response came from a call, which other searches may have shared. `error`: there was no response. */
type CacheResult = 'memory' | 'shared' | 'stale' | 'miss' | 'error'

export interface ResponseLookup<Response> {
  keyPrefix: ResponseKey<Response>
  slug: string
}

interface ResponseCacheParts {
  /** Undefined on an instance without Redis. */
  shared: RedisStore | undefined
  clock: () => number
  /** The operator's limit on every response's life. With 0, nothing is cached and every search calls the providers. */
  maxAgeSeconds: number
  maxMemoryBytes?: number
  log: Log
}

const DEFAULT_MEMORY_BYTES = 24_000_000

export const createResponseCache = (parts: ResponseCacheParts): ResponseCache => new TieredResponseCache(parts)

/** Stores responses only under a key of their own type, so whatever it finds under a key has that type. */
class TieredResponseCache implements ResponseCache {
  readonly results: Record<CacheResult, number> = { memory: 0, shared: 0, stale: 0, miss: 0, error: 0 }
  readonly #memory: MemoryStore
  readonly #shared: RedisStore | undefined
  readonly #flights: SingleFlight
  readonly #clock: () => number
  readonly #maxAgeSeconds: number

  constructor({ shared, clock, maxAgeSeconds, maxMemoryBytes = DEFAULT_MEMORY_BYTES, log }: ResponseCacheParts) {
    this.#memory = createMemoryStore({ clock, maxBytes: maxMemoryBytes })
    this.#shared = maxAgeSeconds > 0 ? shared : undefined
    this.#flights = new SingleFlight({ memory: this.#memory, shared: this.#shared, clock, log })
    this.#clock = clock
    this.#maxAgeSeconds = maxAgeSeconds
  }

  countServed(outcome: ResponseOutcome<unknown>): void {
    this.results[toCacheResult(outcome)]++
  }

  findInMemory<Response>(keyPrefix: ResponseKey<Response>, slug: string): Response | undefined {
    const now = this.#clock()
    const entry = this.#memory.find(toKey(keyPrefix, slug), now)
    if (!entry || now >= entry.softAt) return undefined
    // Responses are stored only under a key of their own type.
    return entry.response as Response
  }

  peek<Response>(
    lookups: readonly ResponseLookup<Response>[],
    isResponse: (value: unknown) => value is Response,
  ): Promise<(Response | undefined)[]> {
    const now = this.#clock()
    const peekOne = async ({ keyPrefix, slug }: ResponseLookup<Response>) => {
      const entry = this.#memory.find(toKey(keyPrefix, slug), now)
      if (entry) return entry.response as Response
      const text = await this.#shared?.findText(keyPrefix, slug)
      return readResponse(text, isResponse)
    }
    return Promise.all(lookups.map(peekOne))
  }

  getOrFetch<Response, Wanted extends WantedResponse<Response>>(
    keyPrefix: ResponseKey<Response>,
    allWanted: readonly Wanted[],
    deadline: Deadline,
    fetch: Fetch<Wanted, Response>,
  ): Promise<ResponseOutcome<Response>>[] {
    const now = this.#clock()
    const flights = this.#flights
    const openedFlights: Flight[] = []

    const outcomes = allWanted.map((wanted): Promise<ResponseOutcome<unknown>> => {
      const lifeMs = 1_000 * Math.min(wanted.cacheSeconds, this.#maxAgeSeconds)
      const request = { keyPrefix, key: toKey(keyPrefix, wanted.slug), wanted, lifeMs, fetch: fetch as AnyFetch }
      if (lifeMs <= 0) return flights.fetchUncached(request, deadline)

      const entry = this.#memory.find(request.key, now)
      const runningFlight = flights.find(request.key)
      if (entry) {
        if (now >= entry.refreshAt && !runningFlight) openedFlights.push(flights.openRefresh(request))
        return Promise.resolve(toOutcome(entry, now))
      }

      const failure = flights.findFailure(request.key)
      if (failure) return Promise.resolve({ error: failure })
      if (deadline.signalled) return Promise.resolve({ error: createDeadlineError(deadline) })
      if (runningFlight) return flights.join(runningFlight, deadline)

      const flight = flights.openFlight(request, deadline)
      openedFlights.push(flight)
      return flights.join(flight, deadline)
    })
    // They share a round trip.
    flights.start(openedFlights)
    return outcomes as Promise<ResponseOutcome<Response>>[]
  }
}

const toKey = (keyPrefix: string, slug: string): string => `${keyPrefix}:${slug}`

const toOutcome = (entry: CacheEntry, now: number): ResponseOutcome<unknown> => ({
  response: entry.response,
  from: 'memory',
  isStale: entry.isFailing && now >= entry.softAt,
  ageMs: now - entry.bornAt,
})

function toCacheResult(outcome: ResponseOutcome<unknown>): CacheResult {
  if ('error' in outcome) return 'error'
  if (outcome.isStale) return 'stale'
  if (outcome.from === 'provider') return 'miss'
  return outcome.from
}
