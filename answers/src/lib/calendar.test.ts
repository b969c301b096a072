import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addSpan,
  ageBetween,
  type Day,
  dayOf,
  daysBetween,
  mondayOf,
  readWall,
  resolveDate,
  todayIn,
} from './calendar.ts'
import { NAMED_DAY_BY_WORD } from './named-days.ts'

const day = (iso: string): Day => {
  const [year = 0, month = 0, dayOfMonth = 0] = iso.split('-').map(Number)
  const found = dayOf(year, month, dayOfMonth)
  if (!found) throw new Error(`${iso} is not a day.`)
  return found
}

const named = (word: string, year: number | undefined) => {
  const found = NAMED_DAY_BY_WORD.get(word)
  if (!found) throw new Error(`${word} has no rule.`)
  return String(resolveDate({ kind: 'named', named: found, year }, day('2026-11-15'), 'coming'))
}

describe('days', () => {
  it('that do not exist are undefined', () => {
    for (const [year, month, date] of [
      [2027, 2, 29],
      [2100, 2, 29],
      [2026, 4, 31],
      [0, 1, 1],
    ] as const)
      expect(dayOf(year, month, date), `${year}-${month}-${date}`).toBeUndefined()
    expect(String(dayOf(2028, 2, 29))).toBe('2028-02-29')
    expect(String(dayOf(2000, 2, 29))).toBe('2000-02-29')
  })

  it('with a rule fall on the right date', () => {
    expect(named('thanksgiving', 2026)).toBe('2026-11-26')
    expect(named('black friday', 2026)).toBe('2026-11-27')
    expect(named('good friday', 2026)).toBe('2026-04-03')
    expect(named('christmas', undefined)).toBe('2026-12-25')
    expect(named('halloween', undefined)).toBe('2027-10-31')
  })

  it('without a year are the next ones, including today; 29 February is in the next leap year', () => {
    const coming = (month: number, dayOfMonth: number) =>
      String(resolveDate({ kind: 'date', year: undefined, month, day: dayOfMonth }, day('2026-11-15'), 'coming'))
    expect(coming(11, 15)).toBe('2026-11-15')
    expect(coming(11, 14)).toBe('2027-11-14')
    expect(coming(2, 29)).toBe('2028-02-29')
  })

  it('of the week never mean today', () => {
    const weekday = (direction: 'next' | 'last', number: number) =>
      String(resolveDate({ kind: 'weekday', weekday: number, direction }, day('2026-11-15'), 'coming'))
    expect(weekday('next', 7)).toBe('2026-11-22')
    expect(weekday('last', 7)).toBe('2026-11-08')
    expect(weekday('next', 1)).toBe('2026-11-16')
    expect(weekday('last', 1)).toBe('2026-11-09')
  })

  it('are counted by the calendar, across daylight-saving changes', () => {
    expect(daysBetween(day('2026-03-28'), day('2026-03-30'))).toBe(2)
    expect(ageBetween(day('2024-02-29'), day('2025-02-28'))).toEqual({ years: 0, months: 11, days: 30 })
  })

  it('are the same after adding and subtracting a number of days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (days) => {
        const later = addSpan(day('2026-11-15'), { days }, 1)
        expect(later && String(addSpan(later, { days }, -1))).toBe(later && '2026-11-15')
      }),
    )
  })

  it('end with the year 9999', () => {
    expect(addSpan(day('9999-12-31'), { days: 1 }, 1)).toBeUndefined()
    expect(addSpan(day('2026-01-01'), { years: 999_999 }, 1)).toBeUndefined()
  })

  it('of week 53 exist only in years that have one', () => {
    expect(String(mondayOf(2026, 53))).toBe('2026-12-28')
    expect(mondayOf(2027, 53)).toBeUndefined()
    expect(mondayOf(2026, 0)).toBeUndefined()
  })
})

describe('clocks', () => {
  const wall = (iso: string, [hour, minute]: readonly [number, number], zone: string) =>
    readWall({ day: day(iso), hour, minute }, zone)

  it('today depends on the time zone', () => {
    const now = Date.parse('2026-11-15T12:00:00Z')
    expect(String(todayIn('UTC', now))).toBe('2026-11-15')
    expect(String(todayIn('Pacific/Auckland', now))).toBe('2026-11-16')
  })

  it('a time that the clocks skip is shifted forward', () => {
    expect(wall('2026-03-29', [2, 30], 'Europe/Paris')).toMatchObject({ dst: 'gap', time: '03:30', offset: '+02:00' })
  })

  it('a time that occurs twice is read as the first, with the second alongside', () => {
    expect(wall('2026-11-01', [1, 30], 'America/New_York')).toMatchObject({
      dst: 'overlap',
      offset: '-04:00',
      later: { offset: '-05:00', time: '01:30' },
    })
  })

  it('a shift of half an hour is noticed too', () => {
    expect(wall('2027-04-04', [1, 45], 'Australia/Lord_Howe')).toMatchObject({ dst: 'overlap', offset: '+11:00' })
  })

  it('any other time is unambiguous', () => {
    expect(wall('2026-07-01', [12, 0], '+05:30')).toMatchObject({ dst: 'none', later: undefined, offset: '+05:30' })
  })
})
