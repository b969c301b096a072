// What `ENGINE_A_WHEN=thin` saves and costs, on judged data: the share of searches in which the waiting engine isn't
// called, and the nDCG@10 that is lost against asking all three. Measured on all triples of runs, with the product's own
// merge and rule; the run that waits is the best of the three, which is what people pay for, or each of them in turn.
//
// Topics are few and triples share them, so the interval comes from drawing topics: a paired bootstrap of the difference
// within each topic.
import { mean, ndcg } from '../server/src/search/calibration/ndcg.ts'
import { seededRandom } from '../server/src/search/calibration/seeded-random.ts'
import { mergeRankings } from '../server/src/search/merge.ts'
import type { ThinRule } from '../server/src/search/thin.ts'
import { isThin } from '../server/src/search/thin.ts'
import { gradesOf, type JudgedRuns, type JudgedTopic, toHits } from './judged-runs.ts'

/** Which run of each three waits. */
type Waiting = 'best' | 'any'

export interface ThinMeasurement {
  /** Of the waiting engine's calls. */
  saved: number
  /** Of the nDCG@10 with all three engines; below 0 if it is better without. */
  lost: number
  /** The 95 % interval of `lost`. */
  interval: readonly [number, number]
}

/** The rule that never asks, for what is lost at most. */
export const NEVER: ThinRule = { results: 0, agreement: 0 }

interface TopicFigures {
  saved: number
  all: number
  thin: number
}

const SEED = 20_261_117
const RESAMPLES = 2_000

export function measureThin(judged: JudgedRuns, waiting: Waiting, rules: readonly ThinRule[]): ThinMeasurement[] {
  const groups = groupsOf(judged, waiting)
  const byRule = rules.map((): TopicFigures[] => [])
  for (const topic of judged.topics) {
    const measured = groups.map((group) => measureGroup(topic, group, rules))
    for (const [at, figures] of byRule.entries()) {
      const over = (name: keyof TopicFigures) => mean(measured.map((one) => one[at]?.[name] ?? 0))
      figures.push({ saved: over('saved'), all: over('all'), thin: over('thin') })
    }
  }
  return byRule.map(summaryOf)
}

/** Two runs that are asked at once, and one that waits. */
interface Group {
  others: readonly [number, number]
  later: number
}

function groupsOf({ runs, topics }: JudgedRuns, waiting: Waiting): Group[] {
  const skill = runs.map((_, run) =>
    mean(
      topics.map((topic) =>
        ndcg(
          (topic.rankings[run] ?? []).map(({ grade }) => grade),
          topic.ideal,
        ),
      ),
    ),
  )
  const groups: Group[] = []
  for (const [later] of runs.entries())
    for (const [one] of runs.entries())
      for (const [other] of runs.entries()) {
        if (one >= other || later === one || later === other) continue
        const isBest = [one, other].every((run) => (skill[run] ?? 0) < (skill[later] ?? 0))
        if (waiting === 'any' || isBest) groups.push({ others: [one, other], later })
      }
  return groups
}

function measureGroup(topic: JudgedTopic, { others, later }: Group, rules: readonly ThinRule[]): TopicFigures[] {
  const first = merge(topic, others)
  const whole = merge(topic, [...others, later])
  const [without, all] = [first, whole].map((results) => ndcg(gradesOf(topic, results), topic.ideal))
  return rules.map((rule) => {
    const isAsked = isThin(rule, { results: first, limit: undefined })
    return { saved: isAsked ? 0 : 1, all: all ?? 0, thin: (isAsked ? all : without) ?? 0 }
  })
}

/** Every run is an index of its own. */
const merge = (topic: JudgedTopic, runs: readonly number[]) =>
  mergeRankings(
    runs.map((run) => ({ slot: `run${run}`, index: `run${run}`, weight: 1, hits: toHits(topic.rankings[run] ?? []) })),
  )

function summaryOf(figures: readonly TopicFigures[]): ThinMeasurement {
  const random = seededRandom(SEED)
  const draw = () => figures[Math.floor(random() * figures.length)]
  const drawn = Array.from({ length: RESAMPLES }, () => lostIn(figures.flatMap(() => draw() ?? []))).sort(
    (one, other) => one - other,
  )
  const at = (share: number) => drawn[Math.floor(share * (RESAMPLES - 1))] ?? 0
  return { saved: mean(figures.map(({ saved }) => saved)), lost: lostIn(figures), interval: [at(0.025), at(0.975)] }
}

function lostIn(figures: readonly TopicFigures[]): number {
  const all = mean(figures.map((one) => one.all))
  return all === 0 ? 0 : (all - mean(figures.map((one) => one.thin))) / all
}
