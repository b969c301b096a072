// The parsed form of a calculation, and how it is written back. Writing it back shows how it was read: `6/2(1+2)`
// becomes `6 / 2 × (1 + 2)`.
import { languageOf, writeNumber } from '../../lib/numbers.ts'
import { percentSign } from '../../lib/write-text.ts'
import type { Language } from '../../question.ts'

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | 'mod' | '^'

export type PostfixOperator = '!' | '!!' | '%' | '°'

export type Expression =
  /** `digits` is an exact decimal string. */
  | { kind: 'number'; digits: string }
  | { kind: 'constant'; name: string }
  | { kind: 'negate'; of: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'postfix'; operator: PostfixOperator; of: Expression }
  /** `15% of 200`, or `15% off 200`. */
  | { kind: 'share'; percent: Expression; whole: Expression; isOff: boolean }
  | { kind: 'call'; name: string; of: readonly Expression[] }

const SYMBOLS: Readonly<Record<BinaryOperator, string>> = {
  '+': ' + ',
  '-': ' - ',
  '*': ' × ',
  '/': ' / ',
  '//': ' // ',
  mod: ' mod ',
  '^': '^',
}

/** How tightly an operator binds its operands; higher binds first. */
export const BINDING: Readonly<Record<BinaryOperator, number>> = {
  '+': 10,
  '-': 10,
  '*': 20,
  '/': 20,
  '//': 20,
  mod: 20,
  '^': 30,
}
export const SHARE_BINDING = 20
export const SIGN_BINDING = 25
const TIGHTEST_BINDING = 40

const OF: Readonly<Record<Language, string>> = {
  en: 'of',
  fr: 'de',
  de: 'von',
  es: 'de',
  it: 'di',
  pt: 'de',
  nl: 'van',
}
/** After a percentage that is taken off. */
const OFF: Readonly<Record<Language, string>> = {
  en: 'off',
  fr: 'de réduction sur',
  de: 'Rabatt auf',
  es: 'de descuento sobre',
  it: 'di sconto su',
  pt: 'de desconto sobre',
  nl: 'korting op',
}

const FUNCTION_NAMES: Readonly<Record<string, string>> = { ncr: 'nCr', npr: 'nPr' }
const CONSTANT_SIGNS: Readonly<Record<string, string>> = { pi: 'π', tau: 'τ', phi: 'φ' }

export function writeExpression(expression: Expression, locale: string): string {
  const language = languageOf(locale)
  const write = (part: Expression): string => {
    switch (part.kind) {
      case 'number':
        return writeNumber(part.digits, locale)
      case 'constant':
        return CONSTANT_SIGNS[part.name] ?? part.name
      case 'negate':
        return `-${within(part.of, SIGN_BINDING)}`
      case 'postfix':
        // (3!)! isn't the same as 3!!.
        return `${within(part.of, isFactorial(part.of) ? TIGHTEST_BINDING + 1 : TIGHTEST_BINDING)}${part.operator === '%' ? percentSign(language) : part.operator}`
      case 'share':
        return `${within(part.percent, SHARE_BINDING)} ${(part.isOff ? OFF : OF)[language]} ${within(part.whole, SHARE_BINDING + 1)}`
      case 'call':
        return writeCall(part.name, part.of.map(write))
      case 'binary': {
        const binding = BINDING[part.operator]
        const isPower = part.operator === '^'
        const left = within(part.left, isPower ? binding + 1 : binding)
        return `${left}${SYMBOLS[part.operator]}${within(part.right, isPower ? binding : binding + 1)}`
      }
      default:
        throw part satisfies never
    }
  }
  const within = (part: Expression, binding: number): string =>
    bindingOf(part) < binding ? `(${write(part)})` : write(part)
  return write(expression)
}

/** The unit of its trigonometric functions; `undefined`: it has none. It's degrees if every call contains a `°`. */
export function angleUnitOf(expression: Expression): 'radians' | 'degrees' | undefined {
  const calls = partsOf(expression).filter((part) => part.kind === 'call' && isTrigonometric(part.name))
  if (calls.length === 0) return undefined
  const isInDegrees = (call: Expression) =>
    partsOf(call).some((part) => part.kind === 'postfix' && part.operator === '°')
  return calls.every(isInDegrees) ? 'degrees' : 'radians'
}

const isFactorial = (part: Expression): boolean => part.kind === 'postfix' && part.operator.startsWith('!')

const isTrigonometric = (name: string): boolean => /^a?(?:sin|cos|tan)$/.test(name)

/** The expression and all of its subexpressions. */
function partsOf(part: Expression): Expression[] {
  switch (part.kind) {
    case 'negate':
    case 'postfix':
      return [part, ...partsOf(part.of)]
    case 'binary':
      return [part, ...partsOf(part.left), ...partsOf(part.right)]
    case 'share':
      return [part, ...partsOf(part.percent), ...partsOf(part.whole)]
    case 'call':
      return [part, ...part.of.flatMap(partsOf)]
    case 'number':
    case 'constant':
      return [part]
    default:
      throw part satisfies never
  }
}

/** Separates the arguments with semicolons if a number contains a comma. */
const writeCall = (name: string, values: readonly string[]): string =>
  `${FUNCTION_NAMES[name] ?? name}(${values.join(values.some((value) => value.includes(',')) ? '; ' : ', ')})`

function bindingOf(part: Expression): number {
  if (part.kind === 'binary') return BINDING[part.operator]
  if (part.kind === 'negate') return SIGN_BINDING
  if (part.kind === 'number') return /[-e]/.test(part.digits) ? SHARE_BINDING : TIGHTEST_BINDING
  return part.kind === 'share' ? SHARE_BINDING : TIGHTEST_BINDING
}
