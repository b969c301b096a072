// Whose index a result comes from. Engines that show the same index don't confirm each other: two resellers of Google agree
// because they ask Google. One that may show anybody's index confirms nobody.
import { type Engine, indexOf, UNKNOWN_INDEX } from '@bowerbird/engines/engine.ts'
import type { Contribution } from './merge.ts'

/** How many independent indexes a result comes from. Somebody has found it, so there is always one. */
export const countIndexes = (contributions: readonly Pick<Contribution, 'index'>[]): number =>
  Math.max(1, new Set(contributions.map(({ index }) => index).filter(isKnown)).size)

const isKnown = (index: string): boolean => index !== UNKNOWN_INDEX

/** The index that all these engines show; '' if they differ, or one doesn't say. */
export function commonIndexOf(bound: readonly { engine: Engine }[]): string {
  const [index = '', ...others] = new Set(bound.map(({ engine }) => indexOf(engine)))
  return others.length === 0 && isKnown(index) ? index : ''
}
