// Currencies: `100 usd to eur`, `20 dollars en euros`, `wie viel sind 20 dollar in euro`, `usd eur`. It must not answer
// without two currencies: `euro 2024`, `pound cake`, `dollar general`, `100 dollars to charity` are ordinary searches,
// and it never guesses an unknown code. Rates come from central banks and are for information only: the date is always
// shown, and rates older than four days (an Easter weekend) are marked.
import { z } from 'zod'
import { type AnswerContext, defineAnswer } from '../answer.ts'
import { type Conversion, conversionsIn, likelyLanguages, type TypedText } from '../lib/conversion-phrase.ts'
import { writeDate } from '../lib/dates.ts'
import {
  type AmountLocales,
  amountLocales,
  type Decimal,
  Exact,
  hasAmbiguousPoint,
  languageOf,
  numberLocale,
  readAmount,
  writeAmount,
  writeNumber,
} from '../lib/numbers.ts'
import { type Language, type Question, regionOf } from '../question.ts'
import { findCurrency, findIntlCurrency, minorUnits } from './currency-names.ts'
import { type Rates, ratesOf } from './exchange-rates.ts'

const STALE_AFTER_DAYS = 4
const DAY_MS = 86_400_000
const RATE_DIGITS = 10
const SMALL_DIGITS = 4
const SHOWN_RATE_DIGITS = 6
export const MAX_AMOUNT = new Exact('1e15')

const STALE: Readonly<Record<Language, string>> = {
  en: 'out of date',
  fr: 'périmé',
  de: 'veraltet',
  es: 'desactualizado',
  it: 'non aggiornato',
  pt: 'desatualizado',
  nl: 'verouderd',
}

const BANK: Readonly<Record<Language, string>> = {
  en: 'European Central Bank',
  fr: 'Banque centrale européenne',
  de: 'Europäische Zentralbank',
  es: 'Banco Central Europeo',
  it: 'Banca centrale europea',
  pt: 'Banco Central Europeu',
  nl: 'Europese Centrale Bank',
}

interface CurrencyConversion {
  amount: Decimal
  /** A code, or a name that only Intl may know. */
  from: string | { intlName: string }
  to: string | { intlName: string }
  lang: Language | ''
  locale: string
}

export const currency = defineAnswer({
  slug: 'currency',
  title: 'Currency converter',
  summary: 'Converts money at the reference rates of central banks, and gives the date of the rates.',
  examples: [
    { q: '100 usd to eur' },
    { q: '100 usd en eur', lang: 'fr' },
    { q: 'wie viel sind 20 dollar in euro', lang: 'de' },
    { q: '£50 in dollars' },
    { q: 'usd eur' },
  ],
  reply: z.object({
    amount: z.string(),
    /** ISO 4217 codes. */
    from: z.string(),
    to: z.string(),
    /** An exact decimal, rounded to the currency's decimals. */
    result: z.string(),
    /** The value of one `from` in `to`, to ten digits. */
    rate: z.string(),
    /** The date of the rate. */
    date: z.iso.date(),
    is_stale: z.boolean(),
    attribution: z.string(),
  }),
  match: readConversion,
  async answer({ amount, locale, lang, ...sides }, { find, deadline, now }) {
    const [from, to] = [codeOf(sides.from, lang), codeOf(sides.to, lang)]
    if (from === undefined || to === undefined || from === to) return null
    return await convertMoney({ amount, from, to, locale }, { find, deadline, now })
  },
})

export interface MoneyConversion {
  amount: Decimal
  /** ISO 4217 codes. */
  from: string
  to: string
  locale: string
}

/** `null`: no source has both rates. Rejects if one that might have them failed. */
export async function convertMoney(
  { amount, from, to, locale }: MoneyConversion,
  { find, deadline, now }: Pick<AnswerContext, 'find' | 'deadline' | 'now'>,
) {
  const rates = await ratesOf([from, to], { find, deadline })
  const found = rates && crossRate(rates, from, to)
  if (!found) return null
  const result = rounded(amount.times(found.rate), to)
  const isStale = Math.floor((now - Date.parse(found.date)) / DAY_MS) > STALE_AFTER_DAYS
  // An amount of one asks for the rate, so show more digits.
  const [shown, decimals] = amount.eq(1)
    ? [found.rate.toSignificantDigits(SHOWN_RATE_DIGITS), 0]
    : [result, minorUnits(to)]
  const amountText = `${writeNumber(amount.toFixed(), locale)} ${from}`
  const resultText = `${writeAmount(shown.toFixed(), locale, Math.max(shown.decimalPlaces(), decimals))} ${to}`
  const sign = shown.eq(amount.times(found.rate)) ? '=' : '≈'
  const bank = rates.source.slug === 'ecb' ? BANK[languageOf(locale)] : rates.source.name
  return {
    text: `${amountText} ${sign} ${resultText} (${bank}, ${writeRateDate(found.date, locale)}${isStale ? `, ${STALE[languageOf(locale)]}` : ''})`,
    amount: amount.toFixed(),
    from,
    to,
    result: result.toFixed(),
    rate: found.rate.toSignificantDigits(RATE_DIGITS).toFixed(),
    date: found.date,
    is_stale: isStale,
    attribution: rates.source.attribution,
  }
}

