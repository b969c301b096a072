// Units: `5 in to cm`, `convertir 5 km en milles`, `how many feet in a mile`. Exact: five inches are 12.7 cm. It needs
// two units of one kind with a word between them, and an amount or a word that asks for a conversion (or nothing else:
// `kg to lbs`). `in to deep`, `miles davis`, `5 a day` are ordinary searches. The other unit and the requested region
// decide what an ambiguous name (`oz`, `gal`, `m`) means, and the answer shows which.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { conversionsIn, likelyLanguages } from '../lib/conversion-phrase.ts'
import { amountLocales, type Decimal, languageOf, numberLocale, writeNumber } from '../lib/numbers.ts'
import { fillIn } from '../lib/write-text.ts'
import { LANGUAGES, type Language, type Question, regionOf } from '../question.ts'
import { type Quantity, quantitiesIn, quantityOf, unitsNamed } from './units/quantity.ts'
import { convert, type Unit } from './units/unit-table.ts'

/** Regions that use the larger, imperial gallon. */
const IMPERIAL_REGIONS = /-(?:GB|IE|AU|NZ|CA|ZA|IN|MT|CY|SG|HK|KE|NG|GH|JM|TT)$/
const SHOWN_ROUNDING = { full: 15, digits: 10 }
const MAX_RESULT_DIGITS = 30
const MAX_SHORT_DIGITS = 15
const MAX_PARTED = 100
const TOO_COLD = 'below_absolute_zero' as const
/** Next to these units a calorie is the small one; otherwise it's the large one, used for food. */
const EXACT_ENERGIES: ReadonlySet<string> = new Set(['J', 'cal', 'kcal', 'erg', 'eV'])

interface UnitConversion {
  from: Quantity
  to: Unit
  result: Decimal
  locale: string
}

export const units = defineAnswer({
  slug: 'units',
  title: 'Unit converter',
  summary: 'Converts between about 400 units of 33 kinds, by their names in seven languages.',
  examples: [
    { q: '5 in to cm' },
    { q: '100 f to c' },
    { q: 'how many feet in a mile' },
    { q: '1.234,5 km in miles', lang: 'de' },
    { q: 'convertir 5 km en milles', lang: 'fr' },
    { q: 'wie viele cm sind 5 zoll', lang: 'de' },
    { q: '5\'10" in cm' },
    { q: '30 mpg in l/100km' },
  ],
  reply: z.object({
    /** What is measured: `length`. */
    dimension: z.string(),
    /** Exact decimals, with the unit's symbol. */
    from: z.object({ value: z.string(), unit: z.string() }),
    to: z.object({ value: z.string(), unit: z.string() }),
    /** Whether `to.value` is short and exact; if not, it may be rounded to 30 digits. */
    is_exact: z.boolean(),
    problem: z.enum(['below_absolute_zero']).nullable().describe('Why there is no result; `to.value` is empty then'),
  }),
  match: readConversion,
  answer: writeConversion,
})

function writeConversion({ from, to, result, locale }: UnitConversion) {
  const isExact = result.precision() <= MAX_SHORT_DIGITS || result.isInteger()
  const given = from.parts.map(({ value, unit }) => writeMeasure(value, unit, locale)).join(' ')
  const source = { value: toDigits(from.value), unit: from.unit.symbol }
  const zero = absoluteZeroAbove(from)
  if (zero) {
    const text = fillIn(TOO_COLD_SENTENCES[languageOf(locale)], {
      given,
      zero: writeMeasure(zero, from.unit, locale),
    })
    const nothing = { value: '', unit: to.symbol }
    return { text, dimension: to.dimension, from: source, to: nothing, is_exact: false, problem: TOO_COLD }
  }
  const written = `${writeMeasure(result, to, locale)}${inParts(from, to, { result, locale })}`
  return {
    text: `${given} ${isExact ? '=' : '≈'} ${writeAverage(from, to, { result, written, locale }) ?? written}`,
    dimension: to.dimension,
    from: source,
    to: { value: toDigits(result), unit: to.symbol },
    is_exact: isExact,
    problem: null,
  }
}

/** The same conversion between chosen units of one kind. `undefined`: there is no result, as for 0 L/100 km in mpg. */
export function convertUnits(value: Decimal, { from, to, locale }: { from: Unit; to: Unit; locale: string }) {
  const result = convert(value, from, to)
  if (!result?.isFinite()) return undefined
  return writeConversion({ from: quantityOf(value, from), to, result: withoutNoise(result), locale })
}

const toDigits = (value: Decimal): string => value.toSignificantDigits(MAX_RESULT_DIGITS).toString().replace('e+', 'e')

/** No space before signs such as ° and ′, one before all other symbols. */
const writeMeasure = (value: Decimal, { symbol }: Unit, locale: string): string =>
  `${writeNumber(value.toString().replace('e+', 'e'), locale, SHOWN_ROUNDING)}${/^[°′″]$/.test(symbol) ? '' : ' '}${symbol}`

