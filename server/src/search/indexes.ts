// Whose index a result comes from. Engines that show the same index don't confirm each other: two resellers of Google agree
// because they ask Google. One that may show anybody's index confirms nobody.
import { indexOf, type Tab, UNKNOWN_INDEX } from '@bowerbird/engines/engine.ts'
import type { Contribution, MergedHit } from './merge.ts'
import type { BoundEngine, PlannedAsk } from './plan.ts'

/** The most that `min_indexes` can ask for. */
export const MAX_MIN_INDEXES = 5

/** `full`: every engine votes with its whole weight. `half`: the engines of one index share one vote. */
export type SharedIndexVotes = 'full' | 'half'

/** How many independent indexes a result comes from. Somebody has found it, so there is always one. */
export const countIndexes = (contributions: readonly Pick<Contribution, 'index'>[]): number =>
  Math.max(1, new Set(contributions.map(({ index }) => index).filter(isKnown)).size)

const isKnown = (index: string): boolean => index !== UNKNOWN_INDEX

/** What a wish for several indexes did to a page. */
export interface Confirmation {
  wanted: number
  /** The independent indexes that answered: with fewer than wanted, no result can have enough. */
  answered: number
  /** Results that were left out. */
  left: number
}

interface Confirmed<Hit> {
  results: readonly MergedHit<Hit>[]
  /** Undefined if one index is enough. */
  confirmation: Confirmation | undefined
}

/** Leaves out what fewer indexes returned than the search wants. */
export function confirmResults<Hit>(
  results: readonly MergedHit<Hit>[],
  wanted: number | undefined,
  answered: readonly { ask: PlannedAsk<Tab> }[],
): Confirmed<Hit> {
  if (wanted === undefined) return { results, confirmation: undefined }
  const confirmed = results.filter(({ contributions }) => countIndexes(contributions) >= wanted)
  const indexes = answered.map(({ ask }) => ({ index: indexOf(ask.bound.engine) }))
  return {
    results: confirmed,
    confirmation: {
      wanted,
      answered: indexes.length === 0 ? 0 : countIndexes(indexes),
      left: results.length - confirmed.length,
    },
  }
}

/** The Index-Status header: `enough;min=2;answered=3;filtered=7`, or `too-few;…`. */
export const indexStatusHeader = ({ wanted, answered, left }: Confirmation): string =>
  `${answered < wanted ? 'too-few' : 'enough'};min=${wanted};answered=${answered};filtered=${left}`

/** How many of these engines show the same index as this one, itself included. */
export const sharersOf = (bound: BoundEngine, all: readonly BoundEngine[]): number => {
  const index = indexOf(bound.engine)
  return isKnown(index) ? all.filter(({ engine }) => indexOf(engine) === index).length : 1
}

/** The index that all these engines show; '' if they differ, or one doesn't say. */
export function commonIndexOf(bound: readonly BoundEngine[]): string {
  const [index = '', ...others] = new Set(bound.map(({ engine }) => indexOf(engine)))
  return others.length === 0 && isKnown(index) ? index : ''
}
