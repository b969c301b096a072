// A Pratt parser: turns tokens into an expression, or `undefined` if they aren't exactly one. Bounded to 200 nodes and
// a depth of 64. A number can't follow another term without an operator (`555 1234` and `(0) 20 7946` aren't products),
// but a bracket, a function or a constant can: `2(3+4)`, `3 sqrt(2)`, `2pi`.
import { readNumber } from '../../lib/numbers.ts'
import { BINDING, type BinaryOperator, type Expression, SHARE_BINDING, SIGN_BINDING } from './expression.ts'
import { FUNCTIONS } from './functions.ts'
import type { MathSymbol, Token } from './tokens.ts'

const MAX_NODES = 200
const MAX_DEPTH = 64

export function parseExpression(tokens: readonly Token[], locale: string): Expression | undefined {
  try {
    return new Parser(tokens, locale).parseAll()
  } catch (error) {
    if (error instanceof NotAnExpression) return undefined
    throw error
  }
}

class NotAnExpression extends Error {}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #locale: string
  #at = 0
  #nodes = 0
  #depth = 0

  constructor(tokens: readonly Token[], locale: string) {
    this.#tokens = tokens
    this.#locale = locale
  }

  parseAll(): Expression {
    const expression = this.#expression(0)
    if (this.#at < this.#tokens.length) throw new NotAnExpression()
    return expression
  }

  #expression(minBinding: number): Expression {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new NotAnExpression()
    let left = this.#prefix()
    for (let next = this.#extend(left, minBinding); next !== undefined; next = this.#extend(left, minBinding))
      left = next
    this.#depth -= 1
    return left
  }

  #prefix(): Expression {
    const token = this.#next()
    if (token.kind === 'number') return this.#countNode({ kind: 'number', digits: this.#digits(token.written) })
    if (token.kind === 'constant') return this.#countNode({ kind: 'constant', name: token.name })
    if (token.kind === 'function') return this.#call(token)
    if (token.symbol === '-') return this.#countNode({ kind: 'negate', of: this.#expression(SIGN_BINDING) })
    if (token.symbol === '+') return this.#expression(SIGN_BINDING)
    if (token.symbol !== '(') throw new NotAnExpression()
    const inner = this.#expression(0)
    this.#expect(')')
    return inner
  }

  #digits(written: string): string {
    const digits = readNumber(written, this.#locale)
    if (digits === undefined) throw new NotAnExpression()
    return digits
  }

  /** Extends `left` with the operator that follows, or returns `undefined` if none binds tightly enough. */
  #extend(left: Expression, minBinding: number): Expression | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || token.kind === 'number') return undefined
    if (token.kind !== 'symbol' || token.symbol === '(') return this.#impliedProduct(left, minBinding)
    const { symbol } = token
    if (symbol === '!' || symbol === '!!' || symbol === '°' || (symbol === '%' && !this.#startsTerm(this.#at + 1))) {
      this.#at += 1
      return this.#countNode({ kind: 'postfix', operator: symbol, of: left })
    }
    if (symbol === 'of' || symbol === 'off') return this.#share(left, { minBinding, isOff: symbol === 'off' })
    if (symbol === 'choose') return this.#choose(left, minBinding)
    const operator: MathSymbol = symbol === '%' ? 'mod' : symbol
    if (!isOperator(operator) || BINDING[operator] <= minBinding) return undefined
    this.#at += 1
    // Powers associate to the right: 2^3^2 is 2^9. Everything else associates to the left.
    const right = this.#expression(operator === '^' ? BINDING[operator] - 1 : BINDING[operator])
    return this.#countNode({ kind: 'binary', operator, left, right })
  }

  #impliedProduct(left: Expression, minBinding: number): Expression | undefined {
    if (BINDING['*'] <= minBinding) return undefined
    return this.#countNode({ kind: 'binary', operator: '*', left, right: this.#expression(BINDING['*']) })
  }

  #share(percent: Expression, { minBinding, isOff }: { minBinding: number; isOff: boolean }): Expression | undefined {
    if (percent.kind !== 'postfix' || percent.operator !== '%') throw new NotAnExpression()
    if (SHARE_BINDING <= minBinding) return undefined
    this.#at += 1
    return this.#countNode({ kind: 'share', percent, whole: this.#expression(SHARE_BINDING), isOff })
  }

  #choose(left: Expression, minBinding: number): Expression | undefined {
    if (SHARE_BINDING <= minBinding) return undefined
    this.#at += 1
    return this.#countNode({ kind: 'call', name: 'ncr', of: [left, this.#expression(SHARE_BINDING)] })
  }

  /** `max(1, 2)`, `sqrt 16`, `gcd of 12 and 18`. */
  #call({ name, isExplicit }: { name: string; isExplicit: boolean }): Expression {
    const known = FUNCTIONS.get(name)
    if (known === undefined) throw new NotAnExpression()
    const hasOf = this.#skip('of')
    const args = this.#skip('(')
      ? this.#list(known.maxArguments, ')')
      : this.#list(hasOf || isExplicit ? known.maxArguments : 1, undefined)
    if (args.length < known.minArguments || args.length > known.maxArguments) throw new NotAnExpression()
    return this.#countNode({ kind: 'call', name, of: args })
  }

  #list(maxArguments: number, closing: ')' | undefined): Expression[] {
    const minBinding = closing === undefined ? SIGN_BINDING - 1 : 0
    const parts = [this.#expression(minBinding)]
    while (parts.length < maxArguments && this.#skip(',')) parts.push(this.#expression(minBinding))
    if (closing !== undefined) this.#expect(closing)
    return parts
  }

  #startsTerm(at: number): boolean {
    const token = this.#tokens[at]
    return token !== undefined && (token.kind !== 'symbol' || token.symbol === '(')
  }

  #skip(symbol: MathSymbol): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'symbol' || token.symbol !== symbol) return false
    this.#at += 1
    return true
  }

  #expect(symbol: MathSymbol): void {
    if (!this.#skip(symbol)) throw new NotAnExpression()
  }

  #next(): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new NotAnExpression()
    this.#at += 1
    return token
  }

  #countNode(expression: Expression): Expression {
    this.#nodes += 1
    if (this.#nodes > MAX_NODES) throw new NotAnExpression()
    return expression
  }
}

const isOperator = (symbol: MathSymbol): symbol is BinaryOperator & MathSymbol => symbol in BINDING