const codeOf = (side: string | { intlName: string }, lang: Language | ''): string | undefined =>
  typeof side === 'string' ? side : findIntlCurrency(side.intlName, lang)

/** Converts through the euro. The date is the older of the two. */
function crossRate({ byCode }: Rates, from: string, to: string): { rate: Decimal; date: string } | undefined {
  const [source, target] = [byCode.get(from), byCode.get(to)]
  if (!source || !target) return undefined
  const date = source.date < target.date ? source.date : target.date
  return { rate: new Exact(target.rate).div(source.rate), date }
}

/** Rounds to the currency's decimals; amounts below one keep four significant digits. */
function rounded(value: Decimal, code: string): Decimal {
  const decimals = minorUnits(code)
  const rounding = value.toDecimalPlaces(decimals)
  if (value.abs().gte(1) || value.isZero()) return rounding
  const precise = value.toSignificantDigits(SMALL_DIGITS)
  return precise.decimalPlaces() > decimals ? precise : rounding
}

/** Like other answers, writes the day first in English without a region. */
const writeRateDate = (date: string, locale: string): string =>
  writeDate(date, 'long', locale === 'en' ? 'en-GB' : locale)

/** `usd eur`, `usd/eur`, `euro dollar kurs`. */
const BARE_PAIR = /^([a-z]{3})(?: |\/| ?- ?| to | in | en | a | em | naar | nach )([a-z]{3})$/
const AMOUNT_AND_CODES = /^(\d[\d.,']{0,20}) ?([a-z]{3})(?: |\/)([a-z]{3})$/
const RATE_WORDS =
  /^(?:(?<before>taux de change|tipo de cambio|taxa de cambio|tasso di cambio|cambio|wechselkurs|wisselkoers|exchange rate|kurs|cours) (?:de |di |do |da |du )?)?(?<rated>.{3,40}?)(?: (?<after>exchange rate|rate|kurs|wechselkurs|wisselkoers|koers|cambio|taux))?$/

/** The language of a word for exchange rates. Three languages have `cambio`. */
const RATE_LANGUAGES: Readonly<Record<string, Language>> = {
  'taux de change': 'fr',
  cours: 'fr',
  taux: 'fr',
  'tipo de cambio': 'es',
  'taxa de cambio': 'pt',
  'tasso di cambio': 'it',
  wechselkurs: 'de',
  kurs: 'de',
  wisselkoers: 'nl',
  koers: 'nl',
}

/** Languages that are spoken mostly where people pay in euros. */
const EURO_LANGUAGES: ReadonlySet<string> = new Set(['de', 'fr', 'it', 'nl'])

function readConversion(question: Question): CurrencyConversion | null {
  const pair = readPair(question)
  if (pair) return pair
  for (const conversion of conversionsIn(question)) {
    const found = readSides(conversion, question)
    if (found) return found
  }
  return null
}

/** Two codes, or two names with a word for exchange rates. Neither code may be a word as well: `all to top`. */
function readPair(question: Question): CurrencyConversion | undefined {
  const { folded, words, lang } = question
  if (words.length > 6 || folded.length < 6) return undefined
  const amount = AMOUNT_AND_CODES.exec(folded)
  if (amount) return readAmountAndCodes(amount, question)
  const { rated: plain = folded, before = '', after = '' } = RATE_WORDS.exec(folded)?.groups ?? {}
  const isRate = plain !== folded
  const spoken = RATE_LANGUAGES[before || after] ?? ''
  const codes = BARE_PAIR.exec(plain)
  const [left, right] = codes ? [codes[1], codes[2]] : isRate ? ratedNames(plain, question, spoken) : []
  if (left === undefined || right === undefined) return undefined
  const [from, to] = [left, right].map((name) => findCurrency({ text: name, folded: name }, question))
  if (!from || !to || from.isDoubtful || to.isDoubtful) return undefined
  return { amount: new Exact(1), from: from.code, to: to.code, lang, locale: numberLocale(question, spoken) }
}

/** `100 eur usd`. */
function readAmountAndCodes([, number = '', left = '', right = '']: RegExpExecArray, question: Question) {
  const [from, to] = [left, right].map((name) => findCurrency({ text: name, folded: name }, question))
  if (!from || !to || from.isDoubtful || to.isDoubtful) return undefined
  const locale = numberLocale(question)
  const money = { number, scale: undefined, currency: { text: left, folded: left } }
  const amount = amountOf(money, { locales: { written: locale, read: [locale] }, decimals: minorUnits(from.code) })
  return amount && { amount, from: from.code, to: to.code, lang: question.lang, locale }
}

/** `dollar kurs` asks what a dollar costs in euros. With a region, people may pay in something else. */
function ratedNames(plain: string, { lang, tag }: Question, spoken: Language | ''): string[] {
  const names = plain.split(/ (?:to|in|en|a|nach|naar|em|zu) | ?\/ ?| /)
  if (names.length === 2) return names
  const paysInEuros = EURO_LANGUAGES.has(lang || spoken) && regionOf(tag) === ''
  return names.length === 1 && paysInEuros ? [plain, 'eur'] : []
}

function readSides(conversion: Conversion, question: Question): CurrencyConversion | undefined {
  const { from, to, isAsked } = conversion
  const money = readMoney(from, isAsked || question.words.length === 3)
  if (!money) return undefined
  const source = findCurrency(money.currency, question)
  const target = findCurrency(to, question)
  const isSure = (source && !source.isDoubtful) || (target && !target.isDoubtful)
  // One side must be certain, and the other could be one of Intl's names.
  if (!isSure || !(source || couldBeName(money.currency)) || !(target || couldBeName(to))) return undefined
  const languages = likelyLanguages(conversion)
  const locales = amountLocales(question, languages)
  const amount = amountOf(money, { locales, decimals: source ? minorUnits(source.code) : 2 })
  return (
    amount && {
      amount,
      from: source?.code ?? { intlName: money.currency.folded },
      to: target?.code ?? { intlName: to.folded },
      lang: question.lang || (languages.includes('en') ? '' : (languages[0] ?? '')),
      locale: locales.written,
    }
  )
}

const couldBeName = ({ folded }: TypedText): boolean => /^[a-z][a-z' -]{2,40}$/.test(folded)

const NUMBER = String.raw`[-+]?(?:\d[\d.,' ]{0,30})?\d`
const AMOUNT_FIRST = new RegExp(
  `^(${NUMBER}) ?(?:(million(?:s|en)?|millones|milioni|milhoes|miljoen|mio\\.?|billion|bn|mn|[km]) )?(?:d')?(\\D{1,40})$`,
)
const AMOUNT_LAST = new RegExp(`^([^\\d-]{1,20}?) ?(${NUMBER})$`)
const ONE = /^(?:an?|one|une?|eine?[mnrs]?|un[ao]?|uma?|een) (?=[a-z])/

const SCALES: Readonly<Record<string, number>> = { k: 1_000, bn: 1_000_000_000, billion: 1_000_000_000 }

interface Money {
  /** As written; '1' if there is only an article. */
  number: string
  scale: string | undefined
  currency: TypedText
}

function readMoney({ text, folded }: TypedText, isAsked: boolean): Money | undefined {
  const first = AMOUNT_FIRST.exec(folded)
  const last = first ? null : AMOUNT_LAST.exec(folded)
  if (!first && !last) {
    const article = ONE.exec(folded)?.[0].length ?? 0
    if (!isAsked && article === 0) return undefined
    return { number: '1', scale: undefined, currency: { text: text.slice(article), folded: folded.slice(article) } }
  }
  const name = (first?.[3] ?? last?.[1] ?? '').trim().replace(/^(?:de |of |di )/, '')
  const at = folded.indexOf(name)
  return {
    number: (first?.[1] ?? last?.[2]) || '',
    scale: first?.[2],
    currency: { text: text.slice(at, at + name.length), folded: name },
  }
}

/** Rejects `2.500` for currencies with cents: it isn't two and a half, and even in English it may mean thousands. */
function amountOf(
  { number, scale }: Money,
  { locales, decimals }: { locales: AmountLocales; decimals: number },
): Decimal | undefined {
  const digits = readAmount(number, locales)
  if (digits === undefined || (hasAmbiguousPoint(number) && digits.includes('.') && decimals !== 3)) return undefined
  const amount = new Exact(digits).times(scale === undefined ? 1 : (SCALES[scale] ?? 1_000_000))
  return amount.abs().gt(MAX_AMOUNT) ? undefined : amount
}
