// Splits a calculation into tokens. Words become the symbols they stand for. Numbers are kept as written, because
// reading them depends on the language of words that may come later. Returns `undefined` if the text contains anything
// that isn't part of a calculation, which for nearly every query is its first word.
import type { Language } from '../../question.ts'
import { PHRASES, type SymbolPhrase } from './arithmetic-words.ts'
import { FUNCTIONS } from './functions.ts'

export type Token =
  | { kind: 'number'; written: string }
  | { kind: 'constant'; name: string }
  /** `isExplicit`: with a bracket, a root sign, or a whole phrase such as `square root of`. */
  | { kind: 'function'; name: string; isExplicit: boolean }
  | { kind: 'symbol'; symbol: MathSymbol; written: string; spacing: Spacing }

export type MathSymbol =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '^'
  | '%'
  | '!'
  | '!!'
  | '°'
  | '('
  | ')'
  | ','
  | 'of'
  | 'off'
  | 'mod'
  | 'choose'
/** The spaces around a symbol: `2 + 2`, `2+2`, or `2 +2`; a word is always `spaced`. */
export type Spacing = 'spaced' | 'tight' | 'uneven'

export interface Tokens {
  tokens: readonly Token[]
  /** The first language other than English whose words were used. */
  spoken: Language | ''
}

/** Symbols that end a term. */
export const TERM_ENDS: ReadonlySet<string> = new Set([')', '!', '!!', '%', '°'])

const CONSTANTS: ReadonlySet<string> = new Set(['pi', 'e', 'tau', 'phi'])
const CONSTANT_SIGNS: Readonly<Record<string, string>> = { π: 'pi', τ: 'tau', φ: 'phi' }

const SYMBOLS: Readonly<Record<string, MathSymbol>> = {
  '+': '+',
  '-': '-',
  '−': '-',
  '–': '-',
  '*': '*',
  '×': '*',
  '·': '*',
  '⋅': '*',
  '∙': '*',
  '/': '/',
  '÷': '/',
  '∕': '/',
  '^': '^',
  '%': '%',
  '!': '!',
  '°': '°',
  '(': '(',
  ')': ')',
  '[': '(',
  ']': ')',
  ';': ',',
  ',': ',',
}
const WORD_SYMBOLS: ReadonlySet<string> = new Set(['of', 'off', 'mod', 'choose'])

