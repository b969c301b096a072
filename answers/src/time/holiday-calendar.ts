// Public holidays of the world's countries, from two files that are loaded on first use: `public-holidays.txt`, which
// our tool generates from date-holidays (CC BY-SA 3.0) and which has nationwide days only, and `regional-holidays.txt`,
// our own rules for countries with regional holidays, which replace those of the first file.
import { readFile } from 'node:fs/promises'
import { easterSunday } from '../lib/named-days.ts'
import { fold } from '../question.ts'

export interface PublicHoliday {
  date: string
  /** English. */
  name: string
  /** In a language of the country, or the English name again. */
  ownName: string
  /** How many days it lasts, from this one. */
  days: number
  /** Depends on the moon, so it may be a day off. */
  isTentative: boolean
  /** Codes of the regions that keep it; empty: the whole country. */
  regions: readonly string[]
}

export interface HolidayRegion {
  code: string
  name: string
  ownName: string
}

export interface HolidayCountry {
  code: string
  /** The language of `ownName`. */
  lang: string
  /** From our own rules; otherwise from date-holidays. */
  isOurs: boolean
  /** Empty: we only know the nationwide holidays. */
  regions: readonly HolidayRegion[]
  /** As written in the file. */
  rules: readonly string[]
}

export interface HolidayCalendar {
  countries: ReadonlyMap<string, HolidayCountry>
  /** By folded name. */
  regions: ReadonlyMap<string, { country: HolidayCountry; region: HolidayRegion }>
}

const FIRST_HOLIDAY_YEAR = 2025
const LAST_HOLIDAY_YEAR = 2032

let loaded: Promise<HolidayCalendar> | undefined

export function loadHolidays(): Promise<HolidayCalendar> {
  loaded ??= readCalendar()
  return loaded
}

async function readCalendar(): Promise<HolidayCalendar> {
  const [theirs, ours] = await Promise.all(
    ['public-holidays.txt', 'regional-holidays.txt'].map((name) =>
      readFile(new URL(`../data/${name}`, import.meta.url), 'utf8'),
    ),
  )
  const countries = new Map<string, HolidayCountry>()
  const regions = new Map<string, { country: HolidayCountry; region: HolidayRegion }>()
  for (const { country } of parseBlocks(theirs ?? '', false)) countries.set(country.code, country)
  for (const { country, names } of parseBlocks(ours ?? '', true)) {
    countries.set(country.code, country)
    for (const [name, region] of names) regions.set(name, { country, region })
  }
  return { countries, regions }
}

interface Block {
  country: HolidayCountry
  /** Regions by folded name. */
  names: ReadonlyMap<string, HolidayRegion>
}

function parseBlocks(text: string, isOurs: boolean): Block[] {
  const [, ...blocks] = text.split('\n= ')
  return blocks.map((block) => {
    const [head = '', ...lines] = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const [code = '', lang = ''] = head.split('|')
    const found = lines.filter((line) => line.startsWith('@ ')).map((line) => parseRegion(line.slice(2)))
    const rules = lines.filter((line) => !line.startsWith('@ '))
    return {
      country: { code, lang, isOurs, regions: found.map(({ region }) => region), rules },
      names: new Map(found.flatMap(({ region, names }) => names.map((name) => [name, region] as const))),
    }
  })
}

function parseRegion(line: string): { region: HolidayRegion; names: string[] } {
  const [code = '', name = '', ownName = '', others = ''] = line.split('|')
  const region = { code, name, ownName: ownName || name }
  const names = [name, region.ownName, ...others.split(',')].map(regionKey).filter((key) => key !== '')
  return { region, names: [...new Set(names)] }
}

