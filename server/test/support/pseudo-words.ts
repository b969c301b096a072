// Texts for checks of the layout, made from English: longer ones, as in Finnish or German, and ones that are written
// from right to left. They are only in tests; no reader can choose them.
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { type Locale, readTexts, type TextTree, type Words, wordsOf } from '../../src/site/i18n/messages.ts'

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'åå',
  e: 'éé',
  i: 'îî',
  o: 'öö',
  u: 'ûû',
  y: 'ýý',
  n: 'ñ',
  c: 'ç',
}

/** About 40 % longer: every vowel twice. */
const lengthened = (text: string): string => text.replace(/[aeiouync]/g, (letter) => ACCENTED[letter] ?? letter)

/** Each word between the characters that make browsers write it from right to left. */
const mirrored = (text: string): string => text.replace(/\S+/g, '\u202e$&\u202c')

function altered(elements: MessageFormatElement[], alter: (text: string) => string): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: alter(element.value) }
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return element
    const options = Object.entries(element.options).map(([form, { value }]) => [form, { value: altered(value, alter) }])
    return { ...element, options: Object.fromEntries(options) }
  })
}

const alteredTree = (texts: TextTree, alter: (text: string) => string): TextTree =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      typeof text === 'string' ? printAST(altered(parse(text, { ignoreTag: true }), alter)) : alteredTree(text, alter),
    ]),
  )

/** Under codes of languages that the website doesn't have, so that `Intl` and the direction are those of a language. */
export const PSEUDO_LANGUAGES = ['eo', 'ar'] as const

export function pseudoWords(language: (typeof PSEUDO_LANGUAGES)[number]): Words {
  const texts = alteredTree(readTexts('en'), language === 'ar' ? mirrored : lengthened)
  // The website knows no such language, and its words are made from those of English, which the type describes.
  return wordsOf(texts, { locale: language as unknown as Locale, own: texts }) as unknown as Words
}
