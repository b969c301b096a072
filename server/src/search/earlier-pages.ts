// What earlier pages of the same search have shown, as far as they are cached: engines rank on their own, so what one of
// them puts on its second page another may have had on its first. A later page leaves that out. No provider is asked for
// an earlier page because of it.
import type { CachedResponse, ResponseCache } from '../cache/response-cache.ts'
import type { Tab } from '../providers/engine.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import type { ResponseOfTab } from './outcome.ts'
import { planSearch, type SearchRequest, type Slot } from './plan.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'

/** People who go further have long found something else. */
const MOST_PAGES_BACK = 10

interface EarlierPages {
  slots: readonly Slot[]
  cache: ResponseCache
  request: SearchRequest
}

/** Canonical addresses. */
export async function shownEarlier(tab: Tab, { slots, cache, request }: EarlierPages): Promise<ReadonlySet<string>> {
  const { text, safe, date, lang } = request
  const wanted: CachedResponse<ResponseOfTab<Tab>>[] = []
  for (let page = Math.max(1, request.page - MOST_PAGES_BACK); page < request.page; page++) {
    const base: string = responseKey({ tab, text, page, safe, date, lang })
    for (const { bound } of planSearch(tab, slots, { ...request, page }).asks) {
      // The guard of a tab is that of its responses; the type checker does not see it through the name.
      const isResponse = isResponseOf[tab] as (value: unknown) => value is ResponseOfTab<Tab>
      wanted.push({ base, slug: bound.engine.slug, isResponse })
    }
  }
  const responses = wanted.length === 0 ? [] : await cache.peek(wanted)
  return new Set(responses.flatMap(({ hits }) => hits.map(({ url }) => canonicalAddress(url))))
}
