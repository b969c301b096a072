// Evaluates an expression. A budget bounds the work: powers and functions are charged before they are computed, so no
// calculation of 256 characters takes longer than a few tens of milliseconds.
import { Exact } from '../../lib/numbers.ts'
import type { BinaryOperator, Expression, PostfixOperator } from './expression.ts'
import { FUNCTIONS, PI } from './functions.ts'
import {
  ArithmeticProblem,
  add,
  divide,
  floorDivide,
  modulo,
  multiply,
  negate,
  power,
  toDecimal,
  type Value,
} from './values.ts'

const BUDGET = 12_000
const FUNCTION_COST = 400
/** These compute a logarithm to many more digits. */
const COSTLY: ReadonlySet<string> = new Set(['asinh', 'acosh', 'atanh'])
const POWER_COST = 100
const MAX_RESULT_DIGITS = 30
const MAX_SHORT_DIGITS = 15
/** Relative rounding error of 40-digit arithmetic, which isn't part of the result. */
const NOISE = new Exact('1e-36')

const CONSTANTS: Readonly<Record<string, Value>> = {
  pi: PI,
  tau: PI.times(2),
  e: Exact.exp(1),
  phi: new Exact(5).sqrt().plus(1).div(2),
}

const OPERATIONS: Readonly<Record<BinaryOperator, (left: Value, right: Value) => Value>> = {
  '+': add,
  '-': (left, right) => add(left, negate(right)),
  '*': multiply,
  '/': divide,
  '//': floorDivide,
  mod: modulo,
  '^': power,
}

type Binary = Extract<Expression, { kind: 'binary' }>

export type Outcome = { ok: true; digits: string; isExact: boolean } | { ok: false; problem: ArithmeticProblem['kind'] }

/** `digits` is an exact decimal string, with an exponent if it is long. */
export function evaluate(expression: Expression): Outcome {
  try {
    const evaluation = new Evaluation()
    const value = evaluation.value(expression)
    const { digits, isExact } = toResult(value)
    return { ok: true, digits, isExact: isExact && !evaluation.hasLostDigits }
  } catch (error) {
    if (error instanceof ArithmeticProblem) return { ok: false, problem: error.kind }
    throw error
  }
}

/** Rounds to at most 30 digits, and turns a result that misses 0.5 only in the last of 40 digits into 0.5. */
function toResult(value: Value): { digits: string; isExact: boolean } {
  if (typeof value === 'bigint') return { digits: value.toString(), isExact: true }
  const given = value.toSignificantDigits(MAX_RESULT_DIGITS)
  const digits = given.toString().replace('e+', 'e')
  const isNoise = value.minus(given).abs().lte(value.abs().times(NOISE))
  return {
    digits,
    isExact: value.precision() <= MAX_RESULT_DIGITS || (given.precision() <= MAX_SHORT_DIGITS && isNoise),
  }
}

class Evaluation {
  /** An addend was too small for the digits we keep: 1 + 1e-50. */
  hasLostDigits = false
  #budget = BUDGET

  value(part: Expression): Value {
    switch (part.kind) {
      case 'number':
        return /^\d+$/.test(part.digits) ? BigInt(part.digits) : new Exact(part.digits)
      case 'constant':
        return CONSTANTS[part.name] ?? 0n
      case 'negate':
        return negate(this.value(part.of))
      case 'binary':
        return this.#binary(part)
      case 'share':
        return this.#share(this.value(part.percent), this.value(part.whole), part.isOff)
      case 'postfix':
        return this.#postfix(part.operator, this.value(part.of))
      case 'call':
        return this.#call(
          part.name,
          part.of.map((argument) => this.value(argument)),
        )
      default:
        throw part satisfies never
    }
  }

  #binary({ operator, left, right }: Binary): Value {
    const base = this.value(left)
    // 200 + 15% is 15% more than 200, not 200.15.
    if ((operator === '+' || operator === '-') && right.kind === 'postfix' && right.operator === '%') {
      const part = multiply(base, this.value(right))
      return add(base, operator === '+' ? part : negate(part))
    }
    const other = this.value(right)
    if (operator === '^') this.#spend(POWER_COST)
    if (operator === '+' || operator === '-')
      this.hasLostDigits ||= vanishesInSum(base, other) || vanishesInSum(other, base)
    return OPERATIONS[operator](base, other)
  }

  #share(percent: Value, whole: Value, isOff: boolean): Value {
    const part = multiply(percent, whole)
    return isOff ? add(whole, negate(part)) : part
  }

  #postfix(operator: PostfixOperator, value: Value): Value {
    if (operator === '%') return divide(value, 100n)
    if (operator === '°') return toDecimal(value).times(PI).div(180)
    return this.#call(operator === '!!' ? 'doublefactorial' : 'factorial', [value])
  }

  #call(name: string, values: readonly Value[]): Value {
    const isProduct = name.endsWith('factorial') || name === 'ncr' || name === 'npr'
    const largest = isProduct ? Math.max(...values.map((value) => Math.abs(Number(value.toString())))) : 0
    this.#spend(FUNCTION_COST * (COSTLY.has(name) ? 4 : 1) + Math.min(largest, BUDGET / 2 - FUNCTION_COST))
    return FUNCTIONS.get(name)?.compute(values) ?? 0n
  }

  #spend(cost: number): void {
    this.#budget -= cost
    if (this.#budget < 0) throw new ArithmeticProblem('too_large')
  }
}

/** Whether `small` vanishes in the sum. Two whole numbers are added exactly, however far apart. */
function vanishesInSum(small: Value, large: Value): boolean {
  if (typeof small === 'bigint' && typeof large === 'bigint') return false
  const [one, other] = [toDecimal(small), toDecimal(large)]
  return !one.isZero() && one.abs().lt(other.abs().times(NOISE))
}
