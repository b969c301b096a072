// What a search would do, without doing it: which engines it would ask, which of them only if the others find too little,
// whose responses are cached, and which engines are skipped and why. By the same plan as a search, and without a call.
import { indexOf } from '@bowerbird/engines/engine.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { toWantedResponse } from './ask-engines.ts'
import { type Ask, type Plan, planSearch } from './plan.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'
import { toEngineQuery } from './search-request.ts'
import type { Slot } from './slots.ts'

export interface PreviewedEngine {
  slot: string
  slug: string
  name: string
  /** Whose index it shows. */
  index: string
  /** It is only asked if the others find too little. */
  isLater: boolean
  /** It can't favour the region of the search. */
  ignoresRegion: boolean
  isCached: boolean
  /** The price of its call as a multiple of the provider's. */
  priceFactor: number
}

export interface SearchPreview {
  engines: PreviewedEngine[]
  skips: Plan['skips']
}

interface PreviewParts {
  slots: readonly Slot[]
  cache: Pick<ResponseCache, 'peek'>
  now: number
}

export async function previewSearch(ask: Ask, { slots, cache, now }: PreviewParts): Promise<SearchPreview> {
  const { tab, request } = ask
  const query = toEngineQuery(request, now)
  const plan = planSearch(ask, slots)
  const keyPrefix = responseKey({ tab, ...query })
  const lookups = plan.engines.map((planned) => ({ ...toWantedResponse(planned, tab), keyPrefix }))
  const cachedResponses = await cache.peek(lookups, isResponseOf[tab])
  const engines = plan.engines.map((planned, index): PreviewedEngine => {
    const { engine, settings } = planned.bound
    return {
      slot: planned.slot.name,
      slug: engine.slug,
      name: engine.name,
      index: indexOf(engine),
      isLater: plan.secondWave.includes(planned),
      ignoresRegion: planned.ignoresRegion === true,
      isCached: cachedResponses[index] !== undefined,
      priceFactor: planned.tab.request(query, settings).priceFactor ?? planned.tab.priceFactor ?? 1,
    }
  })
  return { engines, skips: plan.skips }
}
