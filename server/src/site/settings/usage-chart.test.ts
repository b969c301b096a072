import { describe, expect, it } from 'vitest'
import { DAYS_SHOWN, firstDayNeeded, lastDays, sumByKind } from './usage-chart.ts'

const NOON = Date.UTC(2026, 10, 15, 12)
const count = (day: string, count: number, endpoint = 'web_search') => ({ day, endpoint, count })

describe('usage by day', () => {
  it('covers thirty days, today last, with all kinds summed and zero for days without requests', () => {
    const days = lastDays([count('2026-11-15', 2), count('2026-11-15', 3, 'maps'), count('2026-10-17', 7)], NOON)
    expect(days).toHaveLength(DAYS_SHOWN)
    expect(days[0]).toEqual({ day: '2026-10-17', count: 7 })
    expect(days[1]).toEqual({ day: '2026-10-18', count: 0 })
    expect(days.at(-1)).toEqual({ day: '2026-11-15', count: 5 })
  })

  it.each([
    ['2026-11-15', '2026-10-17'],
    ['2026-10-31', '2026-10-01'],
    ['2026-10-30', '2026-10-01'],
    ['2026-03-01', '2026-01-31'],
  ])('on %s counts are needed since %s', (today, first) => {
    expect(firstDayNeeded(Date.parse(`${today}T23:59:59Z`))).toBe(first)
  })

  it('sums up by kind, most frequent first, for the month and the thirty days', () => {
    const counts = [
      count('2026-10-20', 10),
      count('2026-11-01', 1),
      count('2026-11-15', 20, 'maps'),
      count('2026-10-16', 99, 'maps'),
    ]
    expect(sumByKind(counts, NOON)).toEqual([
      { endpoint: 'maps', month: 20, days: 20 },
      { endpoint: 'web_search', month: 1, days: 11 },
    ])
  })

  it('on the 31st, reads from the first of the month', () => {
    const counts = [count('2026-10-01', 5), count('2026-10-31', 1)]
    expect(sumByKind(counts, Date.UTC(2026, 9, 31))).toEqual([{ endpoint: 'web_search', month: 6, days: 1 }])
  })
})
