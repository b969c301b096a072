// What earlier pages of a search showed. Engines rank independently, so a hit on one engine's second page may have been on
// another's first; a later page leaves it out.
import type { EngineResponse } from '@bowerbird/engines/engine.ts'
import type { ResponseCache, ResponseLookup } from '../cache/response-cache.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import { toWantedResponse } from './ask-engines.ts'
import { type Ask, planSearch } from './plan.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'
import { toEngineQuery } from './search-request.ts'
import type { Slot } from './slots.ts'

/** Few people go further than this. */
const MAX_PAGES_BACK = 10

/** The canonical URLs on earlier pages, as far as their responses are cached. */
export async function findPreviousUrls(
  ask: Ask,
  { slots, cache, now }: { slots: readonly Slot[]; cache: ResponseCache; now: number },
): Promise<ReadonlySet<string>> {
  const { tab, request } = ask
  const lookups: ResponseLookup<EngineResponse>[] = []
  for (let page = Math.max(1, request.page - MAX_PAGES_BACK); page < request.page; page++) {
    const earlierRequest = { ...request, page }
    const keyPrefix = responseKey({ tab, ...toEngineQuery(earlierRequest, now) })
    const { engines } = planSearch({ ...ask, request: earlierRequest }, slots)
    lookups.push(...engines.map((planned) => ({ ...toWantedResponse(planned, tab), keyPrefix })))
  }
  const responses = await cache.peek(lookups, isResponseOf[tab])
  const urls = responses.flatMap((response) => response?.hits.map(({ url }) => canonicalAddress(url)) ?? [])
  return new Set(urls)
}
