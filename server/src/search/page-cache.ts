// The cache of engines' pages: of each engine's own reply, never of a merged page, so that a search with other engines, or
// after one of them has recovered, shares what there is. Process memory stands before Redis; both keep a page only as
// long as its provider's terms and the operator allow (its hard life).
//
// For half of that (its soft life) a page is simply served. From then on it is still served at once, and one node asks the
// provider for a newer one while nobody waits. If that fails, the old page is served as stale to the end of its hard life.
// Failures are remembered for a second, so that a query which fails is not asked again by everybody who wants it.
//
// Where terms allow only transient storage (`cacheIn: 'memory'`), the page lives in process memory. It passes through Redis
// for ten seconds at most, to be handed over to the nodes that want it at the same time and would each have to pay for it.
//
// What is waited for: nothing when all pages are in memory, else one round trip to Redis for all of them together.
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { SharedPages } from '../state/shared-pages.ts'
import { createMemoryPages, type KeptPage } from './memory-pages.ts'
import type { PageAsk, PageOutcome, Until } from '../cache/response-loader.ts'
import { type Flight, PageFlights } from './page-flights.ts'
import type { PageKey } from './page-key.ts'
import { createRecentFailures } from '../cache/recent-failures.ts'

export interface PageCache {
  /**
   * The pages of these engines if all are in memory and within their soft life, without waiting: the hot path. They are
   * the same objects every time, as long as they are among those used last.
   */
  fromMemory: <Page>(base: PageKey<Page>, slugs: readonly string[]) => readonly Page[] | undefined
  /** One outcome for each, in their order. Never rejects; by the end of `until` at the latest. */
  obtain: <Page>(base: PageKey<Page>, asks: readonly PageAsk<Page>[], until: Until) => Promise<PageOutcome<Page>[]>
}

interface PageCacheParts {
  /** Left out on an instance without Redis. */
  shared: SharedPages | undefined
  clock: () => number
  /** The operator's own bound on every page's life; 0: nothing is kept or shared, and every search asks for itself. */
  maxAgeSeconds: number
  maxBytes?: number
  random: () => number
  log: Log
}

type Pending = PageOutcome<unknown> | Promise<PageOutcome<unknown>>

/** Of process memory. */
const DEFAULT_MAX_BYTES = 24_000_000

const keyOf = (base: string, slug: string): string => `${base}:${slug}`

export function createPageCache(parts: PageCacheParts): PageCache {
  const { shared, clock, maxAgeSeconds, maxBytes = DEFAULT_MAX_BYTES, random, log } = parts
  const memory = createMemoryPages({ clock, maxBytes })
  const failures = createRecentFailures()
  const flights = new PageFlights({ memory, failures, shared, clock, random, log })

  /** What is known of each page by now, and the flights that are to bring what is not. */
  function lookUp(base: string, asks: readonly PageAsk<unknown>[], isTooLate: boolean) {
    const now = clock()
    const searches: Flight[] = []
    const refreshes: Flight[] = []
    const outcomes = asks.map((ask): Pending => {
      const wanted = {
        key: keyOf(base, ask.slug),
        base,
        ask,
        lifeMs: 1_000 * Math.min(ask.cacheSeconds, maxAgeSeconds),
      }
      if (wanted.lifeMs <= 0) return flights.askAlone(ask)
      const kept = memory.find(wanted.key, now)
      let flight = flights.get(wanted.key)
      if (kept) {
        if (now >= kept.refreshAt && !flight) refreshes.push(flights.open(wanted, 'refresh'))
        return fromKept(kept, now)
      }
      const error = failures.find(wanted.key, now)
      if (error) return { error }
      if (flight) return flight.outcome
      if (isTooLate) return tooLate()
      flight = flights.open(wanted, 'search')
      searches.push(flight)
      return flight.outcome
    })
    return { outcomes, searches, refreshes }
  }

  return {
    fromMemory<Page>(base: PageKey<Page>, slugs: readonly string[]) {
      const now = clock()
      const pages: Page[] = []
      for (const slug of slugs) {
        const kept = memory.find(keyOf(base, slug), now)
        if (!kept || now >= kept.softAt) return undefined
        // Pages are kept only under a key of their own type.
        pages.push(kept.page as Page)
      }
      return pages
    },
    async obtain<Page>(base: PageKey<Page>, asks: readonly PageAsk<Page>[], until: Until) {
      const { outcomes, searches, refreshes } = lookUp(base, asks, until.signalled)
      flights.takeOff(refreshes)
      flights.takeOff(searches)
      const settled = await inTime(outcomes, until, () => {
        for (const flight of searches) flights.expire(flight)
      })
      // As above.
      return settled as PageOutcome<Page>[]
    },
  }
}

const tooLate = () => ({ error: new UpstreamError('timeout', 'no page by the deadline') })

const fromKept = (kept: KeptPage, now: number): PageOutcome<unknown> => ({
  page: kept.page,
  from: 'memory',
  isStale: kept.isFailing && now >= kept.softAt,
  ageMs: now - kept.bornAt,
})

async function inTime(pending: readonly Pending[], until: Until, expire: () => void): Promise<PageOutcome<unknown>[]> {
  const { promise: expired, resolve } = Promise.withResolvers<PageOutcome<unknown>>()
  const leave = until.onExpire(() => {
    expire()
    resolve(tooLate())
  })
  const bounded = async (outcome: Pending) => (outcome instanceof Promise ? Promise.race([outcome, expired]) : outcome)
  try {
    return await Promise.all(pending.map(bounded))
  } finally {
    leave()
  }
}
