// The calculator's functions. Angles are in radians unless marked with `°`. The list is closed: a query can't name
// anything else.
import { type Decimal, Exact } from '../../lib/numbers.ts'
import {
  ArithmeticProblem,
  add,
  bitsOf,
  checkLimits,
  divide,
  isNegative,
  modulo,
  negate,
  power,
  snapToWhole,
  toDecimal,
  toWhole,
  type Value,
} from './values.ts'

export interface MathFunction {
  minArguments: number
  maxArguments: number
  compute: (values: readonly Value[]) => Value
}

const MAX_ARGUMENTS = 60
const LARGEST_ANGLE = new Exact('1e20')
const LARGEST_POWER = new Exact('2.3e9')
const TINY = new Exact('1e-35')
const HUGE = new Exact('1e20')
const MAX_DECIMAL_PLACES = 30
/** Euclid's algorithm takes about as many steps as its numbers have bits. */
const MAX_DIVISOR_BITS = 2_000

export const PI = new Exact('3.1415926535897932384626433832795028841971693993751')

const unary = (compute: (value: Value) => Value): MathFunction => ({
  minArguments: 1,
  maxArguments: 1,
  compute: ([value = 0n]) => compute(value),
})
const variadic = (compute: (values: readonly Value[]) => Value): MathFunction => ({
  minArguments: 1,
  maxArguments: MAX_ARGUMENTS,
  compute,
})
const binary = (compute: (left: Value, right: Value) => Value): MathFunction => ({
  minArguments: 2,
  maxArguments: 2,
  compute: ([left = 0n, right = 0n]) => compute(left, right),
})
const unaryDecimal = (compute: (value: Decimal) => Decimal): MathFunction =>
  unary((value) => snapToWhole(compute(toDecimal(value))))

/** A trigonometric function: results close to zero become zero, and huge ones are undefined. */
const trigonometric = (compute: (angle: Decimal) => Decimal): MathFunction =>
  unary((value) => {
    const angle = toDecimal(value)
    if (angle.abs().gt(LARGEST_ANGLE)) throw new ArithmeticProblem('too_large')
    const result = compute(angle)
    if (result.abs().gt(HUGE)) throw new ArithmeticProblem('undefined')
    return result.abs().lt(TINY) ? 0n : snapToWhole(result)
  })

const exponential = (compute: (value: Decimal) => Decimal): MathFunction =>
  unary((value) => {
    const exponent = toDecimal(value)
    if (exponent.abs().gt(LARGEST_POWER)) throw new ArithmeticProblem('too_large')
    return snapToWhole(compute(exponent))
  })

const requireWhole = (value: Value): bigint => {
  const exact = toWhole(value)
  if (exact === undefined) throw new ArithmeticProblem('undefined')
  return exact
}

function logarithm([value = 0n, base = 10n]: readonly Value[]): Value {
  const [number, root] = [toDecimal(value), toDecimal(base)]
  if (number.lte(0) || root.lte(0) || root.eq(1)) throw new ArithmeticProblem('undefined')
  return snapToWhole(number.log(root))
}

function naturalLogarithm(value: Value): Value {
  const number = toDecimal(value)
  if (number.lte(0)) throw new ArithmeticProblem('undefined')
  return snapToWhole(number.ln())
}

function root(value: Value, degree: Value): Value {
  const steps = requireWhole(degree)
  if (steps === 0n) throw new ArithmeticProblem('undefined')
  if (!isNegative(value)) return power(value, divide(1n, steps))
  if (steps % 2n === 0n) throw new ArithmeticProblem('not_real')
  return negate(power(negate(value), divide(1n, steps)))
}

function squareRoot(value: Value): Value {
  if (isNegative(value)) throw new ArithmeticProblem('not_real')
  return snapToWhole(toDecimal(value).sqrt())
}