/** The smaller unit that people add: they're five feet ten tall and weigh twelve stone eight, not 5.83 or 12.6. */
const SMALLER: Readonly<Record<string, { symbol: string; size: number; related: readonly string[] }>> = {
  ft: { symbol: 'in', size: 12, related: ['in', 'ft', 'yd', 'mi'] },
  st: { symbol: 'lb', size: 14, related: ['lb', 'st', 'oz'] },
}

function inParts(from: Quantity, to: Unit, { result, locale }: { result: Decimal; locale: string }): string {
  const smaller = SMALLER[to.symbol]
  if (smaller === undefined || smaller.related.includes(from.unit.symbol)) return ''
  if (result.isInteger() || result.abs().gt(MAX_PARTED) || result.isNegative()) return ''
  const rest = result.minus(result.floor()).times(smaller.size).toDecimalPlaces(2)
  const whole = rest.eq(smaller.size) ? result.floor().plus(1) : result.floor()
  return ` (${writeNumber(whole.toFixed(), locale)} ${to.symbol} ${writeNumber(rest.mod(smaller.size).toFixed(), locale)} ${smaller.symbol})`
}

function readConversion(question: Question): UnitConversion | null {
  for (const conversion of conversionsIn(question)) {
    const { from, to, isAsked } = conversion
    const targets = unitsNamed(to)
    if (targets.length === 0) continue
    const mayBeBare = isAsked || isBarePair(question)
    const languages = likelyLanguages(conversion)
    const locales = amountLocales(question, languages)
    const quantities = quantitiesIn(from, { locales, isAsked: mayBeBare })
    const found = pairUp(quantities, targets, rankOf(question, languages))
    if (found !== undefined) return { ...found, locale: locales.written }
  }
  return readBareQuantity(question)
}

/** What people want to know a bare quantity in: `5 miles` in km. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  mi: 'km',
  ft: 'cm',
  in: 'cm',
  yd: 'm',
  lb: 'kg',
  '°F': '°C',
  mph: 'km/h',
  acre: 'ha',
  'gal (US)': 'L',
  'gal (imp.)': 'L',
  'fl oz (US)': 'mL',
  'fl oz (imp.)': 'mL',
}
/** The other way round, for those who grew up with miles. */
const ENGLISH_COUNTERPARTS: Readonly<Record<string, string>> = {
  km: 'mi',
  m: 'ft',
  cm: 'in',
  kg: 'lb',
  '°C': '°F',
  'km/h': 'mph',
  ha: 'acre',
}
/**
 * Names that mean a measure wherever they follow a number. `5 pounds` may be money, `8 mile` is a film, `9 in` and `5 c`
 * could be anything, `35 mm` is a lens and `10 km` a race.
 */
const BARE =
  /^(-?\d[\d.,]{0,12}) ?(miles|meilen|millas|miglia|milhas|mijlen|feet|inches|zoll|pouces|pieds|pulgadas|pollici|polegadas|yards|lbs|°f|fahrenheit|degrees fahrenheit|grad fahrenheit|mph|acres|gallons|fluid ounces|fl oz|kilomet(?:er|re)s|cm|kg|kilograms|kilos|°c|celsius|degrees celsius|km\/h|kmh|hectares)$/
const BARE_DEGREES = /^(\d{2,3}\.\d) ?([cf])$/
/** Songs, and a promise to freed slaves. */
const NOT_MEASURES: ReadonlySet<string> = new Set(['500 miles', '1000 miles', '100 miles', '25 miles', '40 acres'])

function readBareQuantity(question: Question): UnitConversion | null {
  const { folded, lang } = question
  const [, number = '', name = ''] = BARE.exec(folded) ?? BARE_DEGREES.exec(folded) ?? []
  if (name === '' || NOT_MEASURES.has(folded)) return null
  const languages = likelyLanguages({
    from: { text: name, folded: name },
    to: { text: '', folded: '' },
    languages: LANGUAGES,
    isAsked: false,
  })
  const locales = amountLocales(question, languages)
  const typed = { text: `${number} ${name}`, folded: `${number} ${name}` }
  const isEnglish = lang === 'en' || (lang === '' && languages.includes('en'))
  const counterparts = isEnglish ? { ...COUNTERPARTS, ...ENGLISH_COUNTERPARTS } : COUNTERPARTS
  const quantities = quantitiesIn(typed, { locales, isAsked: false })
  const targets = quantities.flatMap(({ unit }) => {
    const symbol = counterparts[unit.symbol]
    return symbol === undefined ? [] : unitsNamed({ text: symbol, folded: symbol.toLowerCase() })
  })
  const found = pairUp(quantities, targets, rankOf(question, languages))
  return found ? { ...found, locale: locales.written } : null
}

/** `kg to lbs`, and nothing else. Single letters mean too much. */
const isBarePair = ({ words }: Question): boolean =>
  words.length === 3 && words[1] === 'to' && words.every((word) => word.length > 1)

