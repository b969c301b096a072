// The calculator: `0.1+0.2`, `2^200`, `15% of 200`, `square root of 16`, `3 mal 4`, with exact whole numbers and
// decimals. It must not answer what only looks like a calculation (`24/7`, `9/11`, `555-1234`, `12/05`, `1920x1080`,
// years, telephone numbers, versions, ranges): see `arithmetic/is-arithmetic.ts`. Calculations without a result
// (`1/0`), or with one too large to compute (`9^9^9^9`), get an answer in words, to show that they were understood.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { isRoundedWhenWritten, languageOf, numberLocale, readNumber, writeNumber } from '../lib/numbers.ts'
import { isSpoken, readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { fillIn, percentSign } from '../lib/write-text.ts'
import { fold, type Language, type Question, readQuestion } from '../question.ts'
import { OPENINGS } from './arithmetic/arithmetic-words.ts'
import { evaluate } from './arithmetic/evaluate.ts'
import { rephrase } from './arithmetic/everyday-phrases.ts'
import { angleUnitOf, type Expression, writeExpression } from './arithmetic/expression.ts'
import { hasOperation, isArithmetic } from './arithmetic/is-arithmetic.ts'
import { parseExpression } from './arithmetic/parse-expression.ts'
import { type Token, tokensOf } from './arithmetic/tokens.ts'
import type { ProblemKind } from './arithmetic/values.ts'

const MAX_QUERY_LENGTH = 256
const MAX_DIGITS_IN_FULL = 100
const SHOWN_DIGITS = 60
const SHARE_ROUNDING = { full: 6, digits: 6 }
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUPERSCRIPT = /[⁰¹²³⁴-⁹]/g
const RAISED = /[⁰¹²³⁴-⁹]{1,20}/g
/** Could be thousands: people rarely end a decimal fraction with a zero. */
const UNCLEAR = /^[1-9]\d{0,2}\.\d\d0$/
/** A digit, or a constant that works without one. */
const HINT = /\d|\bpi\b|π|\btau\b|\bphi\b|\be\b/

const PROBLEMS: Readonly<Record<ProblemKind, Readonly<Record<Language, string>>>> = {
  division_by_zero: {
    en: 'is not defined: division by zero',
    fr: 'n’est pas défini : division par zéro',
    de: 'ist nicht definiert: Division durch null',
    es: 'no está definido: división por cero',
    it: 'non è definito: divisione per zero',
    pt: 'não está definido: divisão por zero',
    nl: 'is niet gedefinieerd: deling door nul',
  },
  not_real: {
    en: 'is not a real number',
    fr: 'n’est pas un nombre réel',
    de: 'ist keine reelle Zahl',
    es: 'no es un número real',
    it: 'non è un numero reale',
    pt: 'não é um número real',
    nl: 'is geen reëel getal',
  },
  undefined: {
    en: 'is not defined',
    fr: 'n’est pas défini',
    de: 'ist nicht definiert',
    es: 'no está definido',
    it: 'non è definito',
    pt: 'não está definido',
    nl: 'is niet gedefinieerd',
  },
  too_large: {
    en: 'is too large to compute',
    fr: 'est trop grand pour être calculé',
    de: 'ist zu groß, um berechnet zu werden',
    es: 'es demasiado grande para calcularlo',
    it: 'è troppo grande per essere calcolato',
    pt: 'é grande demais para ser calculado',
    nl: 'is te groot om te berekenen',
  },
}

const DIGITS: Readonly<Record<Language, string>> = {
  en: 'digits',
  fr: 'chiffres',
  de: 'Stellen',
  es: 'cifras',
  it: 'cifre',
  pt: 'algarismos',
  nl: 'cijfers',
}

/** The default unit of angles. */
const RADIANS: Readonly<Record<Language, string>> = {
  en: 'radians',
  fr: 'radians',
  de: 'Bogenmaß',
  es: 'radianes',
  it: 'radianti',
  pt: 'radianos',
  nl: 'radialen',
}

interface Calculation {
  expression: Expression
  locale: string
  /** The query asked for a percentage, so the answer is one. */
  share?: PercentShare
}

export const calculator = defineAnswer({
  slug: 'calculator',
  title: 'Calculator',
  summary:
    'Computes with exact decimals and whole numbers of any reasonable size: + - * / ^ ! %, brackets, roots, logarithms, ' +
    'trigonometry, and the words for them in seven languages.',
  examples: [
    { q: '0.1+0.2' },
    { q: '2^200' },
    { q: '15% of 200' },
    { q: 'sqrt(2) * 3' },
    { q: '3 mal 4', lang: 'de' },
    { q: 'racine carrée de 16', lang: 'fr' },
    { q: '20 is what percent of 50' },
    { q: '1/0' },
  ],
  reply: z.object({
    /** The calculation as we read it. */
    expression: z.string(),
    /** An exact decimal, `2.5` or `4.28e369693099`; null if there is no result. */
    result: z.string().nullable(),
    /** False if `result` is rounded to 30 digits. It is computed with 40; digits beyond those don't count. */
    is_exact: z.boolean(),
    problem: z.enum(['division_by_zero', 'not_real', 'undefined', 'too_large']).nullable(),
    angle_unit: z.enum(['radians', 'degrees']).nullable().describe('Of sines and their like; null without any'),
  }),
  match: (question) => readCalculation(question),
  answer: calculate,
})

function calculate({ expression, locale, share }: Calculation) {
  const written = writeExpression(expression, locale)
  const outcome = evaluate(expression)
  const language = languageOf(locale)
  const angle = angleUnitOf(expression) ?? null
  if (!outcome.ok) {
    const { problem } = outcome
    return {
      text: `${written} ${PROBLEMS[problem][language]}.`,
      expression: written,
      result: null,
      is_exact: false,
      problem,
      angle_unit: angle,
    }
  }
  const { digits, isExact } = outcome
  const sign = isExact && !isRoundedWhenWritten(digits) ? '=' : '≈'
  const remark = angle === 'radians' ? ` (${RADIANS[language]})` : ''
  return {
    text: share
      ? writeShare(share, digits)
      : `${written} ${sign} ${writeDigits(digits, { locale, language })}${remark}`,
    expression: written,
    result: digits,
    is_exact: isExact,
    problem: null,
    angle_unit: angle,
  }
}

/**
 * What was typed into a calculator, where also `24/7` and `9/11` are calculations. `undefined`: it isn't one. If the numbers
 * are ambiguous without a language (`1.000 + 2.000`), `otherwise` decides.
 */
export function calculateText(text: string, tag: string, otherwise: string) {
  for (const language of [tag, otherwise]) {
    const question = readQuestion(text.replace(/[\s=?]{1,9}$/, ''), language)
    const calculation = question && readCalculation(question, isSum)
    if (calculation) return calculate(calculation)
  }
  return undefined
}

/** `5` isn't one, but `π` is. */
const isSum = (tokens: readonly Token[]): boolean =>
  hasOperation(tokens) || tokens.some(({ kind }) => kind === 'constant')

function readCalculation(question: Question, isMeant?: (tokens: readonly Token[]) => boolean): Calculation | null {
  const { folded, text, lang } = question
  if (folded.length > MAX_QUERY_LENGTH) return null
  const hasHint = HINT.test(folded)
  if (!hasHint && (question.words.length < 3 || question.words.length > 8)) return null
  const phrase = rephrase(withoutQuestion(folded), lang)
  if (phrase === undefined && !hasHint) return null
  const share = readPercentShare(question)
  if (share) return { expression: percentExpression(share), locale: share.locale, share }
  const stripped = withoutOpening(phrase?.text ?? preparedText(folded, text), lang)
  const tokenized = tokensOf(stripped.text, lang, stripped.spoken)
  if (tokenized === undefined) return null
  const isOurs = isMeant ?? (stripped.isStrong ? hasOperation : isArithmetic)
  if (!isOurs(tokenized.tokens)) return null
  const locale = numberLocale(question, phrase?.spoken || tokenized.spoken || stripped.spoken[0])
  const readLocale = lang === '' ? groupingLocale(tokenized.tokens, locale) : locale
  const expression = readLocale && parseExpression(tokenized.tokens, readLocale)
  return expression ? { expression, locale } : null
}

/**
 * The locale to read the numbers in if no language was requested. `1.000 + 2.000` is three in English and three thousand
 * in German: only words decide (`15% de 1.000`), or another number (`1.5 × 2.000`). `undefined`: nothing does.
 */
function groupingLocale(tokens: readonly Token[], locale: string): string | undefined {
  const marked = tokens.filter((token) => token.kind === 'number' && /[.,]/.test(token.written))
  const isUnclear = marked.length > 0 && marked.every((token) => 'written' in token && UNCLEAR.test(token.written))
  if (!isUnclear || (locale !== 'en' && locale !== 'fr')) return locale
  return locale === 'fr' ? 'de' : undefined
}

function percentExpression({ part, whole }: PercentShare): Expression {
  const left: Expression = { kind: 'number', digits: part }
  const quotient: Expression = { kind: 'binary', operator: '/', left, right: { kind: 'number', digits: whole } }
  return { kind: 'binary', operator: '*', left: quotient, right: { kind: 'number', digits: '100' } }
}

/** Folding would turn 5² into 52. */
function preparedText(folded: string, text: string): string {
  if (text.search(SUPERSCRIPT) < 0) return folded
  return fold(text.replace(RAISED, (raised) => `^${raised.replace(SUPERSCRIPT, plainDigit)}`))
}

/** Strips the words that only ask, so that the phrase begins with what matters. */
const withoutQuestion = (folded: string): string =>
  folded
    .replace(
      /^(?:what(?:'s|s| is)(?: the)?|was ist|wie ?viel (?:ist|sind)|combien (?:font|fait)|cuanto es|quanto (?:fa|e)|hoeveel is) /,
      '',
    )
    .replace(/ ?[=?]{1,2}$/, '')

const plainDigit = (digit: string): string => String(SUPERSCRIPTS.indexOf(digit))

interface StrippedText {
  text: string
  isStrong: boolean
  spoken: readonly Language[]
}

/** Strips the words before a calculation and the signs after it. */
function withoutOpening(folded: string, lang: Language | ''): StrippedText {
  const ended = folded.replace(/ ?\?$/, '')
  const text = ended.replace(/ ?=$| equals?$/, '').replace(/^= ?/, '')
  const isStrong = text !== ended
  const openings = OPENINGS.get(/^[a-z']+/.exec(text)?.[0] ?? '')
  const opening = openings?.find((known) => text.startsWith(`${known.text} `) && isSpoken(known, lang))
  if (opening === undefined) return { text, isStrong, spoken: [] }
  const spoken = opening.languages.includes('en') ? [] : opening.languages
  return { text: text.slice(opening.text.length + 1), isStrong: isStrong || opening.isStrong, spoken }
}

function writeDigits(digits: string, { locale, language }: { locale: string; language: Language }): string {
  const count = digits.replace('-', '').length
  if (!/^-?\d+$/.test(digits) || count <= MAX_DIGITS_IN_FULL) return writeNumber(digits, locale)
  const start = digits.slice(0, SHOWN_DIGITS + (digits.startsWith('-') ? 1 : 0))
  return `${start}… (${writeNumber(String(count), locale)} ${DIGITS[language]})`
}

/** `20 is what percent of 50`, `wie viel Prozent von 50 sind 20`: one number as a percentage of another. */
interface PercentShare {
  part: string
  whole: string
  locale: string
}

const SHARE_HINT = /%|perc|proz|proc|pourc|porc|por ?cento/
const NUMBER = String.raw`[-+]?[\d.,' ]{1,30}`

/** `<part>` and `<whole>` are the numbers. */
const patterns = (...sources: string[]): RegExp[] =>
  sources.map((source) => new RegExp(`^${source.replace(/<(\w+)>/g, `(?<$1>${NUMBER})`)}$`))

const EN = '(?:%|percent|percentage|per cent)'
const PT = '(?:porcentagem|percentagem)'

const SHARE_TRIGGERS: Triggers = {
  en: patterns(
    `<part> is what ${EN} of <whole>`,
    `what ${EN} is <part> (?:out )?of <whole>`,
    `<part> (?:out )?of <whole> (?:as an?|in) ${EN}`,
    `what ${EN} of <whole> is <part>`,
  ),
  fr: patterns(
    '<part> (?:est|represente) quel pourcentage de <whole>',
    'quel pourcentage (?:est|represente) <part> (?:de|sur) <whole>',
    '<part> sur <whole> en (?:pourcentage|%)',
    'quel pourcentage de <whole> (?:est|represente|font) <part>',
  ),
  de: patterns(
    'wie ?viel (?:prozent|%) sind <part> von <whole>',
    '<part> von <whole> in (?:prozent|%)',
    'wie ?viel (?:prozent|%) von <whole> (?:sind|ist) <part>',
  ),
  es: patterns(
    'que porcentaje es <part> de <whole>',
    '<part> de <whole> en (?:porcentaje|%)',
    'que porcentaje de <whole> (?:es|son) <part>',
  ),
  it: patterns(
    'che percentuale e <part> (?:di|su) <whole>',
    '<part> su <whole> in (?:percentuale|%)',
    'che percentuale di <whole> (?:e|sono) <part>',
  ),
  pt: patterns(
    `(?:que|qual a) ${PT} e <part> de <whole>`,
    'quantos? por cento e <part> de <whole>',
    `<part> de <whole> em ${PT}`,
    `(?:que|qual a) ${PT} de <whole> (?:e|sao) <part>`,
  ),
  nl: patterns(
    'hoeveel (?:procent|%) is <part> van <whole>',
    '<part> van <whole> in (?:procent|procenten|%)',
    'hoeveel (?:procent|%) van <whole> is <part>',
  ),
}

const SHARE_SENTENCES: Readonly<Record<Language, string>> = {
  en: '{part} is {percent} of {whole}',
  fr: '{part} représente {percent} de {whole}',
  de: '{part} sind {percent} von {whole}',
  es: '{part} es el {percent} de {whole}',
  it: '{part} è il {percent} di {whole}',
  pt: '{part} é {percent} de {whole}',
  nl: '{part} is {percent} van {whole}',
}

function readPercentShare(question: Question): PercentShare | null {
  if (!SHARE_HINT.test(question.folded)) return null
  return readTriggers(question, SHARE_TRIGGERS, (numbers, spoken) => {
    const locale = numberLocale(question, spoken)
    const part = readNumber(numbers['part'] ?? '', locale)
    const whole = readNumber(numbers['whole'] ?? '', locale)
    return part === undefined || whole === undefined ? undefined : { part, whole, locale }
  })
}

function writeShare({ part, whole, locale }: PercentShare, percent: string): string {
  const about = isRoundedWhenWritten(percent, SHARE_ROUNDING) ? '≈ ' : ''
  const language = languageOf(locale)
  return fillIn(SHARE_SENTENCES[language], {
    part: writeNumber(part, locale),
    percent: `${about}${writeNumber(percent, locale, SHARE_ROUNDING)}${percentSign(language)}`,
    whole: writeNumber(whole, locale),
  })
}
