// The order that the merge would give graded results with other weights, so that no search has to be repeated to find out.
// It follows the rules of `merge.ts` to the last bit: sums in the order of the engines, ties to the better best rank,
// then to the earlier engine, then to its better rank.
import { additionAt } from '../merge.ts'
import type { GradedResult, GradedSearch } from './calibrate-weights.ts'
import { ndcg } from './ndcg.ts'

/** The weights of the engines, in the order of their slots; those that it doesn't name weigh 1. */
export interface Weighing {
  engines: readonly string[]
  weights: ReadonlyMap<string, number>
}

export const EQUAL: ReadonlyMap<string, number> = new Map()

/** The grades, best score first. */
export function weightedGrades(results: readonly GradedResult[], { engines, weights }: Weighing): number[] {
  const own = engines.map((engine) => weights.get(engine) ?? 1)
  const scored = results.map(({ grade, ranks }) => {
    let score = 0
    let best = Number.POSITIVE_INFINITY
    let first = engines.length
    let rankThere = 0
    for (let at = 0; at < engines.length; at += 1) {
      const rank = ranks[engines[at] ?? '']
      if (rank === undefined) continue
      score += additionAt(rank, own[at] ?? 1)
      best = Math.min(best, rank)
      if (first === engines.length) {
        first = at
        rankThere = rank
      }
    }
    return { grade, score, best, first, rankThere }
  })
  scored.sort(
    (one, other) =>
      other.score - one.score || one.best - other.best || one.first - other.first || one.rankThere - other.rankThere,
  )
  return scored.map(({ grade }) => grade)
}

/** nDCG@10 of the merge with these weights. */
export const weightedQuality = ({ results, ideal }: GradedSearch, weighing: Weighing): number =>
  ndcg(weightedGrades(results, weighing), ideal)
