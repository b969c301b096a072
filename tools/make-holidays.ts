// Writes `server/src/answers/data/public-holidays.json` from the date-holidays package, which is far too heavy to load in
// a running instance: `node tools/make-holidays.ts`. Run it again when that package is updated, or when years run out.
//
// Kept are whole days that are public holidays in all of a country. Left out: regions, half days, and days for some of
// its people only. Islamic days are as computed; the moon may move them by a day, so they are marked.
import { writeFileSync } from 'node:fs'
import Holidays, { type HolidaysTypes } from 'date-holidays'

const FROM = 2025
const TO = 2032
const TARGET = new URL('../server/src/answers/data/public-holidays.json', import.meta.url)
const ATTRIBUTION =
  'From date-holidays (https://github.com/commenthol/date-holidays), data from Wikipedia, CC BY-SA 3.0'
const MS_A_DAY = 86_400_000
const SHORTEST_DAY = 0.9

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

const isKept = ({ type, note = '', start, end }: HolidaysTypes.Holiday & { note?: string }): boolean =>
  type === 'public' && !FOR_SOME.test(note) && (end.getTime() - start.getTime()) / MS_A_DAY >= SHORTEST_DAY

const identity = ({ date, rule, substitute }: HolidaysTypes.Holiday): string => `${date} ${rule} ${substitute}`

function rowsOf(code: string): { lang: string; days: string[] } {
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
  const days = [...found.values()].map(rowOf)
  return { lang: LANGUAGES[own] ?? own.slice(0, 3).replace(/-$/, ''), days }
}

function add(found: Map<string, Found>, { name, date, start, end, rule }: HolidaysTypes.Holiday, own: string): void {
  const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / MS_A_DAY))
  // Names repeat: China's Spring Festival has three days of one name, each of them with a date of its own.
  const key = `${name}\n${rule}\n${days}`
  const known = found.get(key)
  if (known) known.dates.push(date.slice(0, 10))
  else found.set(key, { name, own, days, isLunar: ISLAMIC.test(rule), dates: [date.slice(0, 10)] })
}

/** `English name|own name|dates|how many days|moon`: a row that stays on one line. Fixed days have no year. */
function rowOf({ name, own, days, isLunar, dates }: Found): string {
  const monthDays = new Set(dates.map((date) => date.slice(5)))
  const isFixed = monthDays.size === 1 && dates.length === TO - FROM + 1
  const when = isFixed ? [...monthDays] : dates
  const fields = [name, own === name ? '' : own, when.join(' '), days === 1 ? '' : days, isLunar ? 'moon' : '']
  return fields.map((field) => String(field).replaceAll('|', '/')).join('|')
}

const codes = Object.keys(new Holidays().getCountries()).toSorted()
const countries = Object.fromEntries(codes.map((code) => [code, rowsOf(code)]))
const text = `${JSON.stringify({ attribution: ATTRIBUTION, from: FROM, to: TO, countries }, null, 2)}\n`
writeFileSync(TARGET, text)
process.stdout.write(`${codes.length} countries, ${Math.round(text.length / 1024)} KiB.\n`)
