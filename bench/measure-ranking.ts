// How well the product's merge ranks, in nDCG@10 on judged data, compared with alternatives on the same three engines.
// Every figure is a mean over all triples of the runs (560 for 16 runs) and over the topics; a ratio is one such mean over
// another, and its interval is a paired bootstrap over the topics.
//
// Equal weights are measured on all topics. Calibrated weights are cross-fitted: the topics are split in random halves,
// and weights learned on one half are tested on the other, both ways. So is their first rival, the run of the triple that
// is best on the half where weights are learned; the second is the run that is best on the half where they are tested,
// chosen in hindsight. Nothing else is chosen on any of the data.
import {
  calibrateWeights,
  equationsOf,
  type GradedResult,
  type GradedSearch,
} from '../server/src/search/calibration/calibrate-weights.ts'
import { mean, ndcg } from '../server/src/search/calibration/ndcg.ts'
import { seededRandom, shuffled } from '../server/src/search/calibration/seeded-random.ts'
import { EQUAL, weightedQuality } from '../server/src/search/calibration/weighted-order.ts'
import { mergeRankings } from '../server/src/search/merge.ts'
import { gradesOf, type JudgedHit, type JudgedRuns, type JudgedTopic, toHits } from './judged-runs.ts'

/** What is compared, each with its value for every topic. */
const SIDES = [
  'bestSingle',
  'searxng',
  'reciprocal60',
  'product',
  'picked',
  'hindsight',
  'equal',
  'calibrated',
] as const
type Side = (typeof SIDES)[number]

export type RankingMeasurement = Record<Side, number[]>

/** A ratio, and its 95 % interval. */
export interface Ratio {
  value: number
  low: number
  high: number
}

/** Indices of three runs. */
type Triple = readonly [number, number, number]

const SLOTS = ['engine_a', 'engine_b', 'engine_c'] as const
const SEED = 27
const SPLITS = 60
const DRAWS = 2_000

export function measureRanking({ runs, topics }: JudgedRuns): RankingMeasurement {
  const singles = topics.map((topic) => topic.rankings.map((hits) => quality(topic, hits)))
  const splits = splitsOf(topics.length)
  const sums = Object.fromEntries(SIDES.map((side) => [side, topics.map(() => 0)])) as RankingMeasurement
  const triples = triplesOf(runs.length)
  for (const triple of triples) {
    const add = (side: Side, topic: number, value: number) => {
      sums[side][topic] = (sums[side][topic] ?? 0) + value / triples.length
    }
    measureEqual(topics, triple, { singles, add })
    measureCalibrated(topics, triple, { singles, splits, add })
  }
  return sums
}

type Add = (side: Side, topic: number, value: number) => void

interface Measuring {
  /** nDCG by topic and run. */
  singles: readonly number[][]
  add: Add
}

function measureEqual(topics: readonly JudgedTopic[], triple: Triple, { singles, add }: Measuring): void {
  const everywhere = topics.map((_, at) => at)
  const best = bestOf(triple, everywhere, singles)
  for (const [at, topic] of topics.entries()) {
    const rankings = rankingsOf(topic, triple)
    const merged = mergeRankings(
      rankings.map((hits, place) => ({ slot: SLOTS[place] ?? '', weight: 1, hits: toHits(hits) })),
    )
    add('bestSingle', at, singles[at]?.[best] ?? 0)
    add('searxng', at, quality(topic, orderBy(searxngScore, rankings)))
    add('reciprocal60', at, quality(topic, orderBy(reciprocal60, rankings)))
    add('product', at, ndcg(gradesOf(topic, merged), topic.ideal))
  }
}

