// How well the product's own merge ranks, in nDCG@10 on judged data, against what else could be done with the same three
// engines. Every figure is a mean over all 560 triples of the 16 runs, and within a triple over the topics; a ratio is one
// such mean over another. Equal weights are measured on all topics. Calibrated weights are learnt for each triple on the
// even-numbered topics alone and tested on the odd ones, and so is the rival: the run of the triple that is best on the even topics.
import { explainHit } from '../server/src/search/explain.ts'
import { mergeRankings } from '../server/src/search/merge.ts'
import { calibrateWeights } from './calibrate-weights.ts'
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

/** Places of three runs. */
type Triple = readonly [number, number, number]

const SLOTS = ['engine_a', 'engine_b', 'engine_c'] as const

export function measureRanking({ runs, topics }: JudgedRuns): RankingMeasurement {
  const triples = triplesOf(runs.length)
  const even = topics.filter(({ id }) => id % 2 === 0)
  const odd = topics.filter(({ id }) => id % 2 === 1)
  const singleAll = runs.map((_, run) => qualityOf(topics, (topic) => topic.rankings[run] ?? []))
  const singleEven = runs.map((_, run) => qualityOf(even, (topic) => topic.rankings[run] ?? []))
  const singleOdd = runs.map((_, run) => qualityOf(odd, (topic) => topic.rankings[run] ?? []))
  const over = (measure: (triple: Triple) => number): number => mean(triples.map(measure))
  return {
    all: {
      bestSingle: over((triple) => singleAll[bestOf(triple, singleAll)] ?? 0),
      searxng: over((triple) => qualityOf(topics, (topic) => orderBy(searxngScore, rankingsOf(topic, triple)))),
      reciprocal60: over((triple) => qualityOf(topics, (topic) => orderBy(reciprocal60, rankingsOf(topic, triple)))),
      product: over((triple) => qualityOf(topics, (topic) => productOrder(topic, triple))),
    },
    odd: {
      picked: over((triple) => singleOdd[bestOf(triple, singleEven)] ?? 0),
      hindsight: over((triple) => singleOdd[bestOf(triple, singleOdd)] ?? 0),
      equal: over((triple) => qualityOf(odd, (topic) => productOrder(topic, triple))),
      calibrated: over((triple) => {
        const weights = calibrateWeights(even.map((topic) => judgedSearch(topic, triple)))
        return qualityOf(odd, (topic) => productOrder(topic, triple, weights))
      }),
    },
  }
}

export const ratiosOf = ({ all, odd }: RankingMeasurement): RankingRatios => ({
  equal_vs_searxng: all.product / all.searxng,
  calibrated_vs_picked: odd.calibrated / odd.picked,
  calibrated_vs_hindsight: odd.calibrated / odd.hindsight,
})

const qualityOf = (topics: readonly JudgedTopic[], order: (topic: JudgedTopic) => readonly JudgedHit[]): number =>
  mean(
    topics.map((topic) =>
      ndcg(
        order(topic).map(({ grade }) => grade),
        topic.ideal,
      ),
    ),
  )

const bestOf = (triple: Triple, quality: readonly number[]): number =>
  triple.reduce((best, run) => ((quality[run] ?? 0) > (quality[best] ?? 0) ? run : best))

const rankingsOf = (topic: JudgedTopic, triple: Triple): JudgedHit[][] => triple.map((run) => topic.rankings[run] ?? [])

function merged(topic: JudgedTopic, triple: Triple, weights: Record<string, number> = {}) {
  const rankings = SLOTS.map((slot, place) => ({
    slot,
    weight: weights[slot] ?? 1,
    hits: topic.rankings[triple[place] ?? 0] ?? [],
  }))
  return mergeRankings<JudgedHit>(rankings, (best) => best)
}

const productOrder = (topic: JudgedTopic, triple: Triple, weights?: Record<string, number>): JudgedHit[] =>
  merged(topic, triple, weights).map(({ hit }) => hit)

const judgedSearch = (topic: JudgedTopic, triple: Triple) => ({
  ideal: topic.ideal,
  results: merged(topic, triple).map((result) => ({ grade: result.hit.grade, explain: explainHit(result) })),
})

const searxngScore = (ranks: readonly number[]): number => ranks.length * ranks.reduce((sum, rank) => sum + 1 / rank, 0)

const reciprocal60 = (ranks: readonly number[]): number => ranks.reduce((sum, rank) => sum + 1 / (60 + rank), 0)

/** A rival's order. Ties go to the better best rank, as in the product, so that only the formulas are compared. */
function orderBy(score: (ranks: readonly number[]) => number, rankings: readonly JudgedHit[][]): JudgedHit[] {
  const ranksOf = new Map<JudgedHit, number[]>()
  for (const hits of rankings) {
    for (const [index, hit] of hits.entries()) {
      const ranks = ranksOf.get(hit)
      if (ranks) ranks.push(index + 1)
      else ranksOf.set(hit, [index + 1])
    }
  }
  return [...ranksOf]
    .map(([hit, ranks]) => ({ hit, score: score(ranks), best: Math.min(...ranks) }))
    .sort((one, other) => other.score - one.score || one.best - other.best)
    .map(({ hit }) => hit)
}

function triplesOf(count: number): Triple[] {
  const triples: Triple[] = []
  for (let first = 0; first < count; first += 1)
    for (let second = first + 1; second < count; second += 1)
      for (let third = second + 1; third < count; third += 1) triples.push([first, second, third])
  return triples
}
