// The order in which SearXNG would merge the same rankings, for the page that compares. Its published rule: the number of
// engines that returned a page, times the sum of 1 / position, with all weights 1; ties keep the order of arrival.
import type { MergedHit } from './merge.ts'

export function searxngOrder(results: readonly MergedHit[]): MergedHit[] {
  const scored = results.map((merged) => {
    const ranks = merged.contributions.map(({ rank }) => rank)
    return { merged, score: ranks.length * ranks.reduce((sum, rank) => sum + 1 / rank, 0) }
  })
  // What arrived first: the first page of the first engine, then its second.
  scored.sort((one, other) => other.score - one.score || arrivalOf(one.merged) - arrivalOf(other.merged))
  return scored.map(({ merged }) => merged)
}

const arrivalOf = ({ contributions: [first] }: MergedHit): number => first?.rank ?? 0
