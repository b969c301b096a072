import { Temporal } from 'temporal-polyfill'
import { expect, it } from 'vitest'
import { resolveDate } from './calendar.ts'
import { readMovableDay } from './movable-days.ts'

const START = Temporal.PlainDate.from('2026-11-15')

function dateOf(text: string, today = START): string | undefined {
  const words = readMovableDay(text)
  return words && resolveDate(words, today, 'coming')?.toString()
}

it('Chinese New Year is the first day of the Chinese calendar', () => {
  for (let year = 2020; year <= 2050; year++) {
    const { monthCode, day } = Temporal.PlainDate.from(dateOf(`chinese new year ${year}`) ?? '').withCalendar('chinese')
    expect([year, monthCode, day]).toEqual([year, 'M01', 1])
  }
  expect([dateOf('chinese new year 2019'), dateOf('chinese new year 2051')]).toEqual([undefined, undefined])
})

it('Islamic and Jewish days are on their published dates', () => {
  const published = {
    'ramadan 2024': '2024-03-11',
    'ramadan 2026': '2026-02-18',
    'eid al-fitr 2025': '2025-03-30',
    'eid al-adha 2024': '2024-06-16',
    'eid al-adha 2026': '2026-05-27',
    'hanukkah 2024': '2024-12-26',
    'hanukkah 2027': '2027-12-25',
    'passover 2026': '2026-04-02',
    'rosh hashanah 2025': '2025-09-23',
    'yom kippur 2026': '2026-09-21',
  }
  expect(Object.fromEntries(Object.keys(published).map((name) => [name, dateOf(name)]))).toEqual(published)
})

it('a day that comes twice in a year is found by what comes next, but not by the year', () => {
  expect(dateOf('ramadan 2030')).toBe(undefined)
  expect(dateOf('ramadan', Temporal.PlainDate.from('2030-01-05'))).toBe('2030-01-05')
  expect(dateOf('ramadan', Temporal.PlainDate.from('2030-01-06'))).toBe('2030-12-26')
})