function roundTo([value = 0n, places = 0n]: readonly Value[]): Value {
  const count = Number(requireWhole(places))
  if (Math.abs(count) > MAX_DECIMAL_PLACES) throw new ArithmeticProblem('undefined')
  if (typeof value === 'bigint' && count >= 0) return value
  const scale = new Exact(10).pow(count)
  return checkLimits(toDecimal(value).times(scale).round().div(scale))
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

function commonDivisor(left: bigint, right: bigint): bigint {
  if (bitsOf(left) > MAX_DIVISOR_BITS || bitsOf(right) > MAX_DIVISOR_BITS) throw new ArithmeticProblem('too_large')
  let [larger, smaller] = [magnitude(left), magnitude(right)]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

function commonMultiple(left: bigint, right: bigint): bigint {
  if (left === 0n || right === 0n) return 0n
  return magnitude((left / commonDivisor(left, right)) * right)
}

const variadicWhole = (compute: (left: bigint, right: bigint) => bigint): MathFunction =>
  variadic((values) => values.map(requireWhole).reduce(compute))

const sum = (values: readonly Value[]): Value => values.reduce(add, 0n)

/** The middle value, or the mean of the middle two. */
function median(values: readonly Value[]): Value {
  const sorted = values.toSorted((left, right) => toDecimal(left).cmp(toDecimal(right)))
  const upper = sorted[sorted.length >> 1] ?? 0n
  const lower = sorted[(sorted.length - 1) >> 1] ?? 0n
  return divide(add(lower, upper), 2n)
}

const pick = (isBetter: (left: Decimal, right: Decimal) => boolean): MathFunction =>
  variadic((values) => values.reduce((best, value) => (isBetter(toDecimal(value), toDecimal(best)) ? value : best)))

// Factorials are exact up to 5000!, then computed with Stirling's series up to 1,000,000!.

const MAX_EXACT_FACTORIAL = 5_000n
const MAX_FACTORIAL = 1_000_000n
const MAX_FACTORS = 5_000n
const MAX_PRODUCT_BITS = 200_000n
/** The logarithm of 1,000,000! has eight digits before the point, and the result has that many fewer correct digits. */
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
  if (n > MAX_FACTORIAL) throw new ArithmeticProblem('too_large')
  return n <= MAX_EXACT_FACTORIAL ? product(1n, n) : stirling(Number(n))
}

/** Multiplies every other factor: 5!! is 5 × 3 × 1. */
function doubleFactorial(n: bigint): bigint {
  if (n < 0n) throw new ArithmeticProblem('undefined')
  if (n > MAX_EXACT_FACTORIAL) throw new ArithmeticProblem('too_large')
  let result = 1n
  for (let factor = n; factor > 1n; factor -= 2n) result *= factor
  return result
}

/** Multiplies the whole numbers from `first` to `last`. Halving the range keeps the factors similar in size: faster. */
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
  const isLong = count > MAX_FACTORS || count * BigInt(bitsOf(from)) > MAX_PRODUCT_BITS
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

export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map(
  Object.entries({
    sqrt: unary(squareRoot),
    cbrt: unaryDecimal((value) => value.cbrt()),
    root: binary(root),
    abs: unary((value) => (isNegative(value) ? negate(value) : value)),
    floor: unaryDecimal((value) => value.floor()),
    ceil: unaryDecimal((value) => value.ceil()),
    trunc: unaryDecimal((value) => value.trunc()),
    round: { minArguments: 1, maxArguments: 2, compute: roundTo },
    ln: unary(naturalLogarithm),
    log: { minArguments: 1, maxArguments: 2, compute: logarithm },
    log10: unary((value) => logarithm([value])),
    log2: unary((value) => logarithm([value, 2n])),
    exp: exponential((value) => value.exp()),
    sin: trigonometric((angle) => angle.sin()),
    cos: trigonometric((angle) => angle.cos()),
    tan: trigonometric((angle) => angle.tan()),
    asin: unaryDecimal((value) => value.asin()),
    acos: unaryDecimal((value) => value.acos()),
    atan: unaryDecimal((value) => value.atan()),
    sinh: exponential((value) => value.sinh()),
    cosh: exponential((value) => value.cosh()),
    tanh: exponential((value) => value.tanh()),
    asinh: unaryDecimal((value) => value.asinh()),
    acosh: unaryDecimal((value) => value.acosh()),
    atanh: unaryDecimal((value) => value.atanh()),
    min: pick((left, right) => left.lt(right)),
    max: pick((left, right) => left.gt(right)),
    gcd: variadicWhole(commonDivisor),
    lcm: variadicWhole(commonMultiple),
    mod: binary(modulo),
    pow: binary(power),
    sum: variadic(sum),
    median: variadic(median),
    mean: variadic((values) => divide(sum(values), BigInt(values.length))),
    factorial: unary((value) => factorial(requireWhole(value))),
    doublefactorial: unary((value) => doubleFactorial(requireWhole(value))),
    ncr: binary((from, count) => combinations(requireWhole(from), requireWhole(count))),
    npr: binary((from, count) => permutations(requireWhole(from), requireWhole(count))),
  }),
)
