// The calculator's numbers. Whole numbers are BigInts, which are exact; all others are decimals of 40 digits, as are
// products and powers of more than 100,000 bits. The size of a product or a power is estimated before it is computed.
import { type Decimal, Exact } from '../../lib/numbers.ts'

export type Value = bigint | Decimal

export type ProblemKind = 'division_by_zero' | 'not_real' | 'undefined' | 'too_large'

/** A calculation that has no result. */
export class ArithmeticProblem extends Error {
  readonly kind: ProblemKind

  constructor(kind: ProblemKind) {
    super(kind)
    this.kind = kind
  }
}

const MAX_BITS = 100_000
const MAX_EXPONENT = 1e9
const DIGITS = 40
const LEADING_BITS = 240
/** Precise enough that 10^100, rebuilt from its leading bits and a power of two, is still 10^100. */
const Precise = Exact.clone({ precision: 70 })
/** A result that is closer than this to a whole number is taken to be that number. */
const WHOLE_TOLERANCE = new Exact('1e-30')

export function bitsOf(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16)
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex.charAt(0), 16)))
}

/** Accurate enough to estimate the length of a power. */
const logarithm2 = (value: bigint): number => {
  const bits = bitsOf(value)
  return bits > 1000 ? bits : Math.log2(Math.abs(Number(value)))
}

export function toDecimal(value: Value): Decimal {
  if (typeof value !== 'bigint') return value
  const spare = bitsOf(value) - LEADING_BITS
  if (spare <= 0) return new Exact(value.toString()).toSignificantDigits(DIGITS)
  // Writing out 30,000 digits takes milliseconds; the first sixty are enough.
  const leading = new Precise((value >> BigInt(spare)).toString())
  return new Exact(leading.times(new Precise(2).pow(spare)).toSignificantDigits(DIGITS))
}

/** The value as a whole number, if it is one and known exactly. */
export function toWhole(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  return value.isInteger() && value.e < DIGITS ? BigInt(value.toFixed()) : undefined
}

const isZero = (value: Value): boolean => (typeof value === 'bigint' ? value === 0n : value.isZero())
export const isNegative = (value: Value): boolean =>
  typeof value === 'bigint' ? value < 0n : value.isNegative() && !value.isZero()

/** Throws unless the decimal is a number within the limits. */
export function checkLimits(value: Decimal): Decimal {
  if (value.isNaN()) throw new ArithmeticProblem('undefined')
  if (!value.isFinite() || Math.abs(value.e) > MAX_EXPONENT) throw new ArithmeticProblem('too_large')
  return value
}

/** Rounds a result next to a whole number to that number: log(8, 2) is 3, not 2.999…. */
export function snapToWhole(value: Decimal): Value {
  const whole = checkLimits(value).round()
  const isNear = !whole.isZero() && whole.e < DIGITS && value.minus(whole).abs().lt(WHOLE_TOLERANCE)
  return isNear ? BigInt(whole.toFixed()) : value
}

export function add(left: Value, right: Value): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return left + right
  return checkLimits(toDecimal(left).plus(toDecimal(right)))
}

export const negate = (value: Value): Value => (typeof value === 'bigint' ? -value : value.negated())

export function multiply(left: Value, right: Value): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint' && bitsOf(left) + bitsOf(right) <= MAX_BITS) {
    return left * right
  }
  return checkLimits(toDecimal(left).times(toDecimal(right)))
}

export function divide(left: Value, right: Value): Value {
  if (isZero(right)) throw new ArithmeticProblem('division_by_zero')
  if (typeof left === 'bigint' && typeof right === 'bigint' && left % right === 0n) return left / right
  return checkLimits(toDecimal(left).div(toDecimal(right)))
}

export function floorDivide(left: Value, right: Value): Value {
  if (isZero(right)) throw new ArithmeticProblem('division_by_zero')
  const [whole, divisor] = [toWhole(left), toWhole(right)]
  if (whole === undefined || divisor === undefined) return checkLimits(toDecimal(left).div(toDecimal(right)).floor())
  const quotient = whole / divisor
  return whole % divisor !== 0n && whole < 0n !== divisor < 0n ? quotient - 1n : quotient
}

/** The sign is the divisor's, as in mathematics: -7 mod 3 is 2. */
export function modulo(left: Value, right: Value): Value {
  const quotient = floorDivide(left, right)
  // With more digits than we keep, only noise would be left of the remainder.
  if (typeof quotient !== 'bigint' && quotient.e >= DIGITS - 1) throw new ArithmeticProblem('too_large')
  return add(left, negate(multiply(right, quotient)))
}

export function power(base: Value, exponent: Value): Value {
  if (isZero(base)) {
    if (isZero(exponent)) throw new ArithmeticProblem('undefined')
    if (isNegative(exponent)) throw new ArithmeticProblem('division_by_zero')
    return 0n
  }
  const whole = toWhole(exponent)
  if (typeof base === 'bigint' && whole !== undefined) {
    if (base === 1n || whole === 0n) return 1n
    if (base === -1n) return whole % 2n === 0n ? 1n : -1n
    const size = whole < 0n ? -whole : whole
    if (Number(size) * logarithm2(base) <= MAX_BITS) return whole < 0n ? divide(1n, base ** size) : base ** size
  }
  if (isNegative(base) && whole === undefined) throw new ArithmeticProblem('not_real')
  return decimalPower(toDecimal(base), toDecimal(exponent))
}

function decimalPower(base: Decimal, exponent: Decimal): Value {
  const size = base.abs()
  // The exponent of the result, estimated first: computing 9^9^9^9 would never end.
  const digits = size.e + Math.log10(Number(size.times(`1e${-size.e}`).toSignificantDigits(15)))
  if (exponent.abs().times(Math.abs(digits)).gt(MAX_EXPONENT)) throw new ArithmeticProblem('too_large')
  return snapToWhole(base.pow(exponent))
}