const MAX_TOKENS = 200
const WORD = /[a-z]{1,30}(?:'[a-z]{1,10})?/y
const FUNCTION_WITH_DIGITS = /(?:log10|log2|atan2)(?=[( ])/y
const BASED = /0(?:x[\da-f]{1,60}|b[01]{1,120}|o[0-7]{1,80})(?![\da-z])/y
const NUMBER = /(?:\d[\d.,'_]{0,58})?\d|[.,]\d{1,40}/y
const NUMBER_IN_CALL = /(?:\d[\d.]{0,58})?\d|\.\d{1,40}/y
const SPACE_GROUP = / \d{3}(?!\d)/y
const FRACTION = /[.,]\d{1,40}(?![\d.,])/y
const EXPONENT = /e[-+]?\d{1,4}(?![\da-z.])/y

/** `spoken`: the languages of the words before the calculation. */
export function tokensOf(text: string, lang: Language | '', spoken: readonly Language[]): Tokens | undefined {
  const reader = new TokenReader(text, lang, spoken)
  return reader.readAll() ? { tokens: reader.tokens, spoken: reader.spoken } : undefined
}

class TokenReader {
  readonly tokens: Token[] = []
  spoken: Language | '' = ''
  readonly #text: string
  readonly #lang: Language | ''
  readonly #spokenBefore: readonly Language[]
  #at = 0
  /** For each open bracket: whether a comma in it separates arguments; otherwise it belongs to a number. */
  readonly #commaSeparates: boolean[] = []

  constructor(text: string, lang: Language | '', spokenBefore: readonly Language[]) {
    this.#text = text
    this.#lang = lang
    this.#spokenBefore = spokenBefore
  }

  readAll(): boolean {
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === ' ') this.#at += 1
      else if (!this.#readOne() || this.tokens.length > MAX_TOKENS) return false
    }
    return this.tokens.length > 0
  }

  #readOne(): boolean {
    const char = this.#text[this.#at] ?? ''
    if (char >= '0' && char <= '9') return this.#readNumber()
    if (char >= 'a' && char <= 'z') return this.#readWord()
    if ((char === '.' || char === ',') && !this.#endsTerm() && this.#readNumber()) return true
    const constant = CONSTANT_SIGNS[char]
    if (constant !== undefined) return this.#push({ kind: 'constant', name: constant }, 1)
    if (char === '√') return this.#push({ kind: 'function', name: 'sqrt', isExplicit: true }, 1)
    return this.#readSymbol(char)
  }

  #readSymbol(char: string): boolean {
    const symbol = SYMBOLS[char]
    if (symbol === undefined) return false
    const next = this.#text[this.#at + 1]
    if (symbol === '(') this.#openBracket()
    if (symbol === ')') this.#commaSeparates.pop()
    if (char === '*' && next === '*') return this.#pushSymbol('^', 2)
    if (char === '/' && next === '/') return this.#pushSymbol('//', 2)
    // Three in a row are an exclamation.
    if (char === '!' && next === '!') return this.#text[this.#at + 2] !== '!' && this.#pushSymbol('!!', 2)
    return this.#pushSymbol(symbol, 1)
  }

  #openBracket(): void {
    const before = this.tokens.at(-1)
    const isCall = before?.kind === 'function'
    const takesOneArgument = isCall && FUNCTIONS.get(before.name)?.maxArguments === 1
    const closing = this.#text.indexOf(')', this.#at)
    const inside = this.#text.slice(this.#at, closing < 0 ? undefined : closing)
    this.#commaSeparates.push(isCall && !takesOneArgument && !inside.includes(';'))
  }

  #readNumber(): boolean {
    const based = this.#take(BASED, this.#at)
    if (based !== '') return this.#push({ kind: 'number', written: String(BigInt(based)) }, based.length)
    const commaSeparates = this.#commaSeparates.at(-1) === true
    let written = this.#take(commaSeparates ? NUMBER_IN_CALL : NUMBER, this.#at)
    if (written === '') return false
    if (!commaSeparates && /^\d{1,3}$/.test(written)) written += this.#spaceGroups(this.#at + written.length)
    written += this.#take(EXPONENT, this.#at + written.length)
    return this.#push({ kind: 'number', written }, written.length)
  }

  /** `1 234 567,8`: the groups after the first, and the fraction after them. */
  #spaceGroups(from: number): string {
    let groups = ''
    for (
      let group = this.#take(SPACE_GROUP, from);
      group !== '';
      group = this.#take(SPACE_GROUP, from + groups.length)
    ) {
      groups += group
    }
    return groups === '' ? '' : groups + this.#take(FRACTION, from + groups.length)
  }

  #readWord(): boolean {
    const withDigits = this.#take(FUNCTION_WITH_DIGITS, this.#at)
    const word = withDigits || this.#take(WORD, this.#at)
    const after = this.#at + word.length
    const hasBracket = this.#text[after] === '(' || (this.#text[after] === ' ' && this.#text[after + 1] === '(')
    const phrase = hasBracket ? undefined : PHRASES.get(word)?.find((known) => this.#isPhraseHere(known))
    if (FUNCTIONS.has(word) && phrase === undefined) {
      return this.#push({ kind: 'function', name: word, isExplicit: hasBracket }, word.length)
    }
    if (word === 'x' && this.#endsTerm()) return this.#pushSymbol('*', 1)
    // `3 e 5` is a list in Italian and Portuguese; the constant e never precedes another number.
    if (word === 'e' && /^ \d/.test(this.#text.slice(after, after + 2)) && this.#endsTerm())
      return this.#pushSymbol(',', 1)
    if (CONSTANTS.has(word)) return this.#push({ kind: 'constant', name: word }, word.length)
    const matched = phrase ?? PHRASES.get(word)?.find((known) => this.#isPhraseHere(known))
    return matched !== undefined && this.#pushPhrase(matched)
  }

  #isPhraseHere({ text, languages, isAmbiguous }: SymbolPhrase): boolean {
    const after = this.#text[this.#at + text.length] ?? ' '
    if (!this.#text.startsWith(text, this.#at) || (after >= 'a' && after <= 'z')) return false
    if (this.#lang === '') return !isAmbiguous || languages.some((language) => this.#spokenBefore.includes(language))
    return languages.includes(this.#lang) || languages.includes('en')
  }

  #pushPhrase({ text, symbols, languages }: SymbolPhrase): boolean {
    if (!languages.includes('en')) this.spoken ||= languages[0] ?? ''
    if (symbols === '') this.#at += text.length
    else if (FUNCTIONS.has(symbols) && !WORD_SYMBOLS.has(symbols))
      this.#push({ kind: 'function', name: symbols, isExplicit: true }, text.length)
    else if (symbols.length > 1 && symbols.startsWith('^')) {
      this.tokens.push({ kind: 'symbol', symbol: '^', written: text, spacing: 'spaced' })
      this.#push({ kind: 'number', written: symbols.slice(1) }, text.length)
    } else {
      const symbol = WORD_SYMBOLS.has(symbols) ? (symbols as MathSymbol) : SYMBOLS[symbols]
      if (symbol === undefined) return false
      this.#push({ kind: 'symbol', symbol, written: text, spacing: 'spaced' }, text.length)
    }
    return true
  }

  #take(pattern: RegExp, from: number): string {
    pattern.lastIndex = from
    return pattern.exec(this.#text)?.[0] ?? ''
  }

  /** Whether the last token could be the left side of an operator. */
  #endsTerm(): boolean {
    const last = this.tokens.at(-1)
    if (last === undefined || last.kind === 'function') return false
    return last.kind !== 'symbol' || TERM_ENDS.has(last.symbol)
  }

  #push(token: Token, length: number): true {
    this.tokens.push(token)
    this.#at += length
    return true
  }

  #pushSymbol(symbol: MathSymbol, length: number): true {
    const isAfterSpace = this.#text[this.#at - 1] === ' '
    const isBeforeSpace = this.#text[this.#at + length] === ' '
    const spacing = isAfterSpace !== isBeforeSpace ? 'uneven' : isAfterSpace ? 'spaced' : 'tight'
    return this.#push(
      { kind: 'symbol', symbol, written: this.#text.slice(this.#at, this.#at + length), spacing },
      length,
    )
  }
}
