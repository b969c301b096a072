// Why a result ranks where it does, for `include=explain`.
import type { WeightOrigin } from './calibration/calibrated-weights.ts'
import type { Adjustment, MergedHit } from './merge.ts'

/**
 * What each engine, and then each adjustment, added to the score. Summed in the order given, the additions equal the score
 * to the last bit, and sorting by score gives the order of the results.
 */
export interface Explanation {
  score: number
  engines: {
    /** The slot; named twice where two of its providers returned the page. */
    engine: string
    /** Whose index it shows; `unknown` if it doesn't say, or mixes several. */
    index: string
    rank: number
    weight: number
    /** Where the weight comes from. */
    weight_from: WeightOrigin
    addition: number
    /** The URL as this engine gave it. */
    url: string
  }[]
  /** What rules and preferred domains added; left out if nothing. */
  adjustments?: readonly Adjustment[]
}

export const explainHit = ({
  score,
  contributions,
  adjustments,
}: Pick<MergedHit, 'score' | 'contributions' | 'adjustments'>): Explanation => ({
  score,
  engines: contributions.map(({ slot, index, rank, weight, weightFrom, addition, url }) => ({
    engine: slot,
    index,
    rank,
    weight,
    weight_from: weightFrom,
    addition,
    url,
  })),
  ...(adjustments && { adjustments }),
})
