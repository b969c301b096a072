// Date arithmetic: `2024-01-31 + 1 month`, `30 days from today`, `days between 2024-01-01 and 2024-03-01`, `what day is
// 29 february 2028`, `age of someone born 1990-05-17`. Both sides of a sum must parse as what they should be. Must not
// answer: `28 days later`, `what day is garbage collected`, `2024-2025`, `seven days`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { Day, Span } from '../lib/calendar.ts'
import { callerDay, isFixedDay } from '../lib/caller-day.ts'
import { type CountedUnit, dateLocale, writeCount, writeDate } from '../lib/date-words.ts'
import { type DateReading, type DateWords, isMonthFirst, readDate } from '../lib/read-date.ts'
import { readSpan } from '../lib/read-span.ts'
import { type Parts, readTriggers } from '../lib/read-triggers.ts'
import type { Language } from '../question.ts'
import { DATE_TRIGGERS } from './date-arithmetic-triggers.ts'

type Sum =
  | { operation: 'add' | 'subtract'; base: DateWords; span: Partial<Span> }
  | { operation: 'between'; start: DateWords; end: DateWords }
  | { operation: 'weekday'; which: DateWords }
  | { operation: 'age'; born: DateWords }

interface SumMatch {
  sum: Sum
  language: Language
}

const HINT = /\d|day|date|jour|tag\b|datum|dia\b|fecha|giorno|data|dag\b|week|mon[ad]|born|jahr/
const TODAY: DateWords = { kind: 'days', fromToday: 0 }

const BORN: Readonly<Record<Language, string>> = {
  en: 'Born on {date}: {age}',
  fr: 'Né(e) le {date} : {age}',
  de: 'Geboren am {date}: {age}',
  es: 'Nacido el {date}: {age}',
  it: 'Nato il {date}: {age}',
  pt: 'Nascido em {date}: {age}',
  nl: 'Geboren op {date}: {age}',
}

const NO_SUCH_DAY: Readonly<Record<Language, string>> = {
  en: '{date} does not exist: {month} has {days}',
  fr: 'Le {date} n’existe pas : {month} compte {days}',
  de: 'Den {date} gibt es nicht: {month} hat {days}',
  es: 'El {date} no existe: {month} tiene {days}',
  it: 'Il {date} non esiste: {month} ha {days}',
  pt: '{date} não existe: {month} tem {days}',
  nl: '{date} bestaat niet: {month} heeft {days}',
}

export const dateArithmetic = defineAnswer({
  slug: 'date_arithmetic',
  title: 'Date calculator',
  summary: 'Adds to a date, counts the days between two dates, names the weekday of a date, and computes an age.',
  examples: [
    { q: '2024-01-31 + 1 month' },
    { q: '30 days from today' },
    { q: 'days between 2024-01-01 and 2024-03-01' },
    { q: 'what day is 29 february 2028' },
    { q: 'age of someone born 1990-05-17' },
    { q: 'jours entre 1.1.2024 et 1.3.2024', lang: 'fr' },
    { q: 'welcher wochentag war der 20.7.1969', lang: 'de' },
  ],
  reply: z.object({
    operation: z.enum(['add', 'subtract', 'between', 'weekday', 'age', 'no_such_date']),
    start: z.string().describe('ISO date, or empty'),
    end: z.string().describe('ISO date: the result of a sum'),
    weekday: z.string().describe('The weekday of `end`, in the language of `text`'),
    days: z.number().int().describe('From start to end'),
    years: z.number().int(),
    months: z.number().int().describe('Beyond whole years'),
    rest_days: z.number().int().describe('Beyond whole months'),
    time_zone: z.string().describe('In which today was looked up; empty when that does not matter'),
  }),
  match(question): SumMatch | null {
    if (!HINT.test(question.folded) || question.folded.length > 120) return null
    return readTriggers(question, DATE_TRIGGERS, (parts, spoken) => {
      const sum = readSum(parts, { spoken, monthFirst: isMonthFirst(question, spoken) })
      return sum && { sum }
    })
  },
  async answer({ sum, language }, context) {
    const day = await callerDay(hasToday(sum) ? context : { now: context.now, zone: 'UTC' })
    const reckoned = await reckon(sum, day.today)
    if (reckoned === undefined) return null
    const locale = dateLocale(context.question, language)
    if ('missing' in reckoned) return noSuchDate(reckoned.missing, language, locale)
    const { start, end } = reckoned
    const { ageBetween, daysBetween } = await import('../lib/calendar.ts')
    const { years, months, days } = ageBetween(start, end)
    if (sum.operation === 'age' && daysBetween(start, end) < 0) return null
    const figures = { days: daysBetween(start, end), years, months, rest_days: days }
    return {
      text: day.said(write(sum, { start: String(start), end: String(end), figures, language, locale })),
      operation: sum.operation,
      start: String(start),
      end: String(end),
      weekday: writeDate(String(end), 'weekday', locale),
      ...figures,
      time_zone: hasToday(sum) ? day.zone : '',
    }
  },
})

