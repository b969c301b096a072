// Sums and differences of clock times and lengths of time: `3:45 + 1:20`, `9:00 to 17:30`, `12:30 + 45 minutes`, `hours
// between 9am and 5:30pm`. Must not answer: `9 to 5`, `3:16`, `john 3:16-17`, `16:9`, `24/7`, `9:00 - 17:00 opening
// hours`. A minus needs spaces, because `3:45-4:20` is a range. Terms must be of one kind: `1:02:03 + 4:05` could be hours
// or minutes.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { CLOCK_TIME_PATTERN, readClockTime } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import type { Language, Question } from '../question.ts'

const HINT = /\d[:h]\d\d|\d ?[ap]m|\d (?:uhr|uur)/
const LENGTH = '\\d{1,3}:[0-5]\\d(?::[0-5]\\d)?'
const SUM = new RegExp(`^(?:what is )?(${LENGTH}(?: ?\\+ ?${LENGTH}| [-−–] ${LENGTH}){1,9})(?: ?=)?\\??$`)
const TERM = new RegExp(`([-+−–]?) ?(${LENGTH})`, 'g')

const TIME = CLOCK_TIME_PATTERN
const WITH_MINUTES = '\\d{1,2}[:h]\\d{2}'
const AMOUNT =
  '(?<sign>\\+|plus|[-−–]|minus|moins|menos|meno|min) ?(?<amount>\\d{1,4}) ?(?<unit>h|hrs?|hours?|heures?|stunden?|horas?|or[ae]|uur|m|mins?|minutes?|minuten?|minutos?|minuti|minuut)'

/** `between` needs its words; `from`, with minutes in both times, is enough by itself. */
const rangePatterns = (words: { ask: string; between: string; and: string; to: string }): RegExp[] => [
  new RegExp(`^(?:${words.ask}) (?:${words.between}) (?<from>${TIME}) (?:${words.and}|${words.to}) (?<to>${TIME})$`),
  new RegExp(`^(?:${words.between} )?(?<from>${WITH_MINUTES}) (?:${words.to}) (?<to>${WITH_MINUTES})(?: uhr)?$`),
]

const TRIGGERS: Triggers = {
  en: [
    ...rangePatterns({
      ask: '(?:how (?:many hours|long)|hours|time|minutes|number of hours|how much time)(?: (?:is it|are there|is there))?',
      between: 'between|from',
      and: 'and',
      to: 'to|until|till',
    }),
    new RegExp(`^(?<base>${WITH_MINUTES}(?: ?[ap]m)?|\\d{1,2} ?[ap]m) ?${AMOUNT}$`),
  ],
  fr: rangePatterns({
    ask: "(?:combien d'heures|combien de temps|heures|temps|duree)",
    between: 'entre|de',
    and: 'et',
    to: 'a',
  }),
  de: rangePatterns({
    ask: '(?:wie ?viele stunden|wie lange|stunden|zeit)(?: sind es| ist es)?',
    between: 'zwischen|von',
    and: 'und',
    to: 'bis',
  }),
  es: rangePatterns({
    ask: '(?:cuantas horas(?: hay)?|horas)',
    between: 'entre(?: las)?|de(?: las)?',
    and: 'y(?: las)?',
    to: 'a(?: las)?',
  }),
  it: rangePatterns({
    ask: '(?:quante ore(?: ci sono)?|ore)',
    between: 'tra(?: le)?|dalle',
    and: 'e(?: le)?',
    to: 'alle',
  }),
  pt: rangePatterns({ ask: '(?:quantas horas|horas)', between: 'entre(?: as)?|das', and: 'e(?: as)?', to: 'as' }),
  nl: rangePatterns({ ask: '(?:hoeveel uur(?: is het)?|uren)', between: 'tussen|van', and: 'en', to: 'tot' }),
}

const NEXT_DAY: Readonly<Record<Language, string>> = {
  en: 'next day',
  fr: 'le lendemain',
  de: 'am nächsten Tag',
  es: 'al día siguiente',
  it: 'il giorno dopo',
  pt: 'no dia seguinte',
  nl: 'de volgende dag',
}
const DAY_BEFORE: Readonly<Record<Language, string>> = {
  en: 'the day before',
  fr: 'la veille',
  de: 'am Vortag',
  es: 'el día anterior',
  it: 'il giorno prima',
  pt: 'no dia anterior',
  nl: 'de vorige dag',
}

const MINUTES_A_DAY = 1440

type ClockMatch =
  | { kind: 'sum'; written: string; seconds: number; hasSeconds: boolean; language: Language }
  /** Minutes after midnight. */
  | { kind: 'range'; from: number; to: number; language: Language }
  | { kind: 'shift'; base: number; minutes: number; language: Language }

