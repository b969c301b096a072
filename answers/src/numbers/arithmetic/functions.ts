// The calculator's functions. Angles are in radians unless marked with `°`. The list is closed: a query can't name
// anything else.
import { type Decimal, Exact } from '../../lib/numbers.ts'
import {
  ArithmeticProblem,
  add,
  bitsOf,
  checked,
  divide,
  isNegative,
  modulo,
  negate,
  power,
  snapped,
  toDecimal,
  toWhole,
  type Value,
} from './values.ts'

export interface Calculation {
  fewest: number
  most: number
  compute: (values: readonly Value[]) => Value
}

const MANY = 60
const LARGEST_ANGLE = new Exact('1e20')
const LARGEST_POWER = new Exact('2.3e9')
const TINY = new Exact('1e-35')
const HUGE = new Exact('1e20')
const MOST_PLACES = 30
/** Euclid's algorithm takes about as many steps as its numbers have bits. */
const MOST_COMMON_BITS = 2_000

export const PI = new Exact('3.1415926535897932384626433832795028841971693993751')

const one = (compute: (value: Value) => Value): Calculation => ({
  fewest: 1,
  most: 1,
  compute: ([value = 0n]) => compute(value),
})
const many = (compute: (values: readonly Value[]) => Value): Calculation => ({ fewest: 1, most: MANY, compute })
const two = (compute: (left: Value, right: Value) => Value): Calculation => ({
  fewest: 2,
  most: 2,
  compute: ([left = 0n, right = 0n]) => compute(left, right),
})
const real = (compute: (value: Decimal) => Decimal): Calculation => one((value) => snapped(compute(toDecimal(value))))

/** A trigonometric function: results close to zero become zero, and huge ones are undefined. */
const ofAngle = (compute: (angle: Decimal) => Decimal): Calculation =>
  one((value) => {
    const angle = toDecimal(value)
    if (angle.abs().gt(LARGEST_ANGLE)) throw new ArithmeticProblem('too_large')
    const result = compute(angle)
    if (result.abs().gt(HUGE)) throw new ArithmeticProblem('undefined')
    return result.abs().lt(TINY) ? 0n : snapped(result)
  })

const growing = (compute: (value: Decimal) => Decimal): Calculation =>
  one((value) => {
    const exponent = toDecimal(value)
    if (exponent.abs().gt(LARGEST_POWER)) throw new ArithmeticProblem('too_large')
    return snapped(compute(exponent))
  })

const whole = (value: Value): bigint => {
  const exact = toWhole(value)
  if (exact === undefined) throw new ArithmeticProblem('undefined')
  return exact
}

function logarithm([value = 0n, base = 10n]: readonly Value[]): Value {
  const [number, root] = [toDecimal(value), toDecimal(base)]
  if (number.lte(0) || root.lte(0) || root.eq(1)) throw new ArithmeticProblem('undefined')
  return snapped(number.log(root))
}

function naturalLogarithm(value: Value): Value {
  const number = toDecimal(value)
  if (number.lte(0)) throw new ArithmeticProblem('undefined')
  return snapped(number.ln())
}

function root(value: Value, degree: Value): Value {
  const steps = whole(degree)
  if (steps === 0n) throw new ArithmeticProblem('undefined')
  if (!isNegative(value)) return power(value, divide(1n, steps))
  if (steps % 2n === 0n) throw new ArithmeticProblem('not_real')
  return negate(power(negate(value), divide(1n, steps)))
}

function squareRoot(value: Value): Value {
  if (isNegative(value)) throw new ArithmeticProblem('not_real')
  return snapped(toDecimal(value).sqrt())
}

