// Reads a length of time in days or longer units: `1 month`, `2 weeks and 3 days`, `3 jours`, `1 Jahr`.

import type { Language } from '../question.ts'
import type { Span } from './calendar.ts'

type SpanUnit = keyof Span

/** Days, weeks, months and years, in this order. */
const UNIT_WORDS: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  en: ['day days', 'week weeks', 'month months', 'year years'],
  fr: ['jour jours', 'semaine semaines', 'mois', 'an ans annee annees'],
  de: ['tag tage tagen', 'woche wochen', 'monat monate monaten', 'jahr jahre jahren'],
  es: ['dia dias', 'semana semanas', 'mes meses', 'ano anos'],
  it: ['giorno giorni', 'settimana settimane', 'mese mesi', 'anno anni'],
  pt: ['dia dias', 'semana semanas', 'mes meses', 'ano anos'],
  nl: ['dag dagen', 'week weken', 'maand maanden', 'jaar jaren'],
}

/** One, two and three. */
const NUMBER_WORDS: Readonly<Record<Language, readonly [string, string, string]>> = {
  en: ['a an one', 'two', 'three'],
  fr: ['un une', 'deux', 'trois'],
  de: ['ein eine einem einer', 'zwei', 'drei'],
  es: ['un una', 'dos', 'tres'],
  it: ['un una uno', 'due', 'tre'],
  pt: ['um uma', 'dois duas', 'tres'],
  nl: ['een', 'twee', 'drie'],
}

const UNITS: readonly SpanUnit[] = ['days', 'weeks', 'months', 'years']

const hasWord = (words: string, word: string): boolean => words.split(' ').includes(word)

/** For use in larger patterns. Pass what it matches to `readSpan`, which is stricter. */
export const SPAN_PATTERN =
  '(?:\\d{1,6}|[a-z]{1,5}) ?[a-z]{2,9}(?:(?:,| and| et| und| y| e| en)? \\d{1,6} ?[a-z]{2,9}){0,3}'

const PIECE = /^(\d{1,6}|[a-z]{1,5}) ?([a-z]{2,9})$/
const JOINT = /(?:,| and| et| und| y| e| en)? (?=\d)/

/** `undefined`: not a length of time in this language. `text` is folded. */
export function readSpan(text: string, spoken: Language): Partial<Span> | undefined {
  const span: Partial<Span> = {}
  for (const piece of text.split(JOINT)) {
    const [, count = '', word = ''] = PIECE.exec(piece) ?? []
    const unit = UNITS[UNIT_WORDS[spoken].findIndex((words) => hasWord(words, word))]
    const number = /^\d/.test(count)
      ? Number(count)
      : 1 + NUMBER_WORDS[spoken].findIndex((words) => hasWord(words, count))
    if (unit === undefined || number === 0 || span[unit] !== undefined) return undefined
    span[unit] = number
  }
  return span
}
