// What a search would do, without doing it: which engines it would ask, which of them only if the others find too little,
// whose responses are cached, and which engines are skipped and why. By the same plan as a search, and without a call.
import { type EngineQuery, indexOf, type Tab } from '@bowerbird/engines/engine.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { ResponseOfTab } from './outcome.ts'
import { type Ask, type Plan, type PlannedAsk, planSearch, type Slot } from './plan.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'
import { boundsOf } from './result-bounds.ts'
import { laterAsks } from './thin.ts'

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
  skips: Plan<Tab>['skips']
}

interface PreviewParts {
  slots: readonly Slot[]
  cache: Pick<ResponseCache, 'peek'>
  now: number
}

export async function previewSearch(ask: Ask, { slots, cache, now }: PreviewParts): Promise<SearchPreview> {
  const { tab, request } = ask
  const { text, page, safe, date, lang, region } = request
  const query: EngineQuery = { text, page, safe, date, lang, region, ...boundsOf(request), now }
  const plan = planSearch(ask, slots)
  const later = laterAsks(plan, request) ?? []
  const base: string = responseKey({ tab, ...query })
  // One at a time, because `peek` doesn't say whose response it found.
  const isCached = async ({ bound }: PlannedAsk<Tab>) => {
    const isResponse = isResponseOf[tab] as (value: unknown) => value is ResponseOfTab<Tab> // that tab's guard
    return (await cache.peek([{ base, slug: bound.engine.slug, isResponse }])).length > 0
  }
  const engines = plan.asks.map(async (ask): Promise<PreviewedEngine> => {
    const { engine, settings } = ask.bound
    return {
      slot: ask.slot.name,
      slug: engine.slug,
      name: engine.name,
      index: indexOf(engine),
      isLater: later.includes(ask),
      ignoresRegion: ask.ignoresRegion === true,
      isCached: await isCached(ask),
      priceFactor: ask.tab.request(query, settings).priceFactor ?? ask.tab.priceFactor ?? 1,
    }
  })
  return { engines: await Promise.all(engines), skips: plan.skips }
}