/** Picks the first two units of one kind, preferring those used in the client's region. */
function pairUp(quantities: readonly Quantity[], targets: readonly Unit[], rank: (unit: Unit) => number) {
  const sources = quantities
    .filter(({ unit }) => !isUnlikelyFoodCalorie(unit, targets))
    .toSorted((left, right) => rank(left.unit) - rank(right.unit))
  const sourceUnits = quantities.map(({ unit }) => unit)
  const goals = targets
    .filter((unit) => !isUnlikelyFoodCalorie(unit, sourceUnits))
    .toSorted((left, right) => rank(left) - rank(right))
  for (const from of sources) {
    const isOther = (unit: Unit) => unit.symbol !== from.unit.symbol || from.parts.length > 1
    const to = goals.find((unit) => unit.dimension === from.unit.dimension && isOther(unit))
    const result = to && convert(from.value, from.unit, to)
    if (to && result?.isFinite()) return { from, to, result: withoutNoise(result) }
  }
  return undefined
}

/** Converting temperatures takes two divisions: 20 °C are 68 °F, not 67.999…. */
const withoutNoise = (value: Decimal): Decimal => {
  const rounded = value.toSignificantDigits(MAX_RESULT_DIGITS)
  return rounded.precision() <= MAX_SHORT_DIGITS ? rounded : value
}

/** `calories` may be large or small; next to EXACT_ENERGIES the large ones, those of food, aren't meant. */
const isUnlikelyFoodCalorie = ({ symbol }: Unit, others: readonly Unit[]): boolean =>
  symbol === 'kcal' && others.length === 1 && EXACT_ENERGIES.has(others[0]?.symbol ?? '')

/** Lower is likelier. */
function rankOf({ lang, tag }: Question, languages: readonly Language[]): (unit: Unit) => number {
  const isImperial = lang === 'en' && IMPERIAL_REGIONS.test(numberLocale({ lang, tag }))
  const first = isImperial ? 'imperial' : 'us'
  const isElsewhere = lang === '' ? !languages.includes('en') : lang !== 'en'
  const region = regionOf(tag)
  return ({ system }) => {
    if (system === undefined) return isElsewhere ? 0 : 1
    // In Dutch a ton is a tonne. In Canada a livre is a pound.
    if (system === 'metric') return isElsewhere && region !== 'CA' ? -1 : 3
    if (system === 'australian') return region === 'AU' ? 0 : 4
    return system === first ? 1 : 2
  }
}

const TOO_COLD_SENTENCES: Readonly<Record<Language, string>> = {
  en: '{given} does not exist: absolute zero is {zero}.',
  fr: '{given} n’existe pas : le zéro absolu est à {zero}.',
  de: '{given} gibt es nicht: Der absolute Nullpunkt liegt bei {zero}.',
  es: '{given} no existe: el cero absoluto está a {zero}.',
  it: '{given} non esiste: lo zero assoluto è a {zero}.',
  pt: '{given} não existe: o zero absoluto é {zero}.',
  nl: '{given} bestaat niet: het absolute nulpunt is {zero}.',
}

/** Absolute zero in the quantity's unit, if the quantity is below it. */
function absoluteZeroAbove({ value, unit }: Quantity): Decimal | undefined {
  const zero = unit.offset?.negated()
  return zero && value.lt(zero) ? zero : undefined
}

interface Average {
  average: string
  year: string
  month: string
}

const AVERAGES: Readonly<Record<Language, Average>> = {
  en: { average: 'on average', year: '365 or 366', month: '28 to 31' },
  fr: { average: 'en moyenne', year: '365 ou 366', month: 'de 28 à 31' },
  de: { average: 'im Mittel', year: '365 oder 366', month: '28 bis 31' },
  es: { average: 'de media', year: '365 o 366', month: 'de 28 a 31' },
  it: { average: 'in media', year: '365 o 366', month: 'da 28 a 31' },
  pt: { average: 'em média', year: '365 ou 366', month: 'de 28 a 31' },
  nl: { average: 'gemiddeld', year: '365 of 366', month: '28 tot 31' },
}
const CALENDAR: ReadonlySet<string> = new Set(['mo', 'yr', 'decade', 'century', 'millennium'])

interface Converted {
  result: Decimal
  /** The result as it would be written. */
  written: string
  locale: string
}

/** `undefined`: the lengths don't vary. `1 yr` in days is written as `365 or 366`, followed by the average. */
function writeAverage(from: Quantity, to: Unit, { result, written, locale }: Converted): string | undefined {
  if (to.dimension !== 'time' || CALENDAR.has(from.unit.symbol) === CALENDAR.has(to.symbol)) return undefined
  const { average, year, month } = AVERAGES[languageOf(locale)]
  const range = { yr: year, mo: month }[from.unit.symbol]
  if (range === undefined || to.symbol !== 'd' || !from.value.eq(1)) return `${written} (${average})`
  return `${range} d (${writeNumber(result.toString(), locale)} ${average})`
}
