// Finds the results that earlier pages of the same search showed, as far as they are cached. Engines rank
// independently, so a hit on one engine's second page may have been on another's first; a later page leaves it out. No
// provider is called for an earlier page.

import type { Tab } from '@bowerbird/engines/engine.ts'
import type { CachedResponse, ResponseCache } from '../cache/response-cache.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import type { ResponseOfTab } from './outcome.ts'
import { planSearch, type SearchRequest, type Slot } from './plan.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'

/** Few people go further than this. */
const MOST_PAGES_BACK = 10

interface PreviousPages {
  slots: readonly Slot[]
  cache: ResponseCache
  request: SearchRequest
}

/** Returns canonical URLs. */
export async function previousPageUrls(
  tab: Tab,
  { slots, cache, request }: PreviousPages,
): Promise<ReadonlySet<string>> {
  const { text, safe, date, lang } = request
  const wanted: CachedResponse<ResponseOfTab<Tab>>[] = []
  for (let page = Math.max(1, request.page - MOST_PAGES_BACK); page < request.page; page++) {
    const base: string = responseKey({ tab, text, page, safe, date, lang })
    for (const { bound } of planSearch(tab, slots, { ...request, page }).asks) {
      // The guard for a tab checks that tab's responses; the type checker cannot follow that through the name.
      const isResponse = isResponseOf[tab] as (value: unknown) => value is ResponseOfTab<Tab>
      wanted.push({ base, slug: bound.engine.slug, isResponse })
    }
  }
  const responses = wanted.length === 0 ? [] : await cache.peek(wanted)
  return new Set(responses.flatMap(({ hits }) => hits.map(({ url }) => canonicalAddress(url))))
}
