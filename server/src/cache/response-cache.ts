// The cache of engine pages. It caches each engine's own reply, never a merged page, so a search with other engines, or
// after one of them has recovered, can reuse what is there. Process memory is in front of Redis. Both keep a page only
// as long as the provider's terms and the operator allow (its hard life).
//
// For half of that time (its soft life), a page is simply served. After that it is still served immediately, while one
// node refreshes it in the background. If the refresh fails, the old page is served as stale until the end of its hard
// life. Failures are remembered for a second, so that a failing query isn't sent again for every search. A search
// running out of time isn't a failure of the provider: other searches have their own deadlines.
//
// If the terms allow only transient storage (`cacheIn: 'memory'`), the page lives in process memory. It passes through
// Redis for at most ten seconds, for nodes that want it at the same time and would otherwise each pay for it.
//
// A search waits for nothing if all pages are in memory, and otherwise for one round trip to Redis for all of them.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { Log } from '../log.ts'
import { type CacheEntry, createMemoryStore, type MemoryStore } from './memory-store.ts'
import type { RedisStore } from './redis-store.ts'
import type { ResponseKey, ResponseLoader, ResponseOutcome } from './response-loader.ts'
import { errorOf, type Flight, readResponse, SingleFlight } from './single-flight.ts'

export interface ResponseCache {
  /** How many responses came from each source since the start, for the metrics. */
  results: Readonly<Record<CacheResult, number>>
  /**
   * The hot path: returns the pages of these engines without waiting, if all are in memory and within their soft life.
   * They are the same objects every time, as long as they are among the most recently used.
   */
  fromMemory: <Page>(base: ResponseKey<Page>, slugs: readonly string[]) => readonly Page[] | undefined
  /** Returns those of these pages that are in memory or in Redis, in any order. Never calls a provider. */
  peek: <Page>(wanted: readonly CachedResponse<Page>[]) => Promise<Page[]>
  /** Resolves to one outcome for each loader, in order, by the end of `until` at the latest. Never rejects. */
  obtain: <Page>(
    base: ResponseKey<Page>,
    asks: readonly ResponseLoader<Page>[],
    until: Deadline,
  ) => Promise<ResponseOutcome<Page>[]>
}

/** `miss`: the provider was called. `error`: there was no response. */
type CacheResult = 'memory' | 'redis' | 'stale' | 'miss' | 'error'

/** A response that may be cached. */
export interface CachedResponse<Page> {
  base: ResponseKey<Page>
  slug: string
  isResponse: (value: unknown) => value is Page
}

interface ResponseCacheParts {
  /** Undefined on an instance without Redis. */
  shared: RedisStore | undefined
  clock: () => number
  /** The operator's limit on every page's life; 0: nothing is cached, and every search calls the providers. */
  maxAgeSeconds: number
  maxBytes?: number
  log: Log
}

type Pending = ResponseOutcome<unknown> | Promise<ResponseOutcome<unknown>>

/** Of process memory. */
const DEFAULT_MAX_BYTES = 24_000_000

const keyOf = (base: string, slug: string): string => `${base}:${slug}`

export function createResponseCache(parts: ResponseCacheParts): ResponseCache {
  const { shared, clock, maxAgeSeconds, maxBytes = DEFAULT_MAX_BYTES, log } = parts
  const memory = createMemoryStore({ clock, maxBytes })
  const results: Record<CacheResult, number> = { memory: 0, redis: 0, stale: 0, miss: 0, error: 0 }
  const flights = new SingleFlight({ memory, shared, clock, log })

  /** Returns each page's outcome if it is known already, and starts flights for the rest. */
  function lookUp(base: string, asks: readonly ResponseLoader<unknown>[], until: Deadline) {
    const now = clock()
    const opened: Flight[] = []
    const outcomes = asks.map((ask): Pending => {
      const key = keyOf(base, ask.slug)
      const wanted = { key, base, ask, lifeMs: 1_000 * Math.min(ask.cacheSeconds, maxAgeSeconds) }
      if (wanted.lifeMs <= 0) return flights.fetchUncached(ask, until)
      const kept = memory.find(key, now)
      let flight = flights.get(key)
      if (kept) {
        if (now >= kept.refreshAt && !flight) opened.push(flights.open(wanted, 'refresh'))
        return fromKept(kept, now)
      }
      const failure = flights.failureOf(key)
      if (failure) return { error: failure }
      if (until.signalled) return { error: errorOf(until) }
      if (!flight) {
        flight = flights.open(wanted, until)
        opened.push(flight)
      }
      return flights.join(flight, until)
    })
    flights.start(opened)
    return outcomes
  }

  return {
    results,
    fromMemory: createFromMemory(memory, clock, results),
    peek: createPeek({ memory, shared: maxAgeSeconds > 0 ? shared : undefined, clock }),
    async obtain<Page>(base: ResponseKey<Page>, asks: readonly ResponseLoader<Page>[], until: Deadline) {
      const outcomes = lookUp(base, asks, until)
      const told = asks.map(async (ask, at) => {
        // Pages are stored only under a key of their own type.
        const outcome = (await outcomes[at]) as ResponseOutcome<Page>
        ask.onOutcome?.(outcome)
        results[resultOf(outcome)]++
        return outcome
      })
      return await Promise.all(told)
    },
  }
}

function resultOf(outcome: ResponseOutcome<unknown>): CacheResult {
  if ('error' in outcome) return 'error'
  if (outcome.isStale) return 'stale'
  return outcome.from === 'memory' ? 'memory' : outcome.from === 'shared' ? 'redis' : 'miss'
}

function createFromMemory(
  memory: MemoryStore,
  clock: () => number,
  results: Record<CacheResult, number>,
): ResponseCache['fromMemory'] {
  return <Page>(base: ResponseKey<Page>, slugs: readonly string[]) => {
    const now = clock()
    const pages: Page[] = []
    for (const slug of slugs) {
      const kept = memory.find(keyOf(base, slug), now)
      if (!kept || now >= kept.softAt) return undefined
      // As above.
      pages.push(kept.page as Page)
    }
    results.memory += pages.length
    return pages
  }
}

/** Looks in memory, then in Redis for the rest, without waiting for other nodes. */
function createPeek({ memory, shared, clock }: Pick<ResponseCacheParts, 'shared' | 'clock'> & { memory: MemoryStore }) {
  return async <Page>(wanted: readonly CachedResponse<Page>[]): Promise<Page[]> => {
    const now = clock()
    const found: Page[] = []
    const elsewhere: CachedResponse<Page>[] = []
    for (const one of wanted) {
      const kept = memory.find(keyOf(one.base, one.slug), now)
      // As above.
      if (kept) found.push(kept.page as Page)
      else elsewhere.push(one)
    }
    if (elsewhere.length === 0 || !shared) return found
    const texts = await shared.read(elsewhere)
    // All pages have the same type, so any of the guards will do.
    const isResponse = elsewhere[0]?.isResponse ?? ((_value): _value is Page => false)
    return [...found, ...texts.flatMap((text) => readResponse(text, isResponse) ?? [])]
  }
}

const fromKept = (kept: CacheEntry, now: number): ResponseOutcome<unknown> => ({
  page: kept.page,
  from: 'memory',
  isStale: kept.isFailing && now >= kept.softAt,
  ageMs: now - kept.bornAt,
})
