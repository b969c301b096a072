// Decides whether a text is meant to be calculated. Many computable texts are something else: `24/7`, `9/11`, `12/05`,
// `2024/25`, `555-1234`, `1920x1080`, `2010-2020`, `120/80`. They count only after a word that asks for a calculation,
// or with an equals sign. Otherwise there must be at least one sign that only calculations have.
import { type MathSymbol, TERM_ENDS, type Token } from './tokens.ts'

type SymbolToken = Extract<Token, { kind: 'symbol' }>

/** Functions that people write without brackets: `sqrt 16`. `max 5` and `round 2` are something else. */
const BARE_FUNCTIONS: ReadonlySet<string> = new Set(['sqrt', 'cbrt', 'sin', 'cos', 'tan', 'ln', 'log', 'log2', 'log10'])
const BINARY: ReadonlySet<string> = new Set(['+', '-', '*', '/', '//', '^', 'mod'])

export function isArithmetic(tokens: readonly Token[]): boolean {
  if (tokens.some((token, index) => isUneven(token, tokens[index - 1]))) return false
  return tokens.some((token, index) => isEvidence(token, index, tokens))
}

/** Whether there is anything to compute: not in `= 5`. */
export const hasOperation = (tokens: readonly Token[]): boolean =>
  tokens.some((token, index) => {
    if (token.kind === 'function') return true
    return token.kind === 'symbol' && !'(),'.includes(token.symbol) && (index > 0 || tokens.length > 2)
  })

/** `5 -3`, `1+ 12`: a binary operator with a space on one side only. */
function isUneven(token: Token, before: Token | undefined): boolean {
  if (token.kind !== 'symbol' || token.spacing !== 'uneven' || before === undefined) return false
  if (before.kind === 'symbol' && !TERM_ENDS.has(before.symbol)) return false
  return BINARY.has(token.symbol) && token.symbol !== '^'
}

type EvidenceTest = (token: SymbolToken, index: number, tokens: readonly Token[]) => boolean

/** Whether a sign is evidence of a calculation. Signs that aren't listed are no evidence. */
const EVIDENCE_TESTS: Readonly<Partial<Record<MathSymbol, EvidenceTest>>> = {
  of: () => true,
  off: () => true,
  '^': () => true,
  '//': () => true,
  '+': (_, index, tokens) => isBetweenTerms(index, tokens),
  '*': ({ written, spacing }) => written !== 'x' || spacing === 'spaced',
  '!': (_, index, tokens) => tokens.length > 2 || !isShoutedYear(tokens[index - 1]),
  '!!': (_, index, tokens) => tokens.length > 2 || !isShoutedYear(tokens[index - 1]),
  // Between two numbers it is the remainder; `5% 10%` is a list of something.
  '%': ({ spacing }, index, tokens) => spacing === 'spaced' && tokens[index + 1]?.kind === 'number',
  '-': (token, index, tokens) => isClearPair(token, index, tokens),
  '/': (token, index, tokens) => token.written === '÷' || isClearPair(token, index, tokens),
}

function isEvidence(token: Token, index: number, tokens: readonly Token[]): boolean {
  if (token.kind === 'function') return token.isExplicit || BARE_FUNCTIONS.has(token.name)
  // `2pi` and `2 × pi`, but not `pi 3`.
  if (token.kind === 'constant')
    return token.name !== 'e' && (tokens.some((other) => isOperator(other)) || tokens[index - 1]?.kind === 'number')
  if (token.kind !== 'symbol') return false
  if (token.symbol === '(') return bracketHasOperator(index, tokens)
  if (index === 0) return false
  // A word: `plus`, `durch`. Only `percent` and `degrees` are common in other texts.
  if (token.written.length > 2) return !',%°'.includes(token.symbol)
  return EVIDENCE_TESTS[token.symbol]?.(token, index, tokens) ?? false
}

const isOperator = (token: Token): boolean => token.kind === 'symbol' && BINARY.has(token.symbol)

const isBetweenTerms = (index: number, tokens: readonly Token[]): boolean => {
  const before = tokens[index - 1]
  return before !== undefined && (before.kind !== 'symbol' || TERM_ENDS.has(before.symbol))
}

/** `2024!` is an exclamation, not a factorial. */
const isShoutedYear = (token: Token | undefined): boolean =>
  token?.kind === 'number' && /^(?:19|20|21)\d\d$/.test(token.written)

/** `(5-3)` is a calculation in brackets, `(030)` an area code. */
function bracketHasOperator(index: number, tokens: readonly Token[]): boolean {
  const closing = tokens.findIndex((token, at) => at > index && token.kind === 'symbol' && token.symbol === ')')
  return tokens.slice(index + 1, closing < 0 ? undefined : closing).some((token, at) => at > 0 && isOperator(token))
}

/** A minus or slash between two numbers that aren't a range, a telephone number, a date, a season or a proportion. */
function isClearPair(token: SymbolToken, index: number, tokens: readonly Token[]): boolean {
  const [left, right] = [tokens[index - 1], tokens[index + 1]]
  if (left?.kind !== 'number' || right?.kind !== 'number')
    return token.spacing === 'spaced' && isBetweenTerms(index, tokens)
  const [first, second] = [left.written, right.written]
  if (/^0\d/.test(first) || /^0\d/.test(second)) return false
  const isWhole = /^\d+$/.test(first) && /^\d+$/.test(second)
  if (!isWhole) return token.spacing === 'spaced' || (token.symbol === '/' && tokens.length === 3)
  const pair = { first: Number(first), second: Number(second) }
  if (token.symbol === '-' && isTightDiscount(pair, index, tokens)) return true
  if (token.symbol === '-') return token.spacing === 'spaced' && !isRange(first, second)
  if (isSeason(pair) || isSaying(pair)) return false
  return token.spacing === 'spaced' || (tokens.length === 3 && !isProportion(pair))
}

interface Pair {
  first: number
  second: number
}

/** `100-20%` takes a fifth off; `10-20%` is a range. */
function isTightDiscount({ first, second }: Pair, index: number, tokens: readonly Token[]): boolean {
  const last = tokens[index + 2]
  return first > second && tokens.length === index + 3 && last?.kind === 'symbol' && last.symbol === '%'
}

const isYear = (number: number): boolean => number >= 1000 && number <= 2199

/** `2010 - 2020`, `555 - 1234`. */
const isRange = (first: string, second: string): boolean =>
  (isYear(Number(first)) && isYear(Number(second))) || (first.length === 3 && second.length === 4)

/** `2024/25`, `2024/2025`. */
const isSeason = ({ first, second }: Pair): boolean =>
  isYear(first) && (second === first + 1 || second === (first + 1) % 100)

/** `24/7`, `9/11`, `7/11`. */
const isSaying = ({ first, second }: Pair): boolean =>
  (first === 24 && second === 7) || (first === 9 && second === 11) || (first === 7 && second === 11)

/** Numbers around a slash: a date, a fraction, a case of a year (`2024/7`), `80/20`, a blood pressure, a tyre size. */
function isProportion({ first, second }: Pair): boolean {
  if (second === 0) return first > 99
  if (first <= 31 || first < second || isYear(first)) return true
  return first + second === 100 || (first >= 60 && first <= 400 && second >= 25 && second <= 150)
}