/** Ignores hyphens and a leading article. */
export const regionKey = (name: string): string =>
  fold(name)
    .replaceAll('-', ' ')
    .replace(/^(?:the|der|die|das|den|la|le|les|el|il|o|a) |^l'/, '')

/** In chronological order; [] for a year that isn't covered. */
export function holidaysOf({ rules }: HolidayCountry, year: number): PublicHoliday[] {
  if (year < FIRST_HOLIDAY_YEAR || year > LAST_HOLIDAY_YEAR) return []
  const found = rules.flatMap((row) => {
    const [rule = '', name = '', ownName = '', regions = '', moon = '', days = ''] = row.split('|')
    return holidayDates(rule, year).map(({ date, isSubstitute }) => ({
      date,
      name: isSubstitute ? `${name} (substitute day)` : name,
      ownName: isSubstitute ? `${ownName || name} (substitute day)` : ownName || name,
      days: Number(days || 1),
      isTentative: moon !== '',
      regions: regions === '' ? [] : regions.split(' '),
    }))
  })
  return found.toSorted((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0))
}

/** The holidays of a region: its own and the nationwide ones. */
export const holidaysInRegion = (holidays: readonly PublicHoliday[], region: string): PublicHoliday[] =>
  holidays.filter(({ regions }) => regions.length === 0 || regions.includes(region))

// The rules are short strings, because there are thousands of them:
//   12-25          the same date every year
//   12-25>         the same, but moved from a weekend to Monday
//   12-26>>        moved from a weekend by two days, because the day before is a holiday too
//   01-02>2        the same, and moved from a Monday to Tuesday, because New Year's Day was moved to that Monday
//   e-2            days after Easter Sunday
//   M5.1.1         the first Monday of May (1 is Monday); the fifth is the last
//   <05-25.1       the last Monday before 25 May
//   2026-11-08     that one day
// A holiday may have several rules, separated by spaces.

const DAY_MS = 86_400_000
const SATURDAY = 6
const SUNDAY = 7

interface HolidayDate {
  date: string
  /** Replaces the holiday's usual date. */
  isSubstitute: boolean
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)
/** 1 is Monday. */
const weekdayOf = (epochMs: number): number => new Date(epochMs).getUTCDay() || SUNDAY
const unmoved = (epochMs: number): HolidayDate => ({ date: isoOf(epochMs), isSubstitute: false })

/** The dates of a holiday's rules in a year. */
export const holidayDates = (rules: string, year: number): HolidayDate[] =>
  rules.split(' ').flatMap((rule) => datesOf(rule, year))

function datesOf(rule: string, year: number): HolidayDate[] {
  const [, month, day, move] = /^(\d\d)-(\d\d)(>|>>|>2)?$/.exec(rule) ?? []
  if (month !== undefined) return [movedFromWeekend(Date.UTC(year, Number(month) - 1, Number(day)), move ?? '')]
  if (rule.startsWith('e')) return [unmoved(easterSunday(year) + Number(rule.slice(1)) * DAY_MS)]
  const [, inMonth, nth, weekday] = /^M(\d{1,2})\.([1-5])\.([1-7])$/.exec(rule) ?? []
  if (inMonth !== undefined)
    return [unmoved(nthWeekday({ year, month: Number(inMonth) }, Number(nth), Number(weekday)))]
  const [, before, on, last] = /^<(\d\d)-(\d\d)\.([1-7])$/.exec(rule) ?? []
  if (before !== undefined) {
    const limit = Date.UTC(year, Number(before) - 1, Number(on))
    return [unmoved(limit - ((weekdayOf(limit) - Number(last) + 6) % 7) * DAY_MS - DAY_MS)]
  }
  return rule.startsWith(`${year}-`) ? [{ date: rule, isSubstitute: false }] : []
}

function movedFromWeekend(epochMs: number, move: string): HolidayDate {
  const weekday = weekdayOf(epochMs)
  const days = daysMoved(weekday, move)
  return { date: isoOf(epochMs + days * DAY_MS), isSubstitute: days > 0 }
}

function daysMoved(weekday: number, move: string): number {
  if (move === '') return 0
  if (weekday === SATURDAY) return 2
  if (weekday === SUNDAY) return move === '>' ? 1 : 2
  return weekday === 1 && move === '>2' ? 1 : 0
}

function nthWeekday({ year, month }: { year: number; month: number }, nth: number, weekday: number): number {
  const first = Date.UTC(year, month - 1, 1)
  const start = first + ((weekday - weekdayOf(first) + 7) % 7) * DAY_MS
  const wanted = start + (nth - 1) * 7 * DAY_MS
  // The fifth means the last, and most months have only four.
  return new Date(wanted).getUTCMonth() === month - 1 ? wanted : wanted - 7 * DAY_MS
}
