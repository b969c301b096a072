import { expect, it } from 'vitest'
import { easterSunday } from './named-days.ts'

const dateOf = (year: number) => new Date(easterSunday(year)).toISOString().slice(0, 10)

const OFFICIAL =
  '1583-04-10 1818-03-22 1943-04-25 1954-04-18 1981-04-19 2000-04-23 2008-03-23 2024-03-31 ' +
  '2025-04-20 2026-04-05 2027-03-28 2038-04-25 2049-04-18 2076-04-19 2285-03-22'

it.each(OFFICIAL.split(' '))('Easter Sunday is on its official date, %s', (date) => {
  expect(dateOf(Number(date.slice(0, 4)))).toBe(date)
})

it('Easter Sunday is a Sunday from 22 March to 25 April', () => {
  for (let year = 1583; year < 4000; year++) {
    const date = dateOf(year)
    expect([date, new Date(date).getUTCDay()]).toEqual([date, 0])
    expect(date.slice(5) >= '03-22' && date.slice(5) <= '04-25').toBe(true)
  }
})
