// An amount with its unit, as people write it: `5 in`, `5in`, `1/2 cup`, `1 1/2 cups`, `½ mile`, `5'10"`, `6 ft 2 in`, `a mile`.
// Its unit may mean several things, so it is given once for each.
import type { Said } from '../../lib/conversion-phrase.ts'
import { type Decimal, Exact } from '../../lib/exact-decimal.ts'
import { readNumber } from '../../lib/read-number.ts'
import { convert, type Unit } from './unit.ts'
import { UNITS } from './unit-table.ts'

export interface Quantity {
  value: Decimal
  unit: Unit
  /** How to show what was understood, part by part. */
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
const VULGAR: Readonly<Record<string, string>> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
}

/** `isAsked`: somebody asked how many there are, so that a bare unit is one of it. */
export function quantitiesIn(said: Said, { locale, isAsked }: { locale: string; isAsked: boolean }): Quantity[] {
  const { text, folded } = withPlainForm(said)
  const several = severalParts(folded, locale)
  if (several.length > 0) return several
  const amount = amountIn(folded, locale)
  if (amount === undefined) return withoutNumber({ text, folded }, isAsked)
  const rest = { text: text.slice(amount.length).trim(), folded: folded.slice(amount.length).trim() }
  return unitsNamed(rest).map((unit) => single(amount.value, unit))
}

function withoutNumber({ text, folded }: Said, isAsked: boolean): Quantity[] {
  const article = ARTICLES.exec(folded)?.[0].length ?? 0
  if (article === 0 && !isAsked) return []
  const rest = { text: text.slice(article), folded: folded.slice(article) }
  return unitsNamed(rest).map((unit) => single(new Exact(1), unit))
}

const single = (value: Decimal, unit: Unit): Quantity => ({ value, unit, parts: [{ value, unit }] })

/** Every unit of this name, also with the dot that some put after a symbol. */
export function unitsNamed({ text, folded }: Said): readonly Unit[] {
  const units = UNITS.named({ text, folded })
  if (units.length > 0 || !folded.endsWith('.')) return units
  return UNITS.named({ text: text.slice(0, -1), folded: folded.slice(0, -1) })
}

/** Folding makes 11/2 of `1½`, so that is done here again, with what was typed. And `mach 2` is 2 of something. */
function withPlainForm({ text, folded }: Said): Said {
  if (folded.startsWith('mach ')) return { text: `${folded.slice(5)} mach`, folded: `${folded.slice(5)} mach` }
  if (!/[½¼¾⅓⅔⅛]/.test(text)) return { text: text.length === folded.length ? text : folded, folded }
  const plain = text.replace(/ ?([½¼¾⅓⅔⅛])/, (_, sign: string) => ` ${VULGAR[sign] ?? ''}`).trim()
  return { text: plain, folded: plain.toLowerCase() }
}

function amountIn(folded: string, locale: string): { value: Decimal; length: number } | undefined {
  const mixed = MIXED_NUMBER.exec(folded)
  if (mixed !== null) {
    const [whole, part] = [new Exact(mixed[1] ?? 0), quotient(mixed[2] ?? '', mixed[3] ?? '')]
    return part && { value: whole.plus(part), length: mixed[0].length }
  }
  const found = LEADING_NUMBER.exec(folded)
  const digits = found?.[1] === undefined ? undefined : readNumber(found[1], locale)
  if (found === null || digits === undefined) return undefined
  const value = quotient(digits, found[2] ?? '1')
  return value && { value, length: found[0].length }
}

const quotient = (above: string, below: string): Decimal | undefined =>
  Number(below) === 0 ? undefined : new Exact(above).div(below)

/** `5'10"`, `6 ft 2 in`, `1h30min`: as much as the smaller of its units. */
function severalParts(folded: string, locale: string): Quantity[] {
  const height = FEET_AND_INCHES.exec(folded)
  const pairs = height ? [height[0], height[1], 'ft', height[2], 'in'] : (PAIRS.exec(folded) ?? GLUED.exec(folded))
  if (pairs === null) return []
  const [, first = '', large = '', second = '', small = ''] = pairs
  const [major, minor] = [readNumber(first, locale), readNumber(second, locale)]
  if (major === undefined || minor === undefined) return []
  return unitsNamed({ text: large, folded: large }).flatMap((unit) =>
    unitsNamed({ text: small, folded: small })
      .filter((other) => isSmaller(other, unit))
      .flatMap((other) => joined({ value: new Exact(major), unit }, { value: new Exact(minor), unit: other })),
  )
}

const isSmaller = (one: Unit, other: Unit): boolean =>
  one.dimension === other.dimension &&
  one.offset === undefined &&
  !one.isReciprocal &&
  one.above.times(other.below).lt(other.above.times(one.below))

function joined(large: { value: Decimal; unit: Unit }, small: { value: Decimal; unit: Unit }): Quantity[] {
  const value = convert(large.value, large.unit, small.unit)?.plus(small.value)
  return value === undefined ? [] : [{ value, unit: small.unit, parts: [large, small] }]
}
