// The quality of the merge, measured on judged data where that is at hand, and the rules of the calibration everywhere.
import { describe, expect, it } from 'vitest'
import { calibrateWeights, type JudgedSearch } from '../../bench/calibrate-weights.ts'
import { hasJudgedRuns, readJudgedRuns } from '../../bench/judged-runs.ts'
import { measureRanking, ratiosOf } from '../../bench/measure-ranking.ts'
import { ndcg } from '../../bench/ndcg.ts'
import { explainHit } from '../src/search/explain.ts'
import { mergeRankings } from '../src/search/merge.ts'

describe('ndcg', () => {
  it('is 1 for the best order, less for a worse one, 0 for nothing relevant', () => {
    expect(ndcg([2, 1, 0], [2, 1])).toBe(1)
    expect(ndcg([1, 2], [2, 1])).toBeCloseTo((1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)))
    expect(ndcg([0, 0], [2, 1])).toBe(0)
    expect(ndcg([], [])).toBe(0)
  })

  it('does not look past the tenth result', () => {
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

  it('trusts most the engine that is right', () => {
    const { engine_a, engine_b, engine_c } = calibrateWeights([search(onlyB, 1)])
    expect(engine_b).toBeGreaterThan(1.5)
    expect(engine_a).toBeLessThan(1)
    expect(engine_c).toBeLessThan(1)
  })

  it('gives weights that are 1 on average', () => {
    const weights = Object.values(calibrateWeights([search(onlyB, 1)]))
    expect(weights.reduce((sum, weight) => sum + weight, 0) / 3).toBeCloseTo(1, 1)
  })

  it('does not depend on the weights that were in force when the searches were recorded', () => {
    expect(calibrateWeights([search(onlyB, 0.3)])).toEqual(calibrateWeights([search(onlyB, 1)]))
  })
})

describe.skipIf(!hasJudgedRuns())('the merge on judged data', () => {
  it('beats the formula of the field, the run one would have picked, and the best run in hindsight', () => {
    const ratios = ratiosOf(measureRanking(readJudgedRuns()))
    expect(ratios.equal_vs_searxng).toBeGreaterThanOrEqual(1.01)
    expect(ratios.calibrated_vs_picked).toBeGreaterThanOrEqual(1.02)
    expect(ratios.calibrated_vs_hindsight).toBeGreaterThanOrEqual(1)
  }, 180_000)
})
