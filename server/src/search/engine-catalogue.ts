// Lists what every engine serves, needs and allows, from its declaration: for `bowerbird engines` and the
// administrators' Engines page, where an operator chooses among them.
import {
  type Engine,
  type EngineTab,
  type EngineTerms,
  type Filter,
  indexOf,
  TABS,
  type Tab,
} from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { SlotBinding } from './slots.ts'

/** The part of the configuration that decides which engines are queried. */
export interface BoundSlots {
  engines: readonly Engine[]
  slots: ReadonlyMap<string, SlotBinding>
  /** By slug: the settings that a bound engine lacks. */
  missingOf: ReadonlyMap<string, readonly string[]>
}

/** What applies a filter: the provider, the nature of its index, or Bowerbird, to the reply. */
export type FilteredBy = 'provider' | 'nature' | 'bowerbird'

export interface CatalogueTab {
  tab: Tab | 'suggest'
  /** The engine can't honour filters that are missing here, and is skipped when a search has one. */
  filters: Partial<Record<Filter, FilteredBy>>
  /** Base languages; undefined: any, or no language filter. */
  languages: readonly string[] | undefined
  /** Millionths of a US dollar. */
  pricePerCallMicros: number
}

export interface CatalogueEntry {
  slug: string
  name: string
  homepage: string
  /** Where to get a key, if it is known. */
  keysUrl: string | undefined
  /** The host that gets the queries unless the operator sets another address; '': there is no such host. */
  host: string
  /** Finds people's own things: it is in no slot. */
  isPrivate: boolean
  /** `on`: queried. `hidden`: bound, but it lacks settings. `unbound`: in no slot. */
  state: 'on' | 'hidden' | 'unbound'
  slots: string[]
  tabs: CatalogueTab[]
  /** The required settings; without them it is hidden. */
  needs: string[]
  /** Of `needs`: those that are not set, if it is bound. */
  missing: readonly string[]
  hasNoContract: boolean
  /** Whose index it shows. */
  index: string
  /** The engine of the same vendor that takes a key. */
  tierOf: string | undefined
  terms: EngineTerms
}

export const catalogueOf = ({ engines, slots, missingOf }: BoundSlots): CatalogueEntry[] =>
  engines.map((engine) => {
    const bound = [...slots].filter(([, binding]) => Object.values(binding).flat().includes(engine.slug))
    const missing = missingOf.get(engine.slug) ?? []
    return {
      slug: engine.slug,
      name: engine.name,
      homepage: engine.homepage,
      keysUrl: engine.keysUrl,
      host: hostOf(engine.settings.baseUrl.fallback ?? ''),
      isPrivate: engine.isPrivate === true,
      state: missing.length > 0 ? 'hidden' : bound.length > 0 ? 'on' : 'unbound',
      slots: bound.map(([slot]) => slot),
      tabs: tabsOf(engine),
      needs: Object.values(engine.settings).flatMap(({ env, fallback }) => (fallback === undefined ? [env] : [])),
      missing,
      hasNoContract: engine.hasNoContract === true,
      index: indexOf(engine),
      tierOf: engine.tierOf,
      terms: engine.terms,
    }
  })

function tabsOf({ tabs, suggest, terms: { pricePerCallMicros } }: Engine): CatalogueTab[] {
  const searched = TABS.flatMap((name): CatalogueTab[] => {
    const tab = tabs[name]
    if (!tab) return []
    const { languages, priceFactor = 1 } = tab
    return [{ tab: name, filters: filtersOf(tab), languages, pricePerCallMicros: pricePerCallMicros * priceFactor }]
  })
  if (!suggest) return searched
  const { languages, priceFactor = 1 } = suggest
  return [...searched, { tab: 'suggest', filters: {}, languages, pricePerCallMicros: pricePerCallMicros * priceFactor }]
}

type Abilities = Pick<EngineTab<unknown, unknown>, 'honours' | 'byNature' | 'knowsDates' | 'hasTextInAnyLanguage'>

function filtersOf({ honours, byNature = [], knowsDates, hasTextInAnyLanguage }: Abilities): CatalogueTab['filters'] {
  const filters: CatalogueTab['filters'] = {}
  for (const filter of honours) filters[filter] = byNature.includes(filter) ? 'nature' : 'provider'
  if (knowsDates) filters.date ??= 'bowerbird'
  if (hasTextInAnyLanguage) filters.lang ??= 'bowerbird'
  return filters
}
