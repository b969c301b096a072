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
// through Redis for at most ten seconds, for nodes that want it at the same time and would otherwise each pay for it.
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

/** The cache key of responses of one type; the type is for the type checker only. */
export type ResponseKey<Response> = string & { readonly responses?: Response }

export interface ResponseCache {
  /** How many responses came from each source since the start, for the metrics. */
  results: Readonly<Record<CacheResult, number>>
  /** Counts a response where it is used: one that was only looked up in memory may not be. */
  countServed: (outcome: ResponseOutcome<unknown>) => void
  /**
   * The hot path: returns the responses of these engines without waiting, if all are in memory and within their soft
   * life. They are the same objects every time, as long as they are among the most recently used.
   */
  fromMemory: <Response>(base: ResponseKey<Response>, slugs: readonly string[]) => readonly Response[] | undefined
  /** Returns those of these responses that are in memory or in Redis, in any order, and fetches nothing. */
  peek: <Response>(wanted: readonly CachedResponse<Response>[]) => Promise<Response[]>
  /**
   * Looks up all of them together, and fetches those that are missing or due for a refresh. Each outcome is known by the
   * end of the search's deadline, and never rejects.
   */
  getOrFetch: <Response, Wanted extends WantedResponse<Response>>(
    base: ResponseKey<Response>,
    wanted: readonly Wanted[],
    until: Deadline,
    fetch: Fetch<Wanted, Response>,
  ) => Promise<ResponseOutcome<Response>>[]
}

/** `miss`: the provider was called. `error`: there was no response. */
type CacheResult = 'memory' | 'redis' | 'stale' | 'miss' | 'error'

/** A response that may be cached. */
export interface CachedResponse<Response> {
  base: ResponseKey<Response>
  slug: string
  isResponse: (value: unknown) => value is Response
}

interface ResponseCacheParts {
  /** Undefined on an instance without Redis. */
  shared: RedisStore | undefined
  clock: () => number
  /** The operator's limit on every response's life; 0: nothing is cached, and every search calls the providers. */
  maxAgeSeconds: number
  maxBytes?: number
  log: Log
}

/** Of process memory. */
const DEFAULT_MAX_BYTES = 24_000_000

const toKey = (base: string, slug: string): string => `${base}:${slug}`

export function createResponseCache(parts: ResponseCacheParts): ResponseCache {
  const { shared, clock, maxAgeSeconds, maxBytes = DEFAULT_MAX_BYTES, log } = parts
  const memory = createMemoryStore({ clock, maxBytes })
  const results: Record<CacheResult, number> = { memory: 0, redis: 0, stale: 0, miss: 0, error: 0 }
  const flights = new SingleFlight({ memory, shared, clock, log })

  function getOrFetch(
    base: string,
    all: readonly WantedResponse<unknown>[],
    until: Deadline,
    fetch: AnyFetch,
  ): Promise<ResponseOutcome<unknown>>[] {
    const now = clock()
    const opened: Flight[] = []
    const outcomes = all.map((wanted): Promise<ResponseOutcome<unknown>> => {
      const key = toKey(base, wanted.slug)
      const lifeMs = 1_000 * Math.min(wanted.cacheSeconds, maxAgeSeconds)
      if (lifeMs <= 0) return flights.fetchUncached(wanted, until, fetch)
      const open = (deadline: Deadline | 'refresh'): Flight => {
        const flight = flights.open({ key, base, wanted, lifeMs, fetch }, deadline)
        opened.push(flight)
        return flight
      }
      const entry = memory.find(key, now)
      const running = flights.get(key)
      if (entry) {
        if (now >= entry.refreshAt && !running) open('refresh')
        return Promise.resolve(toOutcome(entry, now))
      }
      const error = flights.findFailure(key) ?? (until.signalled ? createDeadlineError(until) : undefined)
      return error ? Promise.resolve({ error }) : flights.join(running ?? open(until), until)
    })
    // The flights of one search share a round trip.
    flights.start(opened)
    return outcomes
  }

  return {
    results,
    countServed: (outcome) => void results[toCacheResult(outcome)]++,
    fromMemory: createFromMemory(memory, clock),
    peek: createPeek({ memory, shared: maxAgeSeconds > 0 ? shared : undefined, clock }),
    // Responses are stored only under a key of their own type.
    getOrFetch: getOrFetch as ResponseCache['getOrFetch'],
  }
}

function toCacheResult(outcome: ResponseOutcome<unknown>): CacheResult {
  if ('error' in outcome) return 'error'
  if (outcome.isStale) return 'stale'
  return outcome.from === 'memory' ? 'memory' : outcome.from === 'shared' ? 'redis' : 'miss'
}

function createFromMemory(memory: MemoryStore, clock: () => number): ResponseCache['fromMemory'] {
  return <Response>(base: ResponseKey<Response>, slugs: readonly string[]) => {
    const now = clock()
    const responses: Response[] = []
    for (const slug of slugs) {
      const entry = memory.find(toKey(base, slug), now)
      if (!entry || now >= entry.softAt) return undefined
      // Responses are stored only under a key of their own type.
      responses.push(entry.response as Response)
    }
    return responses
  }
}

/** Looks in memory, then in Redis for the rest, without waiting for other nodes. */
function createPeek({ memory, shared, clock }: Pick<ResponseCacheParts, 'shared' | 'clock'> & { memory: MemoryStore }) {
  return async <Response>(wanted: readonly CachedResponse<Response>[]): Promise<Response[]> => {
    const now = clock()
    const found: Response[] = []
    const notInMemory: CachedResponse<Response>[] = []
    for (const one of wanted) {
      const entry = memory.find(toKey(one.base, one.slug), now)
      // Responses are stored only under a key of their own type.
      if (entry) found.push(entry.response as Response)
      else notInMemory.push(one)
    }
    if (notInMemory.length === 0 || !shared) return found
    const texts = await shared.read(notInMemory)
    // All responses have the same type, so any of the guards will do.
    const isResponse = notInMemory[0]?.isResponse ?? ((_value): _value is Response => false)
    return [...found, ...texts.flatMap((text) => readResponse(text, isResponse) ?? [])]
  }
}

const toOutcome = (entry: CacheEntry, now: number): ResponseOutcome<unknown> => ({
  response: entry.response,
  from: 'memory',
  isStale: entry.isFailing && now >= entry.softAt,
  ageMs: now - entry.bornAt,
})
