// Texts with values, in the part of ICU's message format that translators need: `{name}`, `{count, number}`, `plural`,
// `selectordinal` and `select`, `#`, and quoting by apostrophes. Plural forms and numbers are those of `Intl`.
// The tests hold every text against FormatJS, which would do the same in 20 times the time and 7 MB (docs/decisions/0039).
import { memoize } from '../../text/memoize.ts'

export type Values = Readonly<Record<string, string | number>>
export type Message = (values: Values) => string

type Choice = 'plural' | 'selectordinal' | 'select'

/** What is still to be read of a text. */
interface Reading {
  readonly text: string
  readonly locale: string
  at: number
}

/** Throws a SyntaxError that says where, if the text isn't a message. */
export function compileMessage(text: string, locale: string): Message {
  const reading = { text, locale, at: 0 }
  const message = readMessage(reading)
  if (reading.at < text.length) throw unexpected(reading)
  return message
}

/** As far as the text goes, or to the brace that closes the form it is in. `counted` is the value that `#` stands for. */
function readMessage(reading: Reading, counted?: string): Message {
  const parts: (string | Message)[] = []
  while (reading.at < reading.text.length && reading.text[reading.at] !== '}') {
    if (reading.text[reading.at] === '{') parts.push(readArgument(reading))
    else if (counted !== undefined && reading.text[reading.at] === '#') {
      reading.at += 1
      parts.push(numberOf(counted, reading.locale))
    } else parts.push(readLiteral(reading, counted !== undefined))
  }
  return (values) => parts.map((part) => (typeof part === 'string' ? part : part(values))).join('')
}

/** An apostrophe stands for itself, unless the next character is one that it quotes, up to the next apostrophe. */
function readLiteral(reading: Reading, isCounting: boolean): string {
  const special = isCounting ? '{}#' : '{}'
  const { text } = reading
  let literal = ''
  while (reading.at < text.length && !special.includes(text[reading.at] ?? '')) {
    const next = text[reading.at + 1] ?? ''
    if (text[reading.at] !== "'" || next === '' || !`${special}'`.includes(next)) {
      literal += text[reading.at]
      reading.at += 1
    } else if (next === "'") {
      literal += "'"
      reading.at += 2
    } else {
      const end = text.indexOf("'", reading.at + 1)
      literal += text.slice(reading.at + 1, end === -1 ? undefined : end)
      reading.at = end === -1 ? text.length : end + 1
    }
  }
  return literal
}

function readArgument(reading: Reading): Message {
  take(reading, /\{\s*/y)
  const name = take(reading, /\w+/y)
  const kind = take(reading, /\s*(?:,\s*\w+\s*)?/y).replace(/[\s,]/g, '')
  if (kind === '' || kind === 'number') {
    take(reading, /\}/y)
    return kind === '' ? (values) => String(requireValue(values, name)) : numberOf(name, reading.locale)
  }
  if (kind !== 'plural' && kind !== 'selectordinal' && kind !== 'select') throw unexpected(reading)
  take(reading, /,\s*/y)
  return readForms(reading, name, kind)
}

function readForms(reading: Reading, name: string, kind: Choice): Message {
  const forms = new Map<string, Message>()
  while (reading.text[reading.at] !== '}') {
    const form = take(reading, /(?:=\d+|\w+)\s*/y).trim()
    take(reading, /\{/y)
    forms.set(form, readMessage(reading, kind === 'select' ? undefined : name))
    take(reading, /\}\s*/y)
  }
  const other = forms.get('other')
  if (other === undefined) throw unexpected(reading)
  reading.at += 1
  if (kind === 'select') return (values) => (forms.get(String(requireValue(values, name))) ?? other)(values)
  const rules = new Intl.PluralRules(reading.locale, { type: kind === 'plural' ? 'cardinal' : 'ordinal' })
  return (values) => {
    const count = Number(requireValue(values, name))
    return (forms.get(`=${count}`) ?? forms.get(rules.select(count)) ?? other)(values)
  }
}

const numberFormat = memoize((locale: string) => new Intl.NumberFormat(locale))

function numberOf(name: string, locale: string): Message {
  const format = numberFormat(locale)
  return (values) => format.format(Number(requireValue(values, name)))
}

/** A page that forgets a value is mended, not shown with a hole: the compiler doesn't know the values of a text. */
function requireValue(values: Values, name: string): string | number {
  const value = values[name]
  if (value === undefined) throw new TypeError(`A text lacks its value “${name}”`)
  return value
}

function take(reading: Reading, pattern: RegExp): string {
  pattern.lastIndex = reading.at
  const found = pattern.exec(reading.text)?.[0]
  if (found === undefined) throw unexpected(reading)
  reading.at += found.length
  return found
}

const unexpected = ({ text, at }: Reading): SyntaxError =>
  new SyntaxError(`“${text}” is not a message: unexpected ${text[at] ?? 'end'} at ${at}`)
