// What one person finds besides the web: in the engines that everyone who is signed in searches, and in services of their
// own, which are labelled as such.
import type { Tab } from '@bowerbird/engines/engine.ts'
import type { MergedHit } from './merge.ts'
import type { Search } from './search.ts'
import type { SearchWatcher } from './search-watcher.ts'

/** Undefined: this person has nothing to search. `yours` labels the name of a service of their own. */
export type SearchOfPerson = (userId: string, yours: (name: string) => string) => Promise<Search | undefined>

/** The same search, in which the engines of these slots are the person's own, and have other names. */
export function labelledSearch(search: Search, slots: ReadonlySet<string>, label: (name: string) => string): Search {
  const nameIn = (slot: string, name: string) => (slots.has(slot) ? label(name) : name)
  const labelled = <Hit>(results: readonly MergedHit<Hit>[]): MergedHit<Hit>[] =>
    results.map((merged) => ({
      ...merged,
      contributions: merged.contributions.map((one) => ({ ...one, name: nameIn(one.slot, one.name) })),
    }))
  const watching = <Name extends Tab>(watcher: SearchWatcher<Name>): SearchWatcher<Name> => ({
    ...watcher,
    onResults: (soFar) =>
      watcher.onResults(() => {
        const known = soFar()
        return known && { ...known, results: labelled(known.results) }
      }),
  })
  return {
    ...search,
    isOwn: (slot) => slots.has(slot),
    labelOf: (slot, tab) => nameIn(slot, search.labelOf(slot, tab)),
    async search(tab, request, watcher) {
      const answer = await search.search(tab, request, watcher && watching(watcher))
      return { ...answer, results: labelled(answer.results) }
    },
  }
}