function readSum(parts: Parts, reading: DateReading): Sum | undefined {
  const day = (name: string) => readDate(parts[name] ?? '', reading)
  const { later = '', earlier = '', base = '', start: from = '', end: to = '', today = '' } = parts
  if (later !== '' || earlier !== '') {
    const span = readSpan(later || earlier, reading.spoken)
    const on = base === '' ? TODAY : day('base')
    return span && on && { operation: later !== '' ? 'add' : 'subtract', base: on, span }
  }
  if (from !== '') {
    const [start, end] = [day('start'), to === '' ? TODAY : day('end')]
    return start && end && { operation: 'between', start, end }
  }
  const [which, born] = [today === '' ? day('which') : TODAY, day('born')]
  if (which) return { operation: 'weekday', which }
  return born && { operation: 'age', born }
}

type Missing = Extract<DateWords, { kind: 'date' }>

/** `undefined`: outside the calendar. `missing`: a day that doesn't exist. */
async function reckon(sum: Sum, today: Day): Promise<{ start: Day; end: Day } | { missing: Missing } | undefined> {
  const { addSpan, resolveDate } = await import('../lib/calendar.ts')
  const asked = wordsOf(sum)
  const days = asked.map((words) => resolveDate(words, today, 'coming'))
  const missing = asked.find((words, index): words is Missing => words.kind === 'date' && days[index] === undefined)
  if (missing) return { missing }
  const [first, second] = days
  if (!first) return undefined
  if (sum.operation === 'between') {
    if (!second) return undefined
    return String(first) <= String(second) ? { start: first, end: second } : { start: second, end: first }
  }
  if (sum.operation === 'weekday') return { start: first, end: first }
  if (sum.operation === 'age') return { start: first, end: today }
  const end = addSpan(first, sum.span, sum.operation === 'add' ? 1 : -1)
  return end && { start: first, end }
}

/** Whether the result depends on today. */
const hasToday = (sum: Sum): boolean => sum.operation === 'age' || !wordsOf(sum).every(isFixedDay)

function wordsOf(sum: Sum): DateWords[] {
  if (sum.operation === 'between') return [sum.start, sum.end]
  if (sum.operation === 'weekday') return [sum.which]
  return [sum.operation === 'age' ? sum.born : sum.base]
}

interface Written {
  start: string
  end: string
  figures: { days: number; years: number; months: number; rest_days: number }
  language: Language
  locale: string
}

function write(sum: Sum, { start, end, figures, language, locale }: Written): string {
  const from = writeDate(start, 'long', locale)
  const [colon, also] = language === 'fr' ? [' :', ' ; '] : [':', '; ']
  if (sum.operation === 'weekday') return `${from}${colon} ${writeDate(end, 'weekday', locale)}`
  if (sum.operation === 'add' || sum.operation === 'subtract') {
    const sign = sum.operation === 'add' ? '+' : '−'
    return `${from} ${sign} ${writeSpan(sum.span, locale)} = ${writeDate(end, 'full', locale)}`
  }
  const { days, years, months, rest_days: restDays } = figures
  const inDays = writeCount(days, 'day', locale)
  const inAll = writeSpan({ years, months, days: restDays }, locale)
  if (sum.operation === 'age') {
    const age = `${writeCount(years, 'year', locale)} (${[...new Set([inAll, inDays])].join(also)})`
    return BORN[language].replace('{date}', from).replace('{age}', age)
  }
  const inWeeks = writeSpan({ weeks: Math.floor(days / 7), days: days % 7 }, locale)
  const others = [...new Set([days >= 7 ? inWeeks : inDays, inAll])].filter((other) => other !== inDays)
  return `${from} – ${writeDate(end, 'long', locale)}${colon} ${inDays}${others.length > 0 ? ` (${others.join(also)})` : ''}`
}

const UNITS: readonly [keyof Span, CountedUnit][] = [
  ['years', 'year'],
  ['months', 'month'],
  ['weeks', 'week'],
  ['days', 'day'],
]

function writeSpan(span: Partial<Span>, locale: string): string {
  const counts = UNITS.flatMap(([name, unit]) => (span[name] ? [writeCount(span[name], unit, locale)] : []))
  return counts.length > 0 ? counts.join(', ') : writeCount(0, 'day', locale)
}

function noSuchDate({ year, month, day }: Missing, language: Language, locale: string) {
  // Without a year, only a day that exists in no year is missing, so any leap year will do.
  const inYear = year ?? 2024
  const days = new Date(Date.UTC(inYear, month, 0)).getUTCDate()
  const style: Intl.DateTimeFormatOptions = year === undefined ? { month: 'long' } : { month: 'long', year: 'numeric' }
  const name = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' })
  const iso = `${inYear}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const text = NO_SUCH_DAY[language]
    .replace('{date}', year === undefined ? iso.slice(5) : iso)
    .replace('{month}', name.format(Date.UTC(inYear, month - 1, 1)))
    .replace('{days}', writeCount(days, 'day', locale))
  return {
    text,
    operation: 'no_such_date' as const,
    start: '',
    end: '',
    weekday: '',
    days: 0,
    years: 0,
    months: 0,
    rest_days: 0,
    time_zone: '',
  }
}
