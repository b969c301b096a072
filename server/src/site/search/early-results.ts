// If an engine is slow, the results page starts with what the other engines have found. This file decides whether there
// is something to show early; `results-page.ts` sends it, and `assets/streaming.js` puts it in place.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ResultsSoFar, SearchWatcher } from '../../search/search-watcher.ts'

/** A search that takes longer than this shows early results. Most searches take less, even if they aren't cached. */
const EARLY_AFTER_MS = 400

export interface EarlyResults extends ResultsSoFar {
  /** The slots that have not answered yet. */
  pendingSlots: readonly string[]
}

/** The search gets `watcher`; then `waitForEarlyResults` can be called. */
export function watchSearch() {
  const pendingSlots = new Set<string>()
  const { promise: firstResults, resolve } = Promise.withResolvers<() => ResultsSoFar>()

  const watcher: SearchWatcher = {
    onStart: (slots) => {
      for (const slot of slots) pendingSlots.add(slot)
    },
    onEngine: ({ slot }) => void pendingSlots.delete(slot),
    onResults: resolve,
    // Never aborted: readers who leave often come back, so the search is finished for the cache.
    signal: new AbortController().signal,
  }

  /** Returns undefined if the search is over first, or if nothing has been found by then. */
  async function waitForEarlyResults(
    pendingSearch: Promise<unknown>,
    pendingBox: Promise<unknown>,
  ): Promise<EarlyResults | undefined> {
    const searchEnd = pendingSearch.then(
      () => undefined,
      () => undefined,
    )
    // Also wait for the answer box, so that nothing is inserted above the results later.
    const ready = Promise.all([firstResults, pendingBox, sleep(EARLY_AFTER_MS, undefined, { ref: false })])
    const first = await Promise.race([searchEnd, ready])
    if (!first) return undefined
    const [shapeResults] = first
    const soFar = shapeResults()
    if (soFar.results.length === 0) return undefined
    return { ...soFar, pendingSlots: [...pendingSlots] }
  }

  return { watcher, waitForEarlyResults }
}
