// Merge quality on invented rankings. `nightly/judged-ranking.test.ts` measures it on real ones.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inventRankings } from '../../bench/invent-rankings.ts'
import { INVENTED_RANKINGS, judgedRunsOf, readJudgedRuns } from '../../bench/judged-runs.ts'
import { measureRanking, type RankingMeasurement, ratiosOf } from '../../bench/measure-ranking.ts'
import { mean } from '../src/search/calibration/ndcg.ts'

describe('a file of judged rankings', () => {
  const file = inventRankings()
  const [topic, ...others] = file.topics
  if (!topic) throw new Error('No topic was invented')
  const withTopic = (change: Partial<typeof topic>) => () =>
    judgedRunsOf({ ...file, topics: [{ ...topic, ...change }, ...others] })

  it('matches what its script generates', () => {
    expect(JSON.parse(readFileSync(INVENTED_RANKINGS, 'utf8'))).toEqual(file)
  })

  it('counts an unjudged document as irrelevant', () => {
    const read = withTopic({ grades: topic.grades.map(() => -1) })()
    expect(read.topics[0]?.rankings.flat().map(({ grade }) => grade)).toEqual(Array(100).fill(0))
  })

  it('is rejected if malformed', () => {
    expect(withTopic({ rankings: { ...topic.rankings, alder: [0, 60] } })).toThrow('alder names document 60')
    expect(withTopic({ rankings: {} })).toThrow('no ranking by alder')
    expect(withTopic({ grades: [0, 1] })).toThrow('60 documents, but 2 grades')
    expect(withTopic({ id: 'first' })).toThrow('must be a whole number')
    expect(() => judgedRunsOf({ ...file, runs: ['alder', 'birch'] })).toThrow('Has 2 runs')
    expect(() => judgedRunsOf({ ...file, topics: [topic] })).toThrow('Has 1 topics')
    expect(() => readJudgedRuns('/nowhere/rankings.json')).toThrow('/nowhere/rankings.json: ENOENT')
  })
})

describe('the merge on invented rankings', () => {
  const judged = readJudgedRuns(INVENTED_RANKINGS)
  const measured = measureRanking(judged)
  it('ranks better than the best run it merges, and better still once calibrated', () => {
    const over = meansOf(measured)
    expect(over.product).toBeGreaterThan(over.bestSingle)
    expect(over.product).toBeGreaterThan(over.reciprocal60)
    expect(over.equal).toBeCloseTo(over.product, 10)
    expect(over.calibrated).toBeGreaterThan(over.equal)
    expect(over.calibrated).toBeGreaterThan(over.hindsight)
    expect(over.hindsight).toBeGreaterThanOrEqual(over.picked)
  })

  it('scores 1 if all runs are perfect, and 0 if none finds anything', () => {
    const perfect = judged.topics.map((topic) => {
      const ideal = topic.ideal.map((grade, place) => ({ url: `https://d.example/${place}`, grade }))
      const grades = new Map(ideal.map(({ url, grade }) => [url, grade]))
      return { ...topic, rankings: topic.rankings.map(() => ideal), grades }
    })
    for (const figure of Object.values(meansOf(measureRanking({ ...judged, topics: perfect }))))
      expect(figure).toBeCloseTo(1, 10)
    const useless = judged.topics.map((topic) => ({
      ...topic,
      rankings: topic.rankings.map((hits) => hits.filter(({ grade }) => grade === 0)),
    }))
    expect(Object.values(meansOf(measureRanking({ ...judged, topics: useless })))).toEqual(Array(8).fill(0))
  })

  it('gives a ratio with an interval around it', () => {
    const { calibrated_vs_equal } = ratiosOf(measured)
    expect(calibrated_vs_equal.low).toBeLessThan(calibrated_vs_equal.value)
    expect(calibrated_vs_equal.high).toBeGreaterThan(calibrated_vs_equal.value)
  })
})

type Means = Record<keyof RankingMeasurement, number>

const meansOf = (measured: RankingMeasurement): Means =>
  // The same sides, each with a number.
  Object.fromEntries(Object.entries(measured).map(([side, values]) => [side, mean(values)])) as Means
