// Reads an amount with its unit: `5 in`, `5in`, `1/2 cup`, `1 1/2 cups`, `½ mile`, `5'10"`, `6 ft 2 in`, `a mile`. If
// the unit is ambiguous, the quantity is returned once for each meaning.
import type { TypedText } from '../../lib/conversion-phrase.ts'
import { numberOfAnyWord } from '../../lib/number-words.ts'
import { type AmountLocales, type Decimal, Exact, readAmount } from '../../lib/numbers.ts'
import { convert, UNITS, type Unit } from './unit-table.ts'

export interface Quantity {
  value: Decimal
  unit: Unit
  /** The parts to show, as we understood them. */
  parts: readonly { value: Decimal; unit: Unit }[]
}

const ARTICLES = /^(?:an?|one|une?|eine?[mnrs]?|un[ao]?|uma?|een|einen?) (?=[a-z])/
const LEADING_NUMBER =
  /^([-+−]?(?:\d[\d.,' ]{0,40})?\d(?:e[-+]?\d{1,3})?|[-+−]?[.,]\d{1,30})(?:\/(\d{1,4}))?(?= ?[^\d.,/])/
const MIXED_NUMBER = /^(\d{1,4}) (\d{1,3})\/(\d{1,3})(?= ?[^\d.,/])/
const FEET_AND_INCHES = /^(\d{1,3}) ?['′] ?(\d{1,2}(?:[.,]\d{1,6})?) ?(?:"|″|''|′′)?$/
const PAIRS =
  /^(\d{1,6}(?:[.,]\d{1,6})?) ?([a-z]{1,12}) (?:and |und |et |y |e |en )?(\d{1,6}(?:[.,]\d{1,6})?) ?([a-z]{1,12})$/
const GLUED = /^(\d{1,4})([a-z]{1,6})(\d{1,4})([a-z]{1,6})$/
/** Forms that omit the smaller unit: `6 ft 2`, `5ft7`, `12 stone 4`, `1 m 75`. */
const OMITTED = /^(\d{1,3}) ?([a-z]{1,6}) ?(\d{1,2})$/
const SMALLER: Readonly<Record<string, string>> = { ft: 'in', st: 'lb', m: 'cm', h: 'min' }
const VULGAR_FRACTIONS: Readonly<Record<string, string>> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
}

/** Before a unit, in seven languages. */
const HALF =
  /^(?:one half |half |une? demi[- ]|demi[- ]|(?:eine?[nrs]? )?halbe[nrs]? |medi[oa] |mezz[oa] |mei[oa] |een halve |een half |halve )(?:of )?(?:an? )?(?=[a-z])/
const QUARTERS =
  /^(one |three |un |trois |ein(?:en)? |drei ?|um |una? |tres |tre |een |drie)?(?:quarters?|quarts?|viertel|cuartos?|quart[oi]|quartos?|kwart) ?(?:of |de |di |d')?(?:an? )?(?=[a-z])/
const THREE = /^(?:three|trois|drei|tres|tre|drie)/

interface ReadOptions {
  locales: AmountLocales
  /** The query asks for a conversion explicitly, so a bare unit means one of it. */
  isAsked: boolean
}

export function quantitiesIn(typed: TypedText, { locales, isAsked }: ReadOptions): Quantity[] {
  const { text, folded } = withPlainForm(typed)
  const several = severalParts(folded, locales)
  if (several.length > 0) return several
  const amount = amountIn(folded, locales)
  if (amount === undefined) return withoutNumber({ text, folded }, isAsked)
  const rest = { text: text.slice(amount.length).trim(), folded: folded.slice(amount.length).trim() }
  const units = unitsNamed(rest)
  if (units.length > 0) return units.map((unit) => quantityOf(amount.value, unit))
  const pairs = withSmaller(OMITTED.exec(folded))
  return pairs === null ? [] : inSmaller(pairs, locales)
}

function withoutNumber({ text, folded }: TypedText, isAsked: boolean): Quantity[] {
  const article = ARTICLES.exec(folded)?.[0].length ?? 0
  if (article === 0 && !isAsked) return []
  const rest = { text: text.slice(article), folded: folded.slice(article) }
  return unitsNamed(rest).map((unit) => quantityOf(new Exact(1), unit))
}

export const quantityOf = (value: Decimal, unit: Unit): Quantity => ({ value, unit, parts: [{ value, unit }] })

/** Finds every unit with this name, also with a dot after the symbol. */
export function unitsNamed({ text, folded }: TypedText): readonly Unit[] {
  const units = UNITS.named({ text, folded })
  if (units.length > 0 || !folded.endsWith('.')) return units
  return UNITS.named({ text: text.slice(0, -1), folded: folded.slice(0, -1) })
}

/** Folding turns `1½` into 11/2, so this starts again from the typed text. It also turns `mach 2` into `2 mach`. */
function withPlainForm({ text, folded }: TypedText): TypedText {
  const fraction = startsWithFraction(folded) ? inFigures(folded) : undefined
  if (fraction !== undefined) return { text: fraction, folded: fraction }
  const [first = '', ...rest] = folded.split(' ')
  const figures = rest.length > 0 ? numberOfAnyWord(first) : undefined
  if (figures !== undefined && figures !== '1') {
    const inDigits = [figures, ...rest].join(' ')
    return { text: inDigits, folded: inDigits }
  }
  if (folded.startsWith('mach ')) return { text: `${folded.slice(5)} mach`, folded: `${folded.slice(5)} mach` }
  if (!/[½¼¾⅓⅔⅛]/.test(text)) return { text: text.length === folded.length ? text : folded, folded }
  const plain = text.replace(/ ?([½¼¾⅓⅔⅛])/, (_, sign: string) => ` ${VULGAR_FRACTIONS[sign] ?? ''}`).trim()
  return { text: plain, folded: plain.toLowerCase() }
}

/** `half a cup`, `une demi-tasse`, `three quarters of an inch`. */
const startsWithFraction = (folded: string): boolean => HALF.test(folded) || QUARTERS.test(folded)

function inFigures(folded: string): string {
  if (HALF.test(folded)) return folded.replace(HALF, '1/2 ')
  return folded.replace(QUARTERS, THREE.test(folded) ? '3/4 ' : '1/4 ')
}

function amountIn(folded: string, locales: AmountLocales): { value: Decimal; length: number } | undefined {
  const mixed = MIXED_NUMBER.exec(folded)
  if (mixed !== null) {
    const [whole, part] = [new Exact(mixed[1] ?? 0), quotient(mixed[2] ?? '', mixed[3] ?? '')]
    return part && { value: whole.plus(part), length: mixed[0].length }
  }
  const found = LEADING_NUMBER.exec(folded)
  const digits = found?.[1] === undefined ? undefined : readAmount(found[1], locales)
  if (found === null || digits === undefined) return undefined
  const value = quotient(digits, found[2] ?? '1')
  return value && { value, length: found[0].length }
}

const quotient = (numerator: string, denominator: string): Decimal | undefined =>
  Number(denominator) === 0 ? undefined : new Exact(numerator).div(denominator)

/** `5'10"`, `6 ft 2 in`, `1h30min`: the total, in the smaller unit. */
function severalParts(folded: string, locales: AmountLocales): Quantity[] {
  const height = FEET_AND_INCHES.exec(folded)
  const pairs = height ? [height[0], height[1], 'ft', height[2], 'in'] : (PAIRS.exec(folded) ?? GLUED.exec(folded))
  return pairs === null ? [] : inSmaller(pairs, locales)
}

function inSmaller(pairs: readonly (string | undefined)[], locales: AmountLocales): Quantity[] {
  const [, first = '', large = '', second = '', small = ''] = pairs
  const [major, minor] = [readAmount(first, locales), readAmount(second, locales)]
  if (major === undefined || minor === undefined) return []
  return unitsNamed({ text: large, folded: large }).flatMap((unit) =>
    unitsNamed({ text: small, folded: small })
      .filter((other) => isSmaller(other, unit))
      .flatMap((other) => addParts({ value: new Exact(major), unit }, { value: new Exact(minor), unit: other })),
  )
}

function withSmaller(found: RegExpExecArray | null): (string | undefined)[] | null {
  if (found === null) return null
  const large = found[2] ?? ''
  const units = unitsNamed({ text: large, folded: large })
  const small = units.map(({ symbol }) => SMALLER[symbol]).find((symbol) => symbol !== undefined)
  return small === undefined ? null : [...found, small]
}

const isSmaller = (one: Unit, other: Unit): boolean =>
  one.dimension === other.dimension &&
  one.offset === undefined &&
  !one.isReciprocal &&
  one.numerator.times(other.denominator).lt(other.numerator.times(one.denominator))

function addParts(large: { value: Decimal; unit: Unit }, small: { value: Decimal; unit: Unit }): Quantity[] {
  const value = convert(large.value, large.unit, small.unit)?.plus(small.value)
  return value === undefined ? [] : [{ value, unit: small.unit, parts: [large, small] }]
}
