// Why a result ranks where it does, for `include=explain`: what each engine added to its score. Summed in the order
// given, the additions equal the score to the last bit, and sorting by score gives the order of the results.
import type { MergedHit } from './merge.ts'

export interface Explanation {
  score: number
  engines: {
    /** The slot; named twice where two of its providers returned the page. */
    engine: string
    rank: number
    weight: number
    addition: number
    /** The URL as this engine gave it. */
    url: string
  }[]
}

export const explainHit = ({
  score,
  contributions,
}: Pick<MergedHit<unknown>, 'score' | 'contributions'>): Explanation => ({
  score,
  engines: contributions.map(({ slot, rank, weight, addition, url }) => ({
    engine: slot,
    rank,
    weight,
    addition,
    url,
  })),
})
