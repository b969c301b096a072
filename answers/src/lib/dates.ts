// Reads and writes dates and times in seven languages: `2028-02-29`, `29.2.2028`, `2/29/2028`, `29 février 2028`,
// `February 29th`, `tomorrow`, `next friday`, `christmas`. It only parses the words; `calendar.ts` works out the day.
//
// Ordinary words such as `now` and `morgen` count as dates, so read a date only after a trigger. If either of two numbers
// could be the month, the language, region and separator decide; the answer names the month, which shows how they were
// read.
import type { Language, Question } from '../question.ts'
import { cached } from './cached.ts'
import { NAMED_DAY_BY_WORD, type NamedDay } from './named-days.ts'
import { numberLocale } from './numbers.ts'

export type ParsedDate =
  | {
      kind: 'date'
      /** `undefined`: not given, so the context decides. */
      year: number | undefined
      month: number
      day: number
    }
  | { kind: 'days'; fromToday: number }
  /** For `weekday`, 1 is Monday. */
  | { kind: 'weekday'; weekday: number; direction: 'next' | 'last' }
  | { kind: 'named'; named: NamedDay; year: number | undefined }

/** Twelve months; commas separate the names of one month. */
const MONTH_WORDS: Readonly<Record<Language, string>> = {
  en: 'january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sep,sept october,oct november,nov december,dec',
  fr: 'janvier,janv fevrier,fevr,fev mars avril,avr mai juin juillet,juil aout septembre,sept octobre,oct novembre,nov decembre,dec',
  de: 'januar,janner,jan februar,feb marz,maerz april,apr mai juni,jun juli,jul august,aug september,sep,sept oktober,okt november,nov dezember,dez',
  es: 'enero,ene febrero,feb marzo,mar abril,abr mayo junio,jun julio,jul agosto,ago septiembre,sep,sept octubre,oct noviembre,nov diciembre,dic',
  it: 'gennaio,gen febbraio,feb marzo,mar aprile,apr maggio,mag giugno,giu luglio,lug agosto,ago settembre,set ottobre,ott novembre,nov dicembre,dic',
  pt: 'janeiro,jan fevereiro,fev marco,mar abril,abr maio junho,jun julho,jul agosto,ago setembro,set outubro,out novembro,nov dezembro,dez',
  nl: 'januari,jan februari,feb maart,mrt april,apr mei juni,jun juli,jul augustus,aug september,sep,sept oktober,okt november,nov december,dec',
}

/** From Monday. */
const WEEKDAY_WORDS: Readonly<Record<Language, string>> = {
  en: 'monday tuesday wednesday thursday friday saturday sunday',
  fr: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  de: 'montag dienstag mittwoch donnerstag freitag samstag,sonnabend sonntag',
  es: 'lunes martes miercoles jueves viernes sabado domingo',
  it: 'lunedi martedi mercoledi giovedi venerdi sabato domenica',
  pt: 'segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo',
  nl: 'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
}

/** From the day before yesterday to the day after tomorrow; underscores stand for spaces. */
const DAY_WORDS: Readonly<Record<Language, string>> = {
  en: 'day_before_yesterday yesterday today,now tomorrow day_after_tomorrow',
  fr: "avant-hier hier aujourd'hui,maintenant demain apres-demain",
  de: 'vorgestern gestern heute,jetzt morgen ubermorgen',
  es: 'anteayer ayer hoy,ahora manana pasado_manana',
  it: "l'altro_ieri ieri oggi,adesso domani dopodomani",
  pt: 'anteontem ontem hoje,agora amanha depois_de_amanha',
  nl: 'eergisteren gisteren vandaag,nu morgen overmorgen',
}

/** For use in larger patterns: `monday|tuesday|…`. */
export const weekdayPattern = (language: Language): string => WEEKDAY_WORDS[language].replace(/[ ,]/g, '|')

type Vocabulary = Readonly<Record<Language, ReadonlyMap<string, number>>>

const numberWords = (words: string, first: number): ReadonlyMap<string, number> =>
  new Map(
    words
      .split(' ')
      .flatMap((group, index) => group.split(',').map((word) => [word.replaceAll('_', ' '), first + index])),
  )

const vocabularyOf = (words: Readonly<Record<Language, string>>, first: number): Vocabulary => {
  const { en, fr, de, es, it, pt, nl } = words
  const number = (text: string) => numberWords(text, first)
  return {
    en: number(en),
    fr: number(fr),
    de: number(de),
    es: number(es),
    it: number(it),
    pt: number(pt),
    nl: number(nl),
  }
}

const MONTHS = vocabularyOf(MONTH_WORDS, 1)
const WEEKDAYS = vocabularyOf(WEEKDAY_WORDS, 1)
const DAYS = vocabularyOf(DAY_WORDS, -2)

