// How well the product's merge ranks, in nDCG@10 on judged data, compared with alternatives on the same three engines.
// Every figure is a mean over all triples of the runs (560 for 16 runs), and within a triple over the topics; a ratio
// is one such mean over another. Equal weights are measured on all topics. Calibrated weights are learned for each
// triple on the even-numbered topics alone and tested on the odd ones. So is their first rival, the run of the triple
// that is best on the even topics; the second, the run best on the odd ones, is chosen in hindsight.
import { explainHit, type MergedHit, mergeRankings } from '../server/src/search/merge.ts'
import { calibrateWeights, type JudgedSearch } from './calibrate-weights.ts'
import type { JudgedHit, JudgedRuns, JudgedTopic } from './judged-runs.ts'
import { mean, ndcg } from './ndcg.ts'

export interface RankingMeasurement {
  /** On all topics, equal weights. */
  all: { bestSingle: number; searxng: number; reciprocal60: number; product: number }
  /** On the odd-numbered topics. */
  odd: { picked: number; hindsight: number; equal: number; calibrated: number }
}

export interface RankingRatios {
  equal_vs_searxng: number
  calibrated_vs_picked: number
  calibrated_vs_hindsight: number
}

/** Indices of three runs. */
type Triple = readonly [number, number, number]

const SLOTS = ['engine_a', 'engine_b', 'engine_c'] as const

export function measureRanking({ runs, topics }: JudgedRuns): RankingMeasurement {
  const halves = [topics, topics.filter(isEven), topics.filter(isOdd)]
  const [all = [], even = [], odd = []] = halves.map((half) =>
    runs.map((_, run) => mean(half.map((topic) => quality(topic, topic.rankings[run] ?? [])))),
  )
  const measured = triplesOf(runs.length).map((triple) => ({
    ...measureMerges(topics, triple),
    bestSingle: all[bestOf(triple, all)] ?? 0,
    picked: odd[bestOf(triple, even)] ?? 0,
    hindsight: odd[bestOf(triple, odd)] ?? 0,
  }))
  const over = (name: keyof (typeof measured)[number]): number => mean(measured.map((one) => one[name]))
  return {
    all: {
      bestSingle: over('bestSingle'),
      searxng: over('searxng'),
      reciprocal60: over('reciprocal60'),
      product: over('product'),
    },
    odd: {
      picked: over('picked'),
      hindsight: over('hindsight'),
      equal: over('equal'),
      calibrated: over('calibrated'),
    },
  }
}

/** The rankings that three runs allow, topic by topic. */
function measureMerges(topics: readonly JudgedTopic[], triple: Triple) {
  const equal = topics.map((topic) => ({ topic, id: topic.id, results: merge(topic, triple, {}) }))
  const weights = calibrateWeights(equal.filter(isEven).map(({ topic, results }) => judged(topic, results)))
  const equalQuality = ({ topic, results }: { topic: JudgedTopic; results: MergedHit<JudgedHit>[] }): number =>
    quality(topic, results.map(hitOf))
  const rival = (score: Score) => mean(topics.map((topic) => quality(topic, orderBy(score, rankingsOf(topic, triple)))))
  return {
    searxng: rival(searxngScore),
    reciprocal60: rival(reciprocal60),
    product: mean(equal.map(equalQuality)),
    equal: mean(equal.filter(isOdd).map(equalQuality)),
    calibrated: mean(topics.filter(isOdd).map((topic) => quality(topic, merge(topic, triple, weights).map(hitOf)))),
  }
}

export const ratiosOf = ({ all, odd }: RankingMeasurement): RankingRatios => ({
  equal_vs_searxng: all.product / all.searxng,
  calibrated_vs_picked: odd.calibrated / odd.picked,
  calibrated_vs_hindsight: odd.calibrated / odd.hindsight,
})

const isEven = ({ id }: { id: number }): boolean => id % 2 === 0
const isOdd = ({ id }: { id: number }): boolean => id % 2 === 1
const hitOf = ({ hit }: MergedHit<JudgedHit>): JudgedHit => hit

function quality({ ideal }: JudgedTopic, order: readonly JudgedHit[]): number {
  const grades = order.map(({ grade }) => grade)
  return ndcg(grades, ideal)
}

const bestOf = (triple: Triple, qualities: readonly number[]): number =>
  triple.reduce((best, run) => ((qualities[run] ?? 0) > (qualities[best] ?? 0) ? run : best))

const rankingsOf = (topic: JudgedTopic, triple: Triple): JudgedHit[][] => triple.map((run) => topic.rankings[run] ?? [])

function merge(topic: JudgedTopic, triple: Triple, weights: Record<string, number>): MergedHit<JudgedHit>[] {
  const rankings = rankingsOf(topic, triple).map((hits, place) => {
    const slot = SLOTS[place] ?? ''
    return { slot, weight: weights[slot] ?? 1, hits }
  })
  return mergeRankings(rankings, (best) => best)
}

const judged = ({ ideal }: JudgedTopic, results: readonly MergedHit<JudgedHit>[]): JudgedSearch => ({
  ideal,
  results: results.map((result) => ({ grade: result.hit.grade, explain: explainHit(result) })),
})

type Score = (ranks: readonly number[]) => number

const searxngScore: Score = (ranks) => ranks.length * ranks.reduce((sum, rank) => sum + 1 / rank, 0)

const reciprocal60: Score = (ranks) => ranks.reduce((sum, rank) => sum + 1 / (60 + rank), 0)

/**
 * A rival's order. Ties stay in the order of arrival, as in SearXNG; the product's rule for them would cost it a
 * little.
 */
function orderBy(score: Score, rankings: readonly JudgedHit[][]): JudgedHit[] {
  const ranksOf = new Map<JudgedHit, number[]>()
  for (const hits of rankings) {
    for (const [index, hit] of hits.entries()) {
      const ranks = ranksOf.get(hit)
      if (ranks) ranks.push(index + 1)
      else ranksOf.set(hit, [index + 1])
    }
  }
  return [...ranksOf]
    .map(([hit, ranks]) => ({ hit, score: score(ranks) }))
    .sort((one, other) => other.score - one.score)
    .map(({ hit }) => hit)
}

function triplesOf(count: number): Triple[] {
  const triples: Triple[] = []
  for (let first = 0; first < count; first += 1)
    for (let second = first + 1; second < count; second += 1)
      for (let third = second + 1; third < count; third += 1) triples.push([first, second, third])
  return triples
}
