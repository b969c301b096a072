// Merge quality on invented rankings. `nightly/judged-ranking.test.ts` measures it on real ones.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { calibrateWeights, type JudgedSearch } from '../../bench/calibrate-weights.ts'
import { inventRankings } from '../../bench/invent-rankings.ts'
import { INVENTED_RANKINGS, type JudgedHit, judgedRunsOf, readJudgedRuns } from '../../bench/judged-runs.ts'
import { measureRanking } from '../../bench/measure-ranking.ts'
import { ndcg } from '../../bench/ndcg.ts'
import { explainHit, mergeRankings } from '../src/search/merge.ts'

describe('ndcg', () => {
  it('is 1 for the best order, less for a worse one, and 0 if nothing is relevant', () => {
    expect(ndcg([2, 1, 0], [2, 1])).toBe(1)
    expect(ndcg([1, 2], [2, 1])).toBeCloseTo((1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)))
    expect(ndcg([0, 0], [2, 1])).toBe(0)
    expect(ndcg([], [])).toBe(0)
  })

  it('ignores everything after the tenth result', () => {
    expect(ndcg([...Array(10).fill(0), 2], [2])).toBe(0)
  })
})

describe('calibrateWeights', () => {
  const page = (engine: string, place: number, grade: number) => ({ url: `https://${engine}.example/${place}`, grade })
  const search = (gradeOf: (engine: string) => number, weight: number): JudgedSearch => ({
    ideal: Array(10).fill(1),
    results: mergeRankings(
      ['engine_a', 'engine_b', 'engine_c'].map((slot) => ({
        slot,
        weight: slot === 'engine_b' ? weight : 1,
        hits: Array.from({ length: 10 }, (_, place) => page(slot, place, gradeOf(slot))),
      })),
      (best) => best,
    ).map((merged) => ({ grade: merged.hit.grade, explain: explainHit(merged) })),
  })
  const onlyB = (engine: string) => (engine === 'engine_b' ? 1 : 0)

  it('gives the most accurate engine the highest weight', () => {
    const { engine_a, engine_b, engine_c } = calibrateWeights([search(onlyB, 1)])
    expect(engine_b).toBeGreaterThan(1.5)
    expect(engine_a).toBeLessThan(1)
    expect(engine_c).toBeLessThan(1)
  })

  it('gives weights that average 1', () => {
    const weights = Object.values(calibrateWeights([search(onlyB, 1)]))
    expect(weights.reduce((sum, weight) => sum + weight, 0) / 3).toBeCloseTo(1, 1)
  })

  it('does not depend on the weights in use when the searches were recorded', () => {
    expect(calibrateWeights([search(onlyB, 0.3)])).toEqual(calibrateWeights([search(onlyB, 1)]))
  })
})

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
    expect(() => judgedRunsOf({ ...file, topics: [topic] })).toThrow('even and with odd')
    expect(() => readJudgedRuns('/nowhere/rankings.json')).toThrow('/nowhere/rankings.json: ENOENT')
  })
})

describe('the merge on invented rankings', () => {
  const judged = readJudgedRuns(INVENTED_RANKINGS)
  const reordered = (order: (hits: JudgedHit[]) => JudgedHit[]) =>
    measureRanking({
      ...judged,
      topics: judged.topics.map((topic) => ({ ...topic, rankings: topic.rankings.map(order) })),
    })

  it('ranks better than the best run it merges, and better still once calibrated', () => {
    const { all, odd } = measureRanking(judged)
    expect(all.product).toBeGreaterThan(all.bestSingle)
    expect(all.product).toBeGreaterThan(all.reciprocal60)
    expect(odd.calibrated).toBeGreaterThan(odd.equal)
    expect(odd.calibrated).toBeGreaterThan(odd.hindsight)
    expect(odd.hindsight).toBeGreaterThanOrEqual(odd.picked)
  })

  it('ranks better when every run ranks better', () => {
    const [worst, asIs, best] = [
      reordered((hits) => hits.toSorted((one, other) => one.grade - other.grade)),
      measureRanking(judged),
      reordered((hits) => hits.toSorted((one, other) => other.grade - one.grade)),
    ]
    expect(worst.all.product).toBeLessThan(asIs.all.product)
    expect(asIs.all.product).toBeLessThan(best.all.product)
  })

  it('scores 1 if all runs are perfect, and 0 if none finds anything', () => {
    const perfect = judged.topics.map((topic) => {
      const ideal = topic.ideal.map((grade, place) => ({ url: `https://d.example/${place}`, grade }))
      return { ...topic, rankings: topic.rankings.map(() => ideal) }
    })
    const { all, odd } = measureRanking({ ...judged, topics: perfect })
    for (const figure of [...Object.values(all), ...Object.values(odd)]) expect(figure).toBeCloseTo(1, 10)
    const nothing = reordered((hits) => hits.filter(({ grade }) => grade === 0))
    expect([...Object.values(nothing.all), ...Object.values(nothing.odd)]).toEqual(Array(8).fill(0))
  })
})
