// Writes `answers/src/data/public-holidays.txt` from the date-holidays package, which is far too heavy to load in
// a running instance: `node tools/make-holidays.ts`. Run it again when that package is updated, or when years run out.
//
// Kept are whole days that are public holidays in all of a country. Left out: regions, half days, days for some of its
// people only, and the countries whose days we have from rules of our own (`regional-holidays.txt`). Islamic days are as
// computed; the moon may move them by a day, so they are marked.
import { readFileSync, writeFileSync } from 'node:fs'
import { holidayDates } from '@bowerbird/answers/time/holiday-calendar.ts'
import Holidays, { type HolidaysTypes } from 'date-holidays'

const FROM = 2025
const TO = 2032
const DATA = new URL('../answers/src/data/', import.meta.url)
const MS_A_DAY = 86_400_000
const SHORTEST_DAY = 0.9

const HEADING = `# Public holidays from ${FROM} to ${TO}, nationwide ones only.
#
# Adapted from date-holidays ${packageVersion()} (https://github.com/commenthol/date-holidays), Copyright (c) commenthol and
# contributors, whose data comes from Wikipedia. This file, unlike the rest of the project, is licensed under CC BY-SA 3.0:
# https://creativecommons.org/licenses/by-sa/3.0/ (docs/decisions/0019-holiday-data.md). What was changed: only nationwide
# whole days were kept, and their dates were computed. Written by tools/make-holidays.ts; the form is that of
# regional-holidays.txt, with the number of days where it is not one before the moon.
`

const FOR_SOME = /women|youth|children|military|muslim|islamic/i
const ISLAMIC = /Muharram|Safar|Rabi|Jumada|Rajab|Shaban|Ramadan|Shawwal|Dhu al/i
/** Codes in the package that are no language codes. */
const LANGUAGES: Readonly<Record<string, string>> = { jp: 'ja' }

interface Found {
  name: string
  own: string
  days: number
  isLunar: boolean
  dates: string[]
}

function packageVersion(): string {
  const text = readFileSync(new URL('../node_modules/date-holidays/package.json', import.meta.url), 'utf8')
  // Every package has one.
  return (JSON.parse(text) as { version: string }).version
}

const isKept = ({ type, note = '', start, end }: HolidaysTypes.Holiday & { note?: string }): boolean =>
  type === 'public' && !FOR_SOME.test(note) && (end.getTime() - start.getTime()) / MS_A_DAY >= SHORTEST_DAY

const identity = ({ date, rule, substitute }: HolidaysTypes.Holiday): string => `${date} ${rule} ${substitute}`

function linesOf(code: string): string[] {
  const calendar = new Holidays(code)
  const [given = 'en'] = calendar.getLanguages().filter((language) => !language.startsWith('en'))
  const isEnglish = calendar.getLanguages()[0]?.startsWith('en') ?? true
  const own = isEnglish ? 'en' : given
  const found = new Map<string, Found>()
  for (let year = FROM; year <= TO; year++) {
    const ownNames = new Map(calendar.getHolidays(year, own).map((holiday) => [identity(holiday), holiday.name]))
    for (const holiday of calendar.getHolidays(year, 'en')) {
      if (isKept(holiday)) add(found, holiday, isEnglish ? '' : (ownNames.get(identity(holiday)) ?? ''))
    }
  }
  const language = LANGUAGES[own] ?? own.slice(0, 3).replace(/-$/, '')
  return [`= ${code}|${language}`, ...[...found.values()].map(lineOf)]
}

function add(found: Map<string, Found>, { name, date, start, end, rule }: HolidaysTypes.Holiday, own: string): void {
  const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / MS_A_DAY))
  // Names repeat: China's Spring Festival has three days of one name, each of them with a date of its own.
  const key = `${name}\n${rule}\n${days}`
  const known = found.get(key)
  if (known) known.dates.push(date.slice(0, 10))
  else found.set(key, { name, own, days, isLunar: ISLAMIC.test(rule), dates: [date.slice(0, 10)] })
}

/** `rule|English name|own name||moon|days`, without what is empty at its end. */
function lineOf({ name, own, days, isLunar, dates }: Found): string {
  const fields = [shortest(dates), name, own === name ? '' : own, '', isLunar ? 'moon' : '', days === 1 ? '' : days]
  return fields
    .map((field) => String(field).replaceAll('|', '/'))
    .join('|')
    .replace(/\|+$/, '')
}

const YEARS = Array.from({ length: TO - FROM + 1 }, (_, index) => FROM + index)

/** The one rule that gives exactly these dates, or else the dates. */
function shortest(dates: readonly string[]): string {
  const [first = ''] = dates
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number)
  const weekday = new Date(first).getUTCDay() || 7
  const easter = Date.parse(holidayDates('e0', year)[0]?.date ?? '')
  const rules = [
    first.slice(5),
    `e${Math.round((Date.parse(first) - easter) / MS_A_DAY)}`,
    `M${month}.${Math.ceil(day / 7)}.${weekday}`,
    `M${month}.5.${weekday}`,
  ]
  const isSame = (rule: string) =>
    YEARS.flatMap((each) => holidayDates(rule, each).map(({ date }) => date)).join() === dates.join()
  return rules.find(isSame) ?? dates.join(' ')
}

const ours = readFileSync(new URL('regional-holidays.txt', DATA), 'utf8')
const codes = Object.keys(new Holidays().getCountries()).filter((code) => !ours.includes(`\n= ${code}|`))
const lines = codes.toSorted().flatMap(linesOf)
writeFileSync(new URL('public-holidays.txt', DATA), `${HEADING}${lines.join('\n')}\n`)
process.stdout.write(`${codes.length} countries, ${Math.round(lines.join('\n').length / 1024)} KiB.\n`)