function rounded([value = 0n, places = 0n]: readonly Value[]): Value {
  const count = Number(whole(places))
  if (Math.abs(count) > MOST_PLACES) throw new ArithmeticProblem('undefined')
  if (typeof value === 'bigint' && count >= 0) return value
  const scale = new Exact(10).pow(count)
  return checked(toDecimal(value).times(scale).round().div(scale))
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

function commonDivisor(left: bigint, right: bigint): bigint {
  if (bitsOf(left) > MOST_COMMON_BITS || bitsOf(right) > MOST_COMMON_BITS) throw new ArithmeticProblem('too_large')
  let [larger, smaller] = [magnitude(left), magnitude(right)]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

function commonMultiple(left: bigint, right: bigint): bigint {
  if (left === 0n || right === 0n) return 0n
  return magnitude((left / commonDivisor(left, right)) * right)
}

const wholes = (compute: (left: bigint, right: bigint) => bigint): Calculation =>
  many((values) => values.map(whole).reduce(compute))

const sum = (values: readonly Value[]): Value => values.reduce(add, 0n)

const pick = (isBetter: (left: Decimal, right: Decimal) => boolean): Calculation =>
  many((values) => values.reduce((best, value) => (isBetter(toDecimal(value), toDecimal(best)) ? value : best)))

// Factorials are exact up to 5000!, then computed with Stirling's series up to 1,000,000!.

const MOST_EXACT_FACTORIAL = 5_000n
const MOST_FACTORIAL = 1_000_000n
const LONGEST_PRODUCT = 5_000n
const MOST_BITS = 200_000n
/** The logarithm of 1,000,000! has eight digits before the point, which the result loses in precision. */
const Precise = Exact.clone({ precision: 60 })
/** B(2k) / (2k (2k - 1)): for numbers over 5,000, this many terms give more correct digits than we keep. */
const STIRLING: readonly (readonly [number, number])[] = [
  [1, 12],
  [-1, 360],
  [1, 1260],
  [-1, 1680],
  [1, 1188],
  [-691, 360_360],
  [1, 156],
]

function factorial(n: bigint): Value {
  if (n < 0n) throw new ArithmeticProblem('undefined')
  if (n > MOST_FACTORIAL) throw new ArithmeticProblem('too_large')
  return n <= MOST_EXACT_FACTORIAL ? product(1n, n) : stirling(Number(n))
}

/** Multiplies every other factor: 5!! is 5 × 3 × 1. */
function doubleFactorial(n: bigint): bigint {
  if (n < 0n) throw new ArithmeticProblem('undefined')
  if (n > MOST_EXACT_FACTORIAL) throw new ArithmeticProblem('too_large')
  let result = 1n
  for (let factor = n; factor > 1n; factor -= 2n) result *= factor
  return result
}

/** Multiplies the whole numbers from `first` to `last`; halving keeps the factors similar in size: much faster. */
function product(first: bigint, last: bigint): bigint {
  if (first > last) return 1n
  if (last - first < 4n) {
    let result = first
    for (let factor = first + 1n; factor <= last; factor += 1n) result *= factor
    return result
  }
  const middle = (first + last) / 2n
  return product(first, middle) * product(middle + 1n, last)
}

function combinations(from: bigint, count: bigint): bigint {
  if (from < 0n || count < 0n) throw new ArithmeticProblem('undefined')
  if (count > from) return 0n
  const fewer = count < from - count ? count : from - count
  checkLength(from, fewer)
  return product(from - fewer + 1n, from) / product(1n, fewer)
}

function permutations(from: bigint, count: bigint): bigint {
  if (from < 0n || count < 0n) throw new ArithmeticProblem('undefined')
  if (count > from) return 0n
  checkLength(from, count)
  return product(from - count + 1n, from)
}

function checkLength(from: bigint, count: bigint): void {
  const isLong = count > LONGEST_PRODUCT || count * BigInt(bitsOf(from)) > MOST_BITS
  if (isLong) throw new ArithmeticProblem('too_large')
}

function stirling(n: number): Value {
  const number = new Precise(n)
  let logarithm = number.plus(0.5).times(number.ln()).minus(number)
  logarithm = logarithm.plus(Precise.acos(-1).times(2).ln().div(2))
  let odd = number
  for (const [above, below] of STIRLING) {
    logarithm = logarithm.plus(new Precise(above).div(odd.times(below)))
    odd = odd.times(n).times(n)
  }
  const decimal = logarithm.div(new Precise(10).ln())
  const mantissa = new Precise(10).pow(decimal.minus(decimal.floor()))
  return toDecimal(new Exact(`${mantissa.toSignificantDigits(40).toFixed()}e${decimal.floor().toFixed()}`))
}

export const FUNCTIONS: ReadonlyMap<string, Calculation> = new Map(
  Object.entries({
    sqrt: one(squareRoot),
    cbrt: real((value) => value.cbrt()),
    root: two(root),
    abs: one((value) => (isNegative(value) ? negate(value) : value)),
    floor: real((value) => value.floor()),
    ceil: real((value) => value.ceil()),
    trunc: real((value) => value.trunc()),
    round: { fewest: 1, most: 2, compute: rounded },
    ln: one(naturalLogarithm),
    log: { fewest: 1, most: 2, compute: logarithm },
    log10: one((value) => logarithm([value])),
    log2: one((value) => logarithm([value, 2n])),
    exp: growing((value) => value.exp()),
    sin: ofAngle((angle) => angle.sin()),
    cos: ofAngle((angle) => angle.cos()),
    tan: ofAngle((angle) => angle.tan()),
    asin: real((value) => value.asin()),
    acos: real((value) => value.acos()),
    atan: real((value) => value.atan()),
    sinh: growing((value) => value.sinh()),
    cosh: growing((value) => value.cosh()),
    tanh: growing((value) => value.tanh()),
    asinh: real((value) => value.asinh()),
    acosh: real((value) => value.acosh()),
    atanh: real((value) => value.atanh()),
    min: pick((left, right) => left.lt(right)),
    max: pick((left, right) => left.gt(right)),
    gcd: wholes(commonDivisor),
    lcm: wholes(commonMultiple),
    mod: two(modulo),
    pow: two(power),
    sum: many(sum),
    mean: many((values) => divide(sum(values), BigInt(values.length))),
    factorial: one((value) => factorial(whole(value))),
    doublefactorial: one((value) => doubleFactorial(whole(value))),
    ncr: two((from, count) => combinations(whole(from), whole(count))),
    npr: two((from, count) => permutations(whole(from), whole(count))),
  }),
)
