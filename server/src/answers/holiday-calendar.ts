// The public holidays of the world's countries, from `data/public-holidays.json` (written by tools/make-holidays.ts from
// date-holidays, whose data is CC BY-SA 3.0). It is read at first use.
import { readFile } from 'node:fs/promises'

export interface PublicHoliday {
  date: string
  /** English. */
  name: string
  /** In a language of the country, or the English one again. */
  ownName: string
  /** Of how many days it is the first. */
  days: number
  /** The moon decides, so it may be a day off. */
  isTentative: boolean
}

export interface HolidayCalendar {
  attribution: string
  from: number
  to: number
  /** By code: the language of the country's own names, and a row for each holiday. */
  countries: Readonly<Record<string, { lang: string; days: readonly string[] }>>
}

let loaded: Promise<HolidayCalendar> | undefined

export function loadHolidays(): Promise<HolidayCalendar> {
  loaded ??= readFile(new URL('./data/public-holidays.json', import.meta.url), 'utf8').then(
    // Our own tool wrote it, and its test reads all of it.
    (text) => JSON.parse(text) as HolidayCalendar,
  )
  return loaded
}

/** In the order of the calendar; [] for a country or a year that it has not got. */
export function holidaysOf({ countries, from, to }: HolidayCalendar, country: string, year: number): PublicHoliday[] {
  if (year < from || year > to || !Object.hasOwn(countries, country)) return []
  const rows = countries[country]?.days ?? []
  const found = rows.flatMap((row) => {
    const [name = '', own = '', dates = '', days = '', moon = ''] = row.split('|')
    return dates
      .split(' ')
      .map((date) => (date.length === 5 ? `${year}-${date}` : date))
      .filter((date) => date.startsWith(`${year}-`))
      .map((date) => ({ date, name, ownName: own || name, days: Number(days || 1), isTentative: moon !== '' }))
  })
  return found.toSorted((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0))
}
