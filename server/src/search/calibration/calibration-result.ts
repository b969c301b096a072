// What graded searches tell: what each engine is worth, what the merge would gain by other weights, and how sure that is.
//
// The gain is measured on searches that the weights haven't seen: each search with weights from all the others. Its interval
// is Student's t of the ratio. A bootstrap, as the benchmark uses, is too narrow for so few: on real engines (FedWeb) its
// 95 % interval from 3 to 10 searches held the truth in 62 to 84 % of the cases, this one in 90 to 92 %.
import { Refusal } from '../../errors.ts'
import { calibrateWeights, equationsOf, type GradedSearch } from './calibrate-weights.ts'
import { scopeOf, withScope } from './calibrated-weights.ts'
import type { Calibration, CalibrationSearch } from './calibration-store.ts'
import { mean, ndcg } from './ndcg.ts'
import { EQUAL, weightedQuality } from './weighted-order.ts'

/** A share: 0.08 is 8 % better than equal weights. */
export interface Gain {
  value: number
  low: number
  high: number
}

/**
 * `few`: too few searches to tell. `better`: the gain is real. `same`: any difference is small. `worse`: equal weights are
 * better. `unsure`: it could be either.
 */
export type Verdict = 'few' | 'better' | 'same' | 'worse' | 'unsure'

export interface EngineWorth {
  engine: string
  /** 1 on average. */
  weight: number
  /** nDCG@10 of its results alone. */
  alone: number
}

export interface CalibrationResult {
  /** How many searches are graded to the end. */
  graded: number
  /** The best first. */
  engines: EngineWorth[]
  /** undefined: there is nothing to compare. */
  gain: Gain | undefined
  verdict: Verdict
  /** How many searches will probably be needed to be sure. */
  wanted: number
}

const FEWEST_SEARCHES = 3
const MOST_SEARCHES = 50
/** A difference that nobody would notice. */
const SMALL = 0.05

/** The 97.5 % quantiles of Student's t distribution, for 1, 2, … degrees of freedom. */
const QUANTILES = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]
const LAST_QUANTILE = 2.03

/** Whether every result has its grade. */
export const isGraded = ({ results }: CalibrationSearch): boolean =>
  results?.every(({ grade }) => grade !== null) === true

/** The searches that tell something: graded to the end, with something good among the results. */
const gradedSearches = (searches: readonly CalibrationSearch[]): GradedSearch[] =>
  searches
    .filter((search) => isGraded(search))
    .map(({ results = [] }) => {
      const graded = results.map(({ ranks, grade }) => ({ ranks, grade: grade ?? 0 }))
      return { results: graded, ideal: graded.map(({ grade }) => grade).sort((one, other) => other - one) }
    })
    .filter(({ ideal: [best = 0] }) => best > 0)

export function resultOf(searches: readonly CalibrationSearch[]): CalibrationResult {
  const graded = gradedSearches(searches)
  const engines = [
    ...new Set(graded.flatMap(({ results }) => results.flatMap(({ ranks }) => Object.keys(ranks)))),
  ].sort()
  const equations = graded.map((search) => equationsOf(search, engines))
  const weights = calibrateWeights(equations, engines)
  const gain = gainOf(
    graded.map((search) => weightedQuality(search, { engines, weights: EQUAL })),
    graded.map((search, at) =>
      weightedQuality(search, { engines, weights: calibrateWeights(equations.toSpliced(at, 1), engines) }),
    ),
  )
  return {
    graded: graded.length,
    engines: engines
      .map((engine) => ({ engine, weight: weights.get(engine) ?? 1, alone: aloneOf(graded, engine) }))
      .sort((one, other) => other.weight - one.weight),
    gain,
    ...verdictOf(graded.length, gain),
  }
}

/** The setting with the weights of this calibration in it. Refuses while its grades say nothing. */
export function applyTo(written: string | undefined, { tab, lang, searches }: Calibration): string {
  const { engines, gain } = resultOf(searches)
  if (!gain) throw new Refusal('conflict', 'Too few searches are graded to the end. Grade at least three, then apply.')
  return withScope(written, scopeOf(tab, lang), new Map(engines.map(({ engine, weight }) => [engine, weight])))
}

function aloneOf(searches: readonly GradedSearch[], engine: string): number {
  const inOrder = ({ results }: GradedSearch) =>
    results
      .flatMap(({ grade, ranks: { [engine]: rank } }) => (rank === undefined ? [] : [{ grade, rank }]))
      .sort((one, other) => one.rank - other.rank)
      .map(({ grade }) => grade)
  return mean(searches.map((search) => ndcg(inOrder(search), search.ideal)))
}

function gainOf(equal: readonly number[], calibrated: readonly number[]): Gain | undefined {
  const count = equal.length
  const level = mean(equal)
  if (count < FEWEST_SEARCHES || level === 0) return undefined
  const ratio = mean(calibrated) / level
  const squares = calibrated.reduce((sum, own, at) => sum + (own - ratio * (equal[at] ?? 0)) ** 2, 0)
  const deviation = Math.sqrt(squares / (count * (count - 1))) / level
  const half = (QUANTILES[count - 2] ?? LAST_QUANTILE) * deviation
  return { value: ratio - 1, low: ratio - 1 - half, high: ratio - 1 + half }
}

function verdictOf(graded: number, gain: Gain | undefined): Pick<CalibrationResult, 'verdict' | 'wanted'> {
  if (!gain) return { verdict: 'few', wanted: Math.max(FEWEST_SEARCHES, graded + 1) }
  const half = gain.high - gain.value
  if (gain.low > 0) return { verdict: 'better', wanted: graded }
  if (gain.high < 0) return { verdict: 'worse', wanted: graded }
  if (half <= SMALL) return { verdict: 'same', wanted: graded }
  // The interval narrows with the square root of the number of searches.
  const needed = Math.ceil(graded * (half / Math.max(SMALL, Math.abs(gain.value))) ** 2)
  return { verdict: 'unsure', wanted: Math.min(MOST_SEARCHES, Math.max(graded + 1, needed)) }
}
