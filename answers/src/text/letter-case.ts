// Letter case: `hello world to snake case`, `uppercase: hello`. `uppercase letters`, `camel case vs snake case` and
// `title case apa 7` are ordinary searches and stay unanswered: text after the name of a case must follow a colon or be
// in quotation marks. Upper and lower case follow the requested language (Turkish i).
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { oneLine, readPayload } from '../lib/payload.ts'

type Converter = (text: string, tag: string) => string

const upper: Converter = (text, tag) => text.toLocaleUpperCase(tag)
const lower: Converter = (text, tag) => text.toLocaleLowerCase(tag)
const capitalize: Converter = (word, tag) =>
  upper(word.slice(0, firstLetterLength(word)), tag) + lower(word.slice(firstLetterLength(word)), tag)
/** A letter beyond U+FFFF is two UTF-16 units long. */
const firstLetterLength = (word: string): number => ((word.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)

/** `parseHTMLFile v2` → parse, HTML, File, v2. */
const splitWords = (text: string): string[] =>
  text.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const joinWords =
  (separator: string, first: Converter, rest: Converter = first): Converter =>
  (text, tag) =>
    splitWords(text)
      .map((word, index) => (index === 0 ? first : rest)(word, tag))
      .join(separator)

const SMALL_WORDS = new Set('a an and as at but by for from in into nor of on or the to with'.split(' '))

const title: Converter = (text, tag) => {
  const words = text.split(' ')
  return words
    .map((word, index) => {
      const isInside = index > 0 && index < words.length - 1
      return isInside && SMALL_WORDS.has(word.toLowerCase()) ? word.toLowerCase() : capitalize(word, tag)
    })
    .join(' ')
}

const CASES: Readonly<Record<string, Converter>> = {
  upper,
  lower,
  title,
  sentence: capitalize,
  camel: joinWords('', lower, capitalize),
  pascal: joinWords('', capitalize),
  snake: joinWords('_', lower),
  kebab: joinWords('-', lower),
  constant: joinWords('_', upper),
}

const NAME = '(upper|lower|title|sentence|camel|pascal|snake|kebab|constant)'
const AFTER = new RegExp(
  `^(?:(?:convert|change|make|put)\\s+)?([\\s\\S]+?)\\s{1,5}(?:to|into)\\s+${NAME}[- ]?case$`,
  'i',
)
const CAPITALIZE = /^capitali[sz]e(\s*:\s*|\s+)([\s\S]+)$/i
const BEFORE = new RegExp(`^${NAME}[- ]?case(\\s*:\\s*|\\s+)([\\s\\S]+)$`, 'i')

export const letterCase = defineAnswer({
  slug: 'letter_case',
  title: 'Letter case',
  summary: 'Converts text to upper, lower, title, sentence, camel, Pascal, snake, kebab or constant case.',
  examples: [
    { q: 'hello world to uppercase' },
    { q: 'uppercase "hello"' },
    { q: 'convert user account id to camel case' },
    { q: 'title case: the old man and the sea' },
  ],
  reply: z.object({ case: z.string(), input: z.string(), output: z.string() }),
  match({ asked, folded }) {
    if (!/case|^capitali[sz]e/.test(folded)) return null
    const [, text = '', last = ''] = AFTER.exec(asked) ?? []
    if (last) {
      const input = readPayload(text)
      return input === null ? null : { name: last.toLowerCase(), input }
    }
    const [, colon = '', capitalized = ''] = CAPITALIZE.exec(asked) ?? []
    const words = readPayload(capitalized, { isCertain: colon.includes(':'), maxWords: 0 })
    if (words !== null) return { name: 'title', input: words }
    const [, first = '', separator = '', rest = ''] = BEFORE.exec(asked) ?? []
    const input = readPayload(rest, { isCertain: separator.includes(':'), maxWords: 0 })
    if (input === null) return null
    return { name: first.toLowerCase(), input }
  },
  answer({ name, input }, { question }) {
    const convert = CASES[name]
    // Case conversion throws for an invalid tag.
    const tag = /^[a-z]{2}$/i.test(question.tag.slice(0, 2)) ? question.tag.slice(0, 2).toLowerCase() : 'en'
    const output = convert?.(input, tag) ?? ''
    return output === '' ? null : { text: oneLine(output), case: name, input, output }
  },
})
