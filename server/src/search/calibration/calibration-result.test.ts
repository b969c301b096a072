import { describe, expect, it } from 'vitest'
import type { StoredResult } from '../../store/schema.ts'
import { resultOf } from './calibration-result.ts'
import type { CalibrationSearch } from './calibration-store.ts'

/** A search whose every engine has five results of its own. */
const search = (place: number, gradeOf: (engine: string, rank: number) => number | null): CalibrationSearch => ({
  place,
  query: `query ${place}`,
  results: ['alder', 'birch'].flatMap((engine) =>
    [1, 2, 3, 4, 5].map(
      (rank): StoredResult => ({
        url: `https://${engine}.example/${place}/${rank}`,
        title: '',
        description: '',
        ranks: { [engine]: rank },
        grade: gradeOf(engine, rank),
      }),
    ),
  ),
})

const searches = (count: number, gradeOf: (engine: string, rank: number, place: number) => number | null) =>
  Array.from({ length: count }, (_, place) => search(place, (engine, rank) => gradeOf(engine, rank, place)))

describe('resultOf', () => {
  it('says nothing about fewer than three searches that are graded to the end', () => {
    const good = (engine: string) => (engine === 'birch' ? 2 : 0)
    expect(resultOf(searches(2, good))).toMatchObject({ graded: 2, gain: undefined, verdict: 'few', wanted: 3 })
    const unfinished = search(2, (engine, rank) => (rank === 5 ? null : good(engine)))
    expect(resultOf([...searches(2, good), unfinished])).toMatchObject({ graded: 2, verdict: 'few' })
    expect(resultOf([])).toMatchObject({ graded: 0, engines: [], verdict: 'few' })
  })

  it('is sure of an engine that is always the better one, and says what each is worth', () => {
    const result = resultOf(searches(4, (engine, rank) => (engine === 'birch' ? (rank < 4 ? 2 : 1) : 0)))
    expect(result.verdict).toBe('better')
    expect(result.gain?.low).toBeGreaterThan(0.1)
    expect(result.engines.map(({ engine }) => engine)).toEqual(['birch', 'alder'])
    expect(result.engines[0]).toMatchObject({ alone: 1 })
  })

  it('is not sure when now one engine is better and now the other, and says that more are needed', () => {
    const turns = (engine: string, rank: number, place: number) =>
      rank < 3 && (engine === 'birch') === (place % 2 === 0) ? 2 : 0
    const result = resultOf(searches(5, turns))
    expect(result.verdict).toBe('unsure')
    expect(result.wanted).toBeGreaterThan(5)
    expect(result.gain?.low).toBeLessThan(0)
  })

  it('says that there is no difference where there is none', () => {
    const result = resultOf(searches(6, (_, rank) => (rank < 3 ? 2 : 0)))
    expect(result.verdict).toBe('same')
    expect(result.gain?.value).toBeCloseTo(0, 10)
  })

  it('does not count a search in which nothing was good', () => {
    expect(resultOf([...searches(3, () => 2), ...searches(2, () => 0)]).graded).toBe(3)
  })
})
