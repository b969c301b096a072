import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Language } from '../question.ts'
import { readDate } from './dates.ts'

const read = (text: string, spoken: Language = 'en', tag = 'en-GB') => readDate(text, spoken, { tag })
const date = (year: number | undefined, month: number, day: number) => ({ kind: 'date', year, month, day })

describe('a date as people write it', () => {
  it.each([
    ['2028-02-29', 'en', date(2028, 2, 29)],
    ['2028/2/9', 'en', date(2028, 2, 9)],
    ['29.2.2028', 'de', date(2028, 2, 29)],
    ['24.12.', 'de', date(undefined, 12, 24)],
    ['29-02-2028', 'nl', date(2028, 2, 29)],
    ['29. februar 2028', 'de', date(2028, 2, 29)],
    ['february 29th, 2028', 'en', date(2028, 2, 29)],
    ['the 4th of july', 'en', date(undefined, 7, 4)],
    ['feb 29', 'en', date(undefined, 2, 29)],
    ['le 1er janvier 2024', 'fr', date(2024, 1, 1)],
    ['12 de octubre de 1992', 'es', date(1992, 10, 12)],
    ['2 giugno', 'it', date(undefined, 6, 2)],
    ['1o de maio de 2025', 'pt', date(2025, 5, 1)],
    ['5 mei 1945', 'nl', date(1945, 5, 5)],
    ['demain', 'fr', { kind: 'days', fromToday: 1 }],
    ['ubermorgen', 'de', { kind: 'days', fromToday: 2 }],
    ['next friday', 'en', { kind: 'weekday', weekday: 5, direction: 'next' }],
    ['lundi dernier', 'fr', { kind: 'weekday', weekday: 1, direction: 'last' }],
  ] as const)('%j in %s', (text, spoken, words) => {
    expect(read(text, spoken)).toEqual(words)
  })

  it('an ambiguous pair of numbers is read by language; above twelve it is a day, and with points the day comes first', () => {
    expect(read('3/4/2026', 'en', 'en-US')).toEqual(date(2026, 3, 4))
    expect(read('3/4/2026', 'fr')).toEqual(date(2026, 4, 3))
    expect(read('31/1/2026', 'en', 'en-US')).toEqual(date(2026, 1, 31))
    expect(read('1/31/2026', 'fr')).toEqual(date(2026, 1, 31))
    expect(read('3.4.2026', 'en', 'en-US')).toEqual(date(2026, 4, 3))
  })

  it('the month comes first only in English without a region and in American English', () => {
    const monthOf = (tag: string, spoken: Language) => Object(read('3/4/2026', spoken, tag)).month
    expect(['', 'en', 'en-US'].map((tag) => monthOf(tag, 'en'))).toEqual([3, 3, 3])
    expect(['en-GB', 'en-IN', 'en-AU'].map((tag) => monthOf(tag, 'en'))).toEqual([4, 4, 4])
    expect(monthOf('', 'de')).toBe(4)
  })

  it('a named day has a rule and an optional year', () => {
    expect(read('christmas')).toMatchObject({ kind: 'named', named: { rule: { month: 12, day: 25 } }, year: undefined })
    expect(read('easter 2027')).toMatchObject({ named: { rule: { easter: 0 } }, year: 2027 })
  })

  it('names of months and days are only read in their own language', () => {
    expect(read('5 mei 1945', 'en')).toBeUndefined()
    expect(read('heute', 'en')).toBeUndefined()
  })

  it.each(['', 'may', '2024', '32 january 2024', '13.13.2024', '0.1.2024', '5 parsec', '999-01-01', '1'.repeat(50)])(
    '%j is not a date',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  it('reads back every date in ISO form', () => {
    const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(days, (day) => {
        const iso = day.toISOString().slice(0, 10)
        const [year, month, dayOfMonth] = iso.split('-').map(Number)
        expect(read(iso)).toEqual({ kind: 'date', year, month, day: dayOfMonth })
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(() => read(text)).not.toThrow()
      }),
    )
  })
})