export const clockSum = defineAnswer({
  slug: 'clock_sum',
  title: 'Clock sums',
  summary: 'Adds and subtracts clock times, and says how long it is from one to another.',
  examples: [
    { q: '3:45 + 1:20' },
    { q: '9:00 to 17:30' },
    { q: '12:30 + 45 minutes' },
    { q: 'hours between 9am and 5:30pm' },
    { q: '8:15 bis 16:45', lang: 'de' },
  ],
  reply: z.object({
    operation: z.enum(['sum', 'range', 'shift']),
    result: z.string().describe('A length or a time, as hours:minutes, with seconds if they were given'),
    seconds: z.int().describe('Of the length, or of the time after midnight'),
    day: z.int().describe('Days by which the result is past midnight; 0 for a length'),
  }),
  match(question): ClockMatch | null {
    if (!HINT.test(question.folded)) return null
    return readSum(question) ?? readTriggers(question, TRIGGERS, readTimes)
  },
  answer(match) {
    const { language } = match
    if (match.kind === 'sum') {
      const { seconds, hasSeconds, written } = match
      const result = writeLength(seconds, hasSeconds)
      return { text: `${written} = ${result}`, operation: 'sum' as const, result, seconds, day: 0 }
    }
    if (match.kind === 'range') {
      const { from, to } = match
      const minutes = (to - from + MINUTES_A_DAY) % MINUTES_A_DAY
      const day = to < from ? ` (${NEXT_DAY[language]})` : ''
      const text = `${writeTime(from)} – ${writeTime(to)}${day}: ${writeHours(minutes)}`
      const result = writeLength(minutes * 60, false)
      return { text, operation: 'range' as const, result, seconds: minutes * 60, day: 0 }
    }
    const { base, minutes } = match
    const total = base + minutes
    const day = Math.floor(total / MINUTES_A_DAY)
    const time = total - day * MINUTES_A_DAY
    const when = day === 0 ? '' : ` (${day > 0 ? NEXT_DAY[language] : DAY_BEFORE[language]})`
    const sign = minutes < 0 ? '−' : '+'
    return {
      text: `${writeTime(base)} ${sign} ${writeHours(Math.abs(minutes))} = ${writeTime(time)}${when}`,
      operation: 'shift' as const,
      result: writeTime(time),
      seconds: time * 60,
      day,
    }
  },
})

function readSum({ folded, lang }: Question): ClockMatch | undefined {
  const [, written = ''] = SUM.exec(folded) ?? []
  const terms = Array.from(written.matchAll(TERM), ([, sign = '', length = '']) => ({ sign, length }))
  const parts = terms[0]?.length.split(':').length
  if (parts === undefined || terms.some(({ length }) => length.split(':').length !== parts)) return undefined
  const seconds = terms.reduce((sum, { sign, length }) => sum + (/[-−–]/.test(sign) ? -1 : 1) * secondsOf(length), 0)
  const shown = terms.map(({ sign, length }) => `${sign.replace(/[-–]/, '−')} ${length}`).join(' ')
  return { kind: 'sum', written: shown.trim(), seconds, hasSeconds: parts === 3, language: lang || 'en' }
}

/** `3:45` counts as hours and minutes; if minutes and seconds were meant, the digits of the sum are the same. */
function secondsOf(length: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = length.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

type Times = { kind: 'range'; from: number; to: number } | { kind: 'shift'; base: number; minutes: number }

function readTimes(parts: Readonly<Record<string, string>>): Times | undefined {
  const { from = '', to = '', base = '', sign = '', amount = '', unit = '' } = parts
  if (base === '') {
    const [start, end] = [minutesOf(from), minutesOf(to)]
    return start === undefined || end === undefined || start === end
      ? undefined
      : { kind: 'range', from: start, to: end }
  }
  const time = minutesOf(base)
  const minutes = Number(amount) * (/^(?:m|min)/.test(unit) ? 1 : 60)
  // More than a day away, the date matters.
  if (time === undefined || minutes === 0 || minutes > MINUTES_A_DAY) return undefined
  return { kind: 'shift', base: time, minutes: /^(?:\+|plus)/.test(sign) ? minutes : -minutes }
}

function minutesOf(text: string): number | undefined {
  const time = readClockTime(text)
  return time && time.hour * 60 + time.minute
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const writeTime = (minutes: number): string => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/** `8 h 30 min`, which is the same in all seven languages. */
const writeHours = (minutes: number): string =>
  [minutes >= 60 ? `${Math.floor(minutes / 60)} h` : '', minutes % 60 > 0 ? `${minutes % 60} min` : '']
    .filter(Boolean)
    .join(' ')

function writeLength(seconds: number, hasSeconds: boolean): string {
  const whole = Math.abs(seconds)
  const parts = [String(Math.floor(whole / 3600)), twoDigits(Math.floor((whole % 3600) / 60))]
  if (hasSeconds) parts.push(twoDigits(whole % 60))
  return `${seconds < 0 ? '−' : ''}${parts.join(':')}`
}
