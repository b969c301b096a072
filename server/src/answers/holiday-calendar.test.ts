import { describe, expect, it } from 'vitest'
import { holidaysOf, loadHolidays } from './holiday-calendar.ts'

describe('the calendar of public holidays', () => {
  it('says whose it is', async () => {
    expect((await loadHolidays()).attribution).toMatch(/date-holidays.*CC BY-SA 3\.0/)
  })

  it('has days that exist, in order, for every country and every year it covers', async () => {
    const calendar = await loadHolidays()
    expect(Object.keys(calendar.countries).length).toBeGreaterThan(200)
    expect([calendar.from, calendar.to]).toEqual([2025, 2032])
    for (const country of Object.keys(calendar.countries)) {
      for (let year = calendar.from; year <= calendar.to; year++) {
        const holidays = holidaysOf(calendar, country, year)
        expect([country, year, holidays.length > 0]).toEqual([country, year, true])
        const dates = holidays.map(({ date }) => date)
        expect(dates).toEqual(dates.toSorted())
        for (const { date, name, ownName, days } of holidays) {
          expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
          expect(Math.min(name.length, ownName.length, days)).toBeGreaterThan(0)
        }
      }
    }
  })

  it('has what everybody knows of it', async () => {
    const calendar = await loadHolidays()
    const dates = (country: string, year: number) => holidaysOf(calendar, country, year).map(({ date }) => date)
    expect(dates('DE', 2026)).toEqual([
      '2026-01-01',
      '2026-04-03',
      '2026-04-06',
      '2026-05-01',
      '2026-05-14',
      '2026-05-25',
      '2026-10-03',
      '2026-12-25',
      '2026-12-26',
    ])
    expect(dates('US', 2027)).toContain('2027-11-25')
    expect(holidaysOf(calendar, 'SA', 2026).find(({ name }) => name.includes('Eid al-Fitr'))).toMatchObject({
      isTentative: true,
      days: 4,
    })
  })

  it('has nothing for what it has not got', async () => {
    const calendar = await loadHolidays()
    expect(holidaysOf(calendar, 'DE', 2040)).toEqual([])
    expect(holidaysOf(calendar, 'XX', 2026)).toEqual([])
    expect(holidaysOf(calendar, 'constructor', 2026)).toEqual([])
  })
})