function measureCalibrated(
  topics: readonly JudgedTopic[],
  triple: Triple,
  { singles, splits, add }: Measuring & { splits: readonly Split[] },
): void {
  const searches = topics.map((topic) => gradedSearch(topic, rankingsOf(topic, triple)))
  const equations = searches.map((search) => equationsOf(search, SLOTS))
  const equal = searches.map((search) => weightedQuality(search, { engines: SLOTS, weights: EQUAL }))
  for (const { learned, tested } of splits) {
    const weights = calibrateWeights(
      learned.flatMap((at) => equations[at] ?? []),
      SLOTS,
    )
    const picked = bestOf(triple, learned, singles)
    const hindsight = bestOf(triple, tested, singles)
    const share = splits.length / 2
    for (const at of tested) {
      const search = searches[at] ?? { results: [], ideal: [] }
      add('picked', at, (singles[at]?.[picked] ?? 0) / share)
      add('hindsight', at, (singles[at]?.[hindsight] ?? 0) / share)
      add('equal', at, (equal[at] ?? 0) / share)
      add('calibrated', at, weightedQuality(search, { engines: SLOTS, weights }) / share)
    }
  }
}

/** The results of three runs for a topic, with their ranks. */
function gradedSearch({ ideal }: JudgedTopic, rankings: readonly JudgedHit[][]): GradedSearch {
  const results = new Map<JudgedHit, GradedResult & { ranks: Record<string, number> }>()
  for (const [place, hits] of rankings.entries()) {
    for (const [index, hit] of hits.entries()) {
      const result = results.get(hit) ?? { grade: hit.grade, ranks: {} }
      result.ranks[SLOTS[place] ?? ''] ??= index + 1
      results.set(hit, result)
    }
  }
  return { ideal, results: [...results.values()] }
}

interface Split {
  learned: readonly number[]
  tested: readonly number[]
}

/** Each random division in halves twice, once in each direction. */
function splitsOf(count: number): Split[] {
  const random = seededRandom(SEED)
  return Array.from({ length: SPLITS }, () => shuffled([...Array(count).keys()], random)).flatMap((order) => {
    const [one, other] = [order.slice(0, count / 2), order.slice(count / 2)]
    return [
      { learned: one, tested: other },
      { learned: other, tested: one },
    ]
  })
}

/** The ratio of two sides over all topics, and its interval over topics drawn at random. */
function ratioOf(measured: RankingMeasurement, above: Side, below: Side): Ratio {
  const [some, others] = [measured[above], measured[below]]
  const random = seededRandom(SEED)
  const ratioOver = (topicAt: (at: number) => number): number => {
    let [up, down] = [0, 0]
    for (let at = 0; at < some.length; at += 1) {
      const topic = topicAt(at)
      up += some[topic] ?? 0
      down += others[topic] ?? 0
    }
    return up / down
  }
  const drawn = Array.from({ length: DRAWS }, () => ratioOver(() => Math.floor(random() * some.length)))
  drawn.sort((one, other) => one - other)
  return {
    value: ratioOver((at) => at),
    low: drawn[Math.round(0.025 * DRAWS)] ?? Number.NaN,
    high: drawn[Math.round(0.975 * DRAWS)] ?? Number.NaN,
  }
}

export const ratiosOf = (measured: RankingMeasurement) => ({
  equal_vs_searxng: ratioOf(measured, 'product', 'searxng'),
  calibrated_vs_picked: ratioOf(measured, 'calibrated', 'picked'),
  calibrated_vs_hindsight: ratioOf(measured, 'calibrated', 'hindsight'),
  calibrated_vs_equal: ratioOf(measured, 'calibrated', 'equal'),
})

function quality({ ideal }: JudgedTopic, order: readonly JudgedHit[]): number {
  const grades = order.map(({ grade }) => grade)
  return ndcg(grades, ideal)
}

/** The run of the triple that is best on these topics. */
function bestOf(triple: Triple, topics: readonly number[], singles: readonly number[][]): number {
  const over = (run: number): number => mean(topics.map((at) => singles[at]?.[run] ?? 0))
  return triple.reduce((best, run) => (over(run) > over(best) ? run : best))
}

const rankingsOf = (topic: JudgedTopic, triple: Triple): JudgedHit[][] => triple.map((run) => topic.rankings[run] ?? [])

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
