import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type HolidayCountry,
  holidayDates,
  holidaysInRegion,
  holidaysOf,
  loadHolidays,
  type PublicHoliday,
  regionKey,
} from './holiday-calendar.ts'

const calendar = await loadHolidays()

function countryOf(code: string): HolidayCountry {
  const country = calendar.countries.get(code)
  if (!country) throw new Error(`no country ${code}`)
  return country
}

const dates = (code: string, year: number, region?: string) => {
  const all = holidaysOf(countryOf(code), year)
  return (region === undefined ? all : holidaysInRegion(all, region)).map(({ date }) => date.slice(5))
}

describe('the calendar of public holidays', () => {
  it('credits its source and licence, in the file and beside it', () => {
    const read = (name: string) => readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8')
    for (const text of [read('public-holidays.txt'), read('public-holidays.LICENSE.md')]) {
      expect(text).toMatch(/date-holidays/)
      expect(text).toMatch(/CC BY-SA 3\.0/)
      expect(text).toContain('https://creativecommons.org/licenses/by-sa/3.0/')
    }
  })

  it('has valid dates in chronological order for every country and every year it covers', () => {
    expect(calendar.countries.size).toBeGreaterThan(200)
    const isValid = ({ date, name, ownName, days }: PublicHoliday) =>
      new Date(`${date}T00:00:00Z`).toISOString().startsWith(date) && name !== '' && ownName !== '' && days > 0
    for (const [code, country] of calendar.countries) {
      for (let year = 2025; year <= 2032; year++) {
        const holidays = holidaysOf(country, year)
        const all = holidays.map(({ date }) => date)
        expect(all, `${code} in ${year}`).not.toEqual([])
        expect(all, `${code} in ${year}`).toEqual(all.toSorted())
        expect(
          holidays.filter((holiday) => !isValid(holiday)),
          `${code} in ${year}`,
        ).toEqual([])
      }
    }
  })

  it('only names regions of the country', () => {
    for (const [code, country] of calendar.countries) {
      const regions = new Set(country.regions.map((region) => region.code))
      const named = new Set(holidaysOf(country, 2026).flatMap((holiday) => holiday.regions))
      expect(named.difference(regions), code).toEqual(new Set())
    }
  })

  // As published by gov.uk.
  it.each([
    ['ENG', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    ['WLS', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    ['SCT', 2026, '01-01 01-02 04-03 05-04 05-25 08-03 11-30 12-25 12-28'],
    ['NIR', 2026, '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28'],
    ['ENG', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
    ['SCT', 2027, '01-01 01-04 03-26 05-03 05-31 08-02 11-30 12-27 12-28'],
    ['NIR', 2027, '01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-27 12-28'],
  ])('the bank holidays of %s in %i', (region, year, expected) => {
    expect(dates('GB', year, region).join(' ')).toBe(expected)
  })

  it.each([
    ['ON', '01-01 02-16 04-03 05-18 07-01 09-07 10-12 12-25 12-26'],
    ['QC', '01-01 04-03 05-18 06-24 07-01 09-07 10-12 12-25'],
    ['BC', '01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25'],
    ['NS', '01-01 02-16 04-03 07-01 09-07 12-25'],
  ])('the holidays of %s in Canada in 2026', (region, expected) => {
    expect(dates('CA', 2026, region).join(' ')).toBe(expected)
  })

  it.each([
    ['BY', 13, '01-06 06-04 08-15 11-01'],
    ['SN', 11, '10-31 11-18'],
    ['BE', 10, '03-08'],
    ['NW', 11, '06-04 11-01'],
    ['HE', 10, '06-04'],
  ])('%s in Germany has %i holidays in 2026, including its own', (region, count, own) => {
    const kept = dates('DE', 2026, region)
    expect(kept).toHaveLength(count)
    expect(kept.filter((date) => !dates('DE', 2026, 'none').includes(date)).join(' ')).toBe(own)
  })

  it('India has Holi and Diwali, which depend on the moon', () => {
    const byName = (year: number) => new Map(holidaysOf(countryOf('IN'), year).map((day) => [day.name, day]))
    expect(byName(2026).get('Diwali')).toMatchObject({ date: '2026-11-08', isTentative: true })
    expect(byName(2026).get('Holi')).toMatchObject({ date: '2026-03-04', isTentative: true })
    expect(byName(2027).get('Diwali')).toMatchObject({ date: '2027-10-29' })
    expect(byName(2032).size).toBe(16)
  })

  it('has well-known holidays of other countries', () => {
    expect(dates('US', 2027)).toContain('11-25')
    expect(dates('FR', 2026, '')).toHaveLength(11)
    const eid = holidaysOf(countryOf('SA'), 2026).find(({ name }) => name.includes('Eid al-Fitr'))
    expect(eid).toMatchObject({ isTentative: true, days: 4 })
  })

  it.each([
    ['Bavaria', 'BY'],
    ['bayern', 'BY'],
    ['Bavière', 'BY'],
    ['the northwest territories', 'NT'],
    ['Île-du-Prince-Édouard', 'PE'],
    ['nordirland', 'NIR'],
    ['NRW', 'NW'],
    ['narnia', undefined],
  ])('the region %s is %s', (name, code) => {
    expect(calendar.regions.get(regionKey(name))?.region.code).toBe(code)
  })

  it('is empty for years and countries it does not cover', () => {
    expect(holidaysOf(countryOf('DE'), 2040)).toEqual([])
    expect(calendar.countries.get('XX')).toBeUndefined()
  })
})

describe('the rule of a holiday', () => {
  it.each([
    ['12-25', 2026, '2026-12-25'],
    // As published by gov.uk.
    ['12-25>>', 2027, '2027-12-27 instead'],
    ['12-26>>', 2027, '2027-12-28 instead'],
    ['12-26>>', 2026, '2026-12-28 instead'],
    ['12-25>>', 2022, '2022-12-27 instead'],
    ['12-26>>', 2022, '2022-12-26'],
    ['01-01>', 2022, '2022-01-03 instead'],
    ['01-01>', 2023, '2023-01-02 instead'],
    ['01-02>2', 2022, '2022-01-04 instead'],
    ['01-02>2', 2023, '2023-01-03 instead'],
    ['01-02>2', 2027, '2027-01-04 instead'],
    ['01-02>2', 2026, '2026-01-02'],
    ['M5.1.1', 2026, '2026-05-04'],
    ['M5.5.1', 2026, '2026-05-25'],
    ['M8.5.1', 2026, '2026-08-31'],
    ['M8.5.1', 2027, '2027-08-30'],
    ['M10.2.1', 2026, '2026-10-12'],
    ['<05-25.1', 2026, '2026-05-18'],
    ['<05-25.1', 2027, '2027-05-24'],
    ['<11-23.3', 2026, '2026-11-18'],
    ['<11-23.3', 2022, '2022-11-16'],
    ['e-2', 2026, '2026-04-03'],
    ['e60', 2026, '2026-06-04'],
    ['2025-10-20 2026-11-08', 2026, '2026-11-08'],
    ['2025-10-20 2026-11-08', 2027, ''],
  ])('%s in %i is %j', (rule, year, expected) => {
    const written = holidayDates(rule, year).map(({ date, isSubstitute }) => (isSubstitute ? `${date} instead` : date))
    expect(written.join(' ')).toBe(expected)
  })
})
