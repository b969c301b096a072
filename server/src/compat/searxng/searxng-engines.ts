// Our slots under the names that SearXNG's clients see and send: the display names of the engines that serve a tab. A
// slot's own name (`engine_a`) works too.
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { Search } from '../../search/search.ts'

export interface SearxngEngines {
  list: readonly { name: string; slot: string; tab: Tab }[]
  nameOf: (slot: string, tab: Tab) => string
  /** The slots that the names mean on a tab; none if only other instances have such engines, which means all. */
  slotsOf: (names: readonly string[], tab: Tab) => string[]
  /** The tab that the names imply, for a request without a category. */
  tabOf: (names: readonly string[]) => Tab
}

/** Names of engines that other instances have: `bing images`, `google news`, `youtube`. */
const HINTS: readonly [RegExp, Tab][] = [
  [/ images?$/, 'images'],
  [/ news$/, 'news'],
  [/(?: videos?|^youtube)$/, 'videos'],
]

export function createSearxngEngines(search: Pick<Search, 'slotNames' | 'labelOf'>): SearxngEngines {
  // A comma separates names in a request.
  const nameOf = (slot: string, tab: Tab) => search.labelOf(slot, tab).replaceAll(', ', ' + ')
  const list = TABS.flatMap((tab) =>
    search.slotNames.flatMap((slot) => {
      const name = nameOf(slot, tab)
      return name === '' ? [] : [{ name, slot, tab }]
    }),
  )
  const named = (name: string) => list.filter((engine) => engine.slot === name || engine.name.toLowerCase() === name)
  return {
    list,
    nameOf,
    slotsOf: (names, tab) => [
      ...new Set(names.flatMap((name) => named(name).flatMap((engine) => (engine.tab === tab ? [engine.slot] : [])))),
    ],
    tabOf(names) {
      const ours = names.flatMap(named)
      if (ours.length > 0) return ours.some(({ tab }) => tab === 'web') ? 'web' : (ours[0]?.tab ?? 'web')
      return names.flatMap((name) => HINTS.find(([pattern]) => pattern.test(name))?.[1] ?? [])[0] ?? 'web'
    },
  }
}
