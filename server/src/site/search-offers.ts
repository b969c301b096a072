// What the search field and the tabs of every page offer beyond the web. It follows from the settings, so it is worked out once
// for each of them, and not by every page that is laid out.
import { OPTIONAL_TABS, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'

/** Who gets suggestions while typing; `users`: signed-in users only. */
export type SuggestionsFor = 'users' | 'all' | 'off'

export interface SearchOffers {
  /** The tabs with results, without the optional ones that no engine of this instance serves. */
  tabs: readonly Tab[]
  /** SITE_SUGGESTIONS, and `off` if no engine gives any. */
  suggestionsFor: SuggestionsFor
  /** Whether there are private engines, for signed-in people. */
  hasMine: boolean
}

interface OfferParts {
  search: Pick<Search, 'slotNames' | 'labelOf'>
  mine: Pick<Search, 'slotNames'>
  suggest: Pick<Suggest, 'providerNames'>
  suggestionsFor: SuggestionsFor
}

export const toSearchOffers = ({ search, mine, suggest, suggestionsFor }: OfferParts): SearchOffers => ({
  tabs: TABS.filter(
    (tab) => !OPTIONAL_TABS.has(tab) || search.slotNames.some((slot) => search.labelOf(slot, tab) !== ''),
  ),
  suggestionsFor: suggestionsFor === 'off' || suggest.providerNames.length === 0 ? 'off' : suggestionsFor,
  hasMine: mine.slotNames.length > 0,
})