/** 1 to 12; `undefined`: not a month. `name` is folded. */
export const monthNamed = (name: string, spoken: Language): number | undefined => MONTHS[spoken].get(name)

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/
const NO_YEAR = /^(\d{1,2})([/.])(\d{1,2})\.?$/
const DAY_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th|er|o|\.)? ?(?:of |de |di |do )?([a-z]{3,10})\.?(?:,? (?:de |del |di |do )?(\d{4}))?$/
const MONTH_DAY = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/
const WEEKDAY =
  /^(?:(next|last|this|nachsten|nachster|letzten|proxim[oa]|ultimo|volgende|vorige) )?([a-z-]{5,13})(?: (prochain|dernier|que viene|pasado|prossim[oa]|scors[oa]|que vem|passado))?$/
const NAMED = /^(.{3,30}?)(?: (?:de )?(\d{4}))?$/
const LEADING_WORD = /^(?:the|on|le|der|den|dem|am|el|il|lo|l'|o|a|em|op|de|dia|al|la) /
const LAST_WORDS = new Set(['last', 'letzten', 'ultimo', 'vorige', 'dernier', 'pasado', 'scorso', 'scorsa', 'passado'])

/** Regions where English puts the month first; '' is English without a region. */
const MONTH_FIRST_REGIONS = new Set(['', 'US', 'PH'])

/** Whether `3/4/2026` is the 4th of March. */
const isMonthFirst = ({ tag }: Pick<Question, 'tag'>, spoken: Language): boolean =>
  spoken === 'en' && MONTH_FIRST_REGIONS.has(/^en-([a-z]{2})\b/i.exec(tag)?.[1]?.toUpperCase() ?? '')

/** `undefined`: not a date. `text` is folded; `spoken` is the language of its names of days and months. */
export function readDate(text: string, spoken: Language, question: Pick<Question, 'tag'>): ParsedDate | undefined {
  if (text.length > 40) return undefined
  const plain = text.trim()
  const read = (words: string) => readWords(words, spoken, isMonthFirst(question, spoken))
  return read(plain) ?? (LEADING_WORD.test(plain) ? read(plain.replace(LEADING_WORD, '')) : undefined)
}

function readWords(text: string, spoken: Language, monthFirst: boolean): ParsedDate | undefined {
  const fromToday = DAYS[spoken].get(text)
  if (fromToday !== undefined) return { kind: 'days', fromToday }
  if (!/\d/.test(text)) return readWeekday(text, spoken) ?? readNamed(text)
  return readNumericDate(text, monthFirst) ?? readMonth(text, MONTHS[spoken]) ?? readNamed(text)
}

function readNumericDate(text: string, monthFirst: boolean): ParsedDate | undefined {
  const whole = YEAR_FIRST.exec(text)
  if (whole) return possibleDate(whole[1], Number(whole[2]), Number(whole[3]))
  const [, first, mark, second, year] = YEAR_LAST.exec(text) ?? NO_YEAR.exec(text) ?? []
  if (first === undefined) return undefined
  const [left, right] = [Number(first), Number(second)]
  const isMonthDay = mark !== '.' && (monthFirst ? left <= 12 : right > 12)
  return isMonthDay ? possibleDate(year, left, right) : possibleDate(year, right, left)
}

function readMonth(text: string, months: ReadonlyMap<string, number>): ParsedDate | undefined {
  const dayMonth = DAY_MONTH.exec(text)
  if (dayMonth) return possibleDate(dayMonth[3], months.get(dayMonth[2] ?? '') ?? 0, Number(dayMonth[1]))
  const monthDay = MONTH_DAY.exec(text)
  return monthDay ? possibleDate(monthDay[3], months.get(monthDay[1] ?? '') ?? 0, Number(monthDay[2])) : undefined
}

/** Doesn't check that the day exists: 30 February passes here, and the calendar rejects it. */
function possibleDate(year: string | undefined, month: number, day: number): ParsedDate | undefined {
  const isPossible = month >= 1 && month <= 12 && day >= 1 && day <= 31 && (year === undefined || Number(year) >= 1000)
  return isPossible ? { kind: 'date', year: year === undefined ? undefined : Number(year), month, day } : undefined
}

function readWeekday(text: string, spoken: Language): ParsedDate | undefined {
  const [, before = '', name = '', after = ''] = WEEKDAY.exec(text) ?? []
  const weekday = WEEKDAYS[spoken].get(name)
  if (weekday === undefined) return undefined
  return { kind: 'weekday', weekday, direction: LAST_WORDS.has(before) || LAST_WORDS.has(after) ? 'last' : 'next' }
}

function readNamed(text: string): ParsedDate | undefined {
  const [, name = '', year] = NAMED.exec(text) ?? []
  const named = NAMED_DAY_BY_WORD.get(name)
  return named && { kind: 'named', named, year: year === undefined ? undefined : Number(year) }
}

/** Whether the words mean the same day no matter when they're asked. */
export const isFixedDay = (words: ParsedDate): boolean =>
  (words.kind === 'date' || words.kind === 'named') && words.year !== undefined

// A time of day: `3pm`, `3:30 pm`, `15:00`, `15h30`, `15 uhr`, `noon`. `CLOCK_TIME_PATTERN` doesn't match a bare number, but
// `readClockTime` accepts one as an hour.

export interface ClockTime {
  hour: number
  minute: number
}

const NOON = 'noon|midi|mittags?|mediodia|mezzogiorno|meio[- ]dia'
const MIDNIGHT = 'midnight|minuit|mitternacht|medianoche|mezzanotte|meia[- ]noite|middernacht'
const IS_NOON = new RegExp(`^(?:${NOON})$`)
const IS_MIDNIGHT = new RegExp(`^(?:${MIDNIGHT})$`)
const CLOCK_FIGURES = /^(\d{1,2})(?:[:.](\d{2}))? ?(?:([ap])\.?m\.?|uhr|uur|heures?|h(\d{2})?)?$/

/** For use in larger patterns. Pass what it matches to `readClockTime`, which is stricter. */
export const CLOCK_TIME_PATTERN = `(?:\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m\\.?|uhr|uur|heures?|h\\d{0,2})|\\d{1,2}:\\d{2}|${NOON}|${MIDNIGHT})`

/** `undefined`: not a time of day. `text` is folded. */
export function readClockTime(text: string): ClockTime | undefined {
  if (IS_NOON.test(text)) return { hour: 12, minute: 0 }
  if (IS_MIDNIGHT.test(text)) return { hour: 0, minute: 0 }
  const [, hours = '', minutes, meridiem, frenchMinutes] = CLOCK_FIGURES.exec(text) ?? []
  if (hours === '') return undefined
  const minute = Number(minutes ?? frenchMinutes ?? 0)
  const hour = meridiem === undefined ? Number(hours) : to24Hours(Number(hours), meridiem)
  return hour >= 0 && hour < 24 && minute < 60 ? { hour, minute } : undefined
}

/** 12 am is midnight and 12 pm is noon. Returns -1 for an invalid hour, as in 13 pm. */
function to24Hours(hour: number, meridiem: string): number {
  if (hour < 1 || hour > 12) return -1
  return (hour % 12) + (meridiem === 'p' ? 12 : 0)
}

// How dates are written. English without a region is written the British way, day before month, which can't be misread
// when the month is a word.

export type CountedUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

const STYLES = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  short: { day: 'numeric', month: 'short' },
  weekday: { weekday: 'long' },
  month: { month: 'long', year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type DateStyle = keyof typeof STYLES

const dateFormats = new Map<string, Intl.DateTimeFormat>()
const countFormats = new Map<string, Intl.NumberFormat>()

/** Always returns a locale that Intl accepts. */
export function dateLocale(question: Pick<Question, 'lang' | 'tag'>, language: Language): string {
  const locale = numberLocale(question, language)
  return locale === 'en' ? 'en-GB' : locale
}

/** `wall` is the local date, or date and time: `2026-11-15` or `2026-11-15T14:05`. */
export function writeDate(wall: string, style: DateStyle, locale: string): string {
  const time = Date.parse(wall.includes('T') ? `${wall}Z` : `${wall}T00:00:00Z`)
  const written = formatFor(style, locale)
    .format(time)
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/^0(?=\S+ [AP]M$)/i, '')
  // French writes the first of a month as an ordinal: `1er`.
  return locale.startsWith('fr') ? written.replace(/(^| )1 (?=\p{L})/u, '$11er ') : written
}

/** `February 2028`. */
export function writeMonth(year: number, month: number, locale: string): string {
  const written = writeDate(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`, 'month', locale)
  return `${written.charAt(0).toLocaleUpperCase(locale)}${written.slice(1)}`
}

/** Two ISO dates as one range: `9 – 15 November 2026`. */
export function writeDateRange(from: string, to: string, locale: string): string {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)]
  const written = formatFor('long', locale).formatRange(start, end).replace(/\s/gu, ' ')
  // For Italian, Intl writes `09–15 novembre`, with a leading zero that people don't use.
  return written.replace(/(^|[–-] ?)0(?=\d)/g, '$1')
}

function formatFor(style: DateStyle, locale: string): Intl.DateTimeFormat {
  const create = () => new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: 'UTC', calendar: 'gregory' })
  return cached(dateFormats, `${locale} ${style}`, create)
}

/** `1 day`, `30 jours`, `1.234 Tage`. */
export function writeCount(count: number, unit: CountedUnit, locale: string): string {
  const create = () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return cached(countFormats, `${locale} ${unit}`, create).format(count)
}
