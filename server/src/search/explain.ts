// Why a result stands where it stands, for `include=explain`: what each engine added to its score. Summed in the order
// given, the additions are the score to the last bit, and sorting by score gives the order of the results.
import type { MergedHit } from './merge.ts'

export interface Explanation {
  score: number
  engines: {
    /** The slot; named twice where two of its providers returned the page. */
    engine: string
    rank: number
    weight: number
    addition: number
    /** The address as this engine wrote it. */
    url: string
  }[]
}

export const explainHit = ({ score, votes }: Pick<MergedHit<unknown>, 'score' | 'votes'>): Explanation => ({
  score,
  engines: votes.map(({ slot, rank, weight, addition, url }) => ({ engine: slot, rank, weight, addition, url })),
})
