// Number bases: `255 in hex`, `0xff to decimal`, `ff hex to dec`, `1010 binary in decimal`, `255 to base 7`, `hex 255`,
// `0xff`. The query must name a number and a target base, or be a short number with a prefix: `0x80070005` (a Windows
// error), `hex 16` (a screw), `hex bolts m8`, `binary tree` are ordinary searches. Digits without a prefix or a base
// are decimal.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import type { Question } from '../question.ts'

const HINT = /hex|dec|dez|bin|oct|okt|ott|esa|bas|^0[xbo]/
const MAX_DIGITS = 200

/** Base names in seven languages: hexadecimal, Hexadezimal, esadecimale, hexadecimaal. */
const NAMES: readonly (readonly [RegExp, number])[] = [
  [/^(?:hex|hexa|hexadecimal|hexadezimal|hexadecimale|esadecimale|hexadecimaal)$/, 16],
  [/^(?:dec|decimal|dezimal|decimale|decimaal)$/, 10],
  [/^(?:oct|octal|oktal|octale|ottale|octaal)$/, 8],
  [/^(?:bin|binary|binar|binaire|binario|binair)$/, 2],
]
const PREFIXES: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 }
const LINK = '(?:to|in|into|as|en|a|nach|zu|em|para|naar|auf)'
const NAME = '([a-z]{3,11}|bas[ei]s? ?\\d{1,2})'
const NUMBER = '([-+]?(?:0x|0b|0o)?[0-9a-z]{1,200})'
const ASK = '(?:(?:convert|convertir|konvertiere|converti|converter|what is|convierte) )?'

const FORMS: readonly { pattern: RegExp; order: readonly ('number' | 'from' | 'to')[] }[] = [
  { pattern: new RegExp(`^${ASK}${NUMBER} ${LINK} ${NAME}$`), order: ['number', 'to'] },
  { pattern: new RegExp(`^${ASK}${NUMBER} (?:in )?${NAME} ${LINK} ${NAME}$`), order: ['number', 'from', 'to'] },
  { pattern: new RegExp(`^${ASK}${NAME} ${NUMBER} ${LINK} ${NAME}$`), order: ['from', 'number', 'to'] },
  { pattern: new RegExp(`^${ASK}${NUMBER} from ${NAME} to ${NAME}$`), order: ['number', 'from', 'to'] },
]

/** `hex 255` converts a decimal number of three digits or more to hex; `hex ff` reads a hex number. */
const BASE_FIRST = /^(hex|hexa|hexadecimal|hexadezimal) (?:(\d{3,30})|([\da-f]{2,16}))$/
/** `binary of 10`, `hex of 255`. */
const BASE_OF = /^(hex|hexadecimal|binary|octal) (?:of|for) (\d{1,30})$/
/** `binary 25`. `binary 10` could be either. */
const BINARY_FIRST = /^(binary) (\d{0,9}[2-9]\d{0,9})$/
/** Too short to be an error code. */
const PREFIXED = /^0(?:x[\da-f]{1,4}|b[01]{1,32}|o[0-7]{1,10})$/

interface BaseConversion {
  value: bigint
  digits: string
  from: number
  to: number
}

export const numberBase = defineAnswer({
  slug: 'number_base',
  title: 'Number bases',
  summary: 'Writes whole numbers of any size in another base, from 2 to 36.',
  examples: [
    { q: '255 in hex' },
    { q: '0xff' },
    { q: '0xff to decimal' },
    { q: '1010 binary to decimal' },
    { q: '255 to base 7' },
  ],
  reply: z.object({
    input: z.string(),
    from_base: z.int(),
    output: z.string(),
    to_base: z.int(),
    /** The number itself. */
    decimal: z.string(),
  }),
  match(question) {
    return HINT.test(question.folded) && question.words.length <= 8 ? readConversion(question) : null
  },
  answer({ value, digits, from, to }) {
    const output = value.toString(to).toUpperCase()
    return {
      text: `${digits} (base ${from}) = ${output} (base ${to})`,
      input: digits,
      from_base: from,
      output,
      to_base: to,
      decimal: value.toString(),
    }
  },
})

function readConversion({ folded }: Question): BaseConversion | null {
  const short = readShort(folded)
  if (short) return short
  for (const { pattern, order } of FORMS) {
    const found = pattern.exec(folded)
    if (found === null) continue
    const part = (name: 'number' | 'from' | 'to') => found[order.indexOf(name) + 1] ?? ''
    const to = baseNamed(part('to'))
    const from = order.includes('from') ? baseNamed(part('from')) : undefined
    if (to === undefined || (order.includes('from') && from === undefined)) continue
    const number = readDigits(part('number'), from)
    if (number && number.from !== to) return { ...number, to }
  }
  return null
}

function readShort(folded: string): BaseConversion | undefined {
  const [, name = '', counted = ''] = BASE_OF.exec(folded) ?? BINARY_FIRST.exec(folded) ?? []
  const to = baseNamed(name)
  if (to !== undefined) return { value: BigInt(counted), digits: counted, from: 10, to }
  const [, , decimal, hexadecimal] = BASE_FIRST.exec(folded) ?? []
  if (decimal !== undefined) return { value: BigInt(decimal), digits: decimal, from: 10, to: 16 }
  // Without a letter it could be either, and without a digit it could be a word: `hex bad`.
  const isHex = hexadecimal !== undefined && /\d/.test(hexadecimal) && /[a-f]/.test(hexadecimal)
  const number = isHex || hexadecimal === 'ff' ? readDigits(hexadecimal, 16) : undefined
  const prefixed = PREFIXED.test(folded) ? readDigits(folded, undefined) : undefined
  const read = number ?? prefixed
  return read && { ...read, to: 10 }
}

function baseNamed(name: string): number | undefined {
  const radix = /^bas[ei]s? ?(\d{1,2})$/.exec(name)?.[1]
  if (radix !== undefined) return Number(radix) >= 2 && Number(radix) <= 36 ? Number(radix) : undefined
  return NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

/** A prefix must agree with the base, if one is named. */
function readDigits(written: string, namedBase: number | undefined): Omit<BaseConversion, 'to'> | undefined {
  const isNegative = written.startsWith('-')
  const plain = written.replace(/^[-+]/, '')
  const prefix = PREFIXES[plain.slice(0, 2)]
  const from = namedBase ?? prefix ?? 10
  if (prefix !== undefined && prefix !== from) return undefined
  const digits = prefix === undefined ? plain : plain.slice(2)
  const value = valueIn(digits, from)
  if (value === undefined) return undefined
  return { value: isNegative ? -value : value, digits: `${isNegative ? '-' : ''}${digits.toUpperCase()}`, from }
}

function valueIn(digits: string, base: number): bigint | undefined {
  if (digits === '' || digits.length > MAX_DIGITS) return undefined
  let value = 0n
  for (const digit of digits) {
    const digitValue = Number.parseInt(digit, 36)
    if (Number.isNaN(digitValue) || digitValue >= base) return undefined
    value = value * BigInt(base) + BigInt(digitValue)
  }
  return value
}
