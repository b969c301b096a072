// Slot weights from judged searches: how much each engine should be trusted, for `ENGINE_A_WEIGHT` and its siblings.
// It uses the output of `include=explain` with a grade for each result, so no search is repeated: with other weights
// the same contributions give another order.
//
// Every engine is tried at 1, 2 and 4 against the others, and the mean of the best third of those mixes is the result.
// Not the single best: on a few dozen searches that one is mostly lucky (docs/decisions/0006-merge.md has the figures).
import type { Explanation } from '../server/src/search/merge.ts'
import { JUDGED_DEPTH, mean, ndcg } from './ndcg.ts'

export interface JudgedSearch {
  results: { grade: number; explain: Explanation }[]
  /** The grades in the best possible order. */
  ideal: readonly number[]
}

const STEPS = [1, 2, 4]
const KEPT_SHARE = 1 / 3

/** What each engine contributes to a result at weight 1, in the order of the engines. */
interface Candidate {
  grade: number
  additions: number[]
}

/** Weights by slot, two decimals, 1 on average. */
export function calibrateWeights(searches: readonly JudgedSearch[]): Record<string, number> {
  const engines = [...new Set(searches.flatMap(enginesOf))].sort()
  const prepared = searches.map(({ results, ideal }) => ({
    ideal,
    candidates: results.map(({ grade, explain }) => ({ grade, additions: unweighted(explain, engines) })),
  }))
  const tried = mixesOf(engines.length).map((mix) => ({
    mix,
    quality: mean(prepared.map(({ candidates, ideal }) => ndcg(firstGrades(candidates, mix), ideal))),
  }))
  tried.sort((one, other) => other.quality - one.quality)
  const kept = tried.slice(0, Math.max(1, Math.round(tried.length * KEPT_SHARE)))
  const weightOf = (_: string, index: number) => mean(kept.map(({ mix }) => (mix[index] ?? 0) / mean(mix)))
  return Object.fromEntries(engines.map((engine, index) => [engine, Number(weightOf(engine, index).toFixed(2))]))
}

const enginesOf = ({ results }: JudgedSearch): string[] =>
  results.flatMap(({ explain }) => explain.engines.map(({ engine }) => engine))

const unweighted = ({ engines: contributions }: Explanation, engines: readonly string[]): number[] =>
  engines.map((name) =>
    contributions.reduce((sum, { engine, addition, weight }) => (engine === name ? sum + addition / weight : sum), 0),
  )

/** At least one engine has weight 1 in each: only proportions count, and other mixes are multiples of these. */
function mixesOf(engineCount: number): number[][] {
  let mixes: number[][] = [[]]
  for (let engine = 0; engine < engineCount; engine += 1) {
    mixes = mixes.flatMap((mix) => STEPS.map((step) => [...mix, step]))
  }
  return mixes.filter((mix) => mix.includes(1))
}

/** The grades of the best ten with these weights, best first: an insertion sort, because this runs a million times. */
function firstGrades(candidates: readonly Candidate[], mix: readonly number[]): number[] {
  const scores: number[] = []
  const grades: number[] = []
  for (const { grade, additions } of candidates) {
    let score = 0
    for (let engine = 0; engine < mix.length; engine += 1) score += (additions[engine] ?? 0) * (mix[engine] ?? 0)
    let at = scores.length
    while (at > 0 && score > (scores[at - 1] ?? 0)) at -= 1
    if (at >= JUDGED_DEPTH) continue
    scores.splice(at, 0, score)
    grades.splice(at, 0, grade)
    scores.length = Math.min(scores.length, JUDGED_DEPTH)
    grades.length = scores.length
  }
  return grades
}
