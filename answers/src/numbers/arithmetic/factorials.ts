// Factorials, combinations and permutations. Exact up to 5000!, then Stirling's series up to 1,000,000!.
import { Exact } from '../../lib/exact-decimal.ts'
import { ArithmeticProblem, bitsOf, toDecimal, type Value } from './values.ts'

const MOST_EXACT = 5_000n
const MOST = 1_000_000n
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

export function factorial(n: bigint): Value {
  if (n < 0n) throw new ArithmeticProblem('undefined')
  if (n > MOST) throw new ArithmeticProblem('too_large')
  return n <= MOST_EXACT ? product(1n, n) : stirling(Number(n))
}

/** Multiplies every other factor: 5!! is 5 × 3 × 1. */
export function doubleFactorial(n: bigint): bigint {
  if (n < 0n) throw new ArithmeticProblem('undefined')
  if (n > MOST_EXACT) throw new ArithmeticProblem('too_large')
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

export function combinations(from: bigint, count: bigint): bigint {
  if (from < 0n || count < 0n) throw new ArithmeticProblem('undefined')
  if (count > from) return 0n
  const fewer = count < from - count ? count : from - count
  checkLength(from, fewer)
  return product(from - fewer + 1n, from) / product(1n, fewer)
}

export function permutations(from: bigint, count: bigint): bigint {
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
