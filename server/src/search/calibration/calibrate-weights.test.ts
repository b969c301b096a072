import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeRankings } from '../merge.ts'
import { webHit } from '../search.test-harness.ts'
import { calibrateWeights, equationsOf, type GradedSearch } from './calibrate-weights.ts'
import { ndcg } from './ndcg.ts'
import { solveLinear } from './solve-linear.ts'
import { weightedGrades } from './weighted-order.ts'

const ENGINES = ['alder', 'birch', 'cedar']

/** Ten results of each engine, none in common; `gradeOf` says how good they are. */
const search = (gradeOf: (engine: string, rank: number) => number, engines = ENGINES): GradedSearch => {
  const results = engines.flatMap((engine) =>
    Array.from({ length: 10 }, (_, at) => ({ grade: gradeOf(engine, at + 1), ranks: { [engine]: at + 1 } })),
  )
  return { results, ideal: results.map(({ grade }) => grade).toSorted((one, other) => other - one) }
}

const weightsOf = (searches: readonly GradedSearch[], engines = ENGINES) =>
  calibrateWeights(
    searches.map((each) => equationsOf(each, engines)),
    engines,
  )

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

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
  it('gives the engine whose results are good the highest weight, and the others at least the floor', () => {
    const weights = weightsOf([search((engine) => (engine === 'birch' ? 2 : 0))])
    expect(weights.get('birch')).toBeGreaterThan(2)
    for (const weight of weights.values()) expect(weight).toBeGreaterThan(0.01)
  })

  it('gives equal engines equal weights, and so does a search in which nothing was good', () => {
    for (const gradeOf of [(_: string, rank: number) => (rank < 4 ? 1 : 0), () => 0])
      for (const weight of weightsOf([search(gradeOf)]).values()) expect(weight).toBeCloseTo(1, 10)
    expect([...weightsOf([]).values()]).toEqual([1, 1, 1])
  })

  it('works with any number of engines', () => {
    const many = Array.from({ length: 14 }, (_, at) => `engine${at}`)
    const weights = weightsOf([search((engine, rank) => (engine < 'engine3' && rank < 6 ? 2 : 0), many)], many)
    expect(weights.size).toBe(14)
    expect(weights.get('engine0')).toBeGreaterThan(weights.get('engine9') ?? 0)
  })

  it('gives weights that are finite, positive and 1 on average, whatever the grades', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(2), { minLength: 30, maxLength: 30 }), { maxLength: 4 }), (grades) => {
        const searches = grades.map((own) =>
          search((engine, rank) => own[ENGINES.indexOf(engine) * 10 + rank - 1] ?? 0),
        )
        const weights = [...weightsOf(searches).values()]
        expect(sum(weights)).toBeCloseTo(3, 6)
        for (const weight of weights) expect(weight).toBeGreaterThan(0)
      }),
    )
  })
})

describe('solveLinear', () => {
  it('solves what has a solution, and gives 0 for what nothing is said about', () => {
    expect(
      solveLinear(
        [
          [0, 2],
          [4, 1],
        ],
        [2, 9],
      ),
    ).toEqual([2, 1])
    expect(
      solveLinear(
        [
          [3, 0],
          [0, 0],
        ],
        [6, 0],
      ),
    ).toEqual([2, 0])
  })
})

describe('weightedGrades', () => {
  const ranking = fc.uniqueArray(fc.nat(25), { maxLength: 12 })
  const weight = fc.double({ min: 0.02, max: 9, noNaN: true })

  it('gives exactly the order of the merge, whatever the rankings and weights', () => {
    fc.assert(
      fc.property(fc.tuple(ranking, ranking, ranking), fc.tuple(weight, weight, weight), (pages, own) => {
        const merged = mergeRankings(
          pages.map((hits, at) => ({
            slot: ENGINES[at] ?? '',
            weight: own[at] ?? 1,
            hits: hits.map((page) => webHit(`https://example.org/${page}`)),
          })),
        )
        const gradeOf = ({ url }: { url: string }) => Number(url.split('/').at(-1))
        const results = merged.map(({ hit, contributions }) => ({
          grade: gradeOf(hit),
          ranks: Object.fromEntries(contributions.map(({ slot, rank }) => [slot, rank])),
        }))
        const weights = new Map(ENGINES.map((engine, at) => [engine, own[at] ?? 1]))
        expect(weightedGrades(results.toReversed(), { engines: ENGINES, weights })).toEqual(
          merged.map(({ hit }) => gradeOf(hit)),
        )
      }),
      // The same sum by two ways, to the last bit: a tie that only the rank at the first engine decides.
      {
        examples: [
          [
            [[], [0, 2, 1], [0, 1, 2]],
            [0.02, 8.999999999999904, 8.999999999999961],
          ],
        ],
      },
    )
  })
})
