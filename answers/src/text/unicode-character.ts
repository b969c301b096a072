// Unicode characters: `U+2603`, `unicode ☃`, `ascii code for A`, `ascii 65`. `unicode error python`, `ascii art` and
// `degree symbol` are ordinary searches and stay unanswered. The names are loaded on first use.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

const CODE = /^(?:what is )?(?:(?:unicode|character|char|codepoint|code point)\s+)?(?:u\+|\\u\{?|0x)([\da-f]{2,6})\}?$/i
const BARE_CODE = /^(?:what is )?(?:u\+|\\u\{?)[\da-f]{4,6}\}?$/i
const HEX_AFTER_UNICODE = /^unicode\s+(?=\S*\d)([\da-f]{4,6})$/i
const DECIMAL = /^ascii(?:\s+(?:code|character|char))?\s+(\d{2,3})$/i
const WORD = '(unicode|utf-8|utf8|ascii|codepoint|code point|character|char)'
const WHAT = '(\\s+(?:code|value|name|character|codepoint|code point|number))?'
const OF_CHARACTER = new RegExp(`^(?:what is (?:the )?)?${WORD}${WHAT}(\\s+(?:of|for))?\\s+(\\S{1,24})$`, 'iu')

/** The one character that can't be typed as an example of itself. */
const SPACE = /^(?:what is (?:the )?)?(?:ascii|unicode)(?: (?:code|value|number))? (?:of|for) (?:a )?space$/
const LAST_CODE = 0x10ffff
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
const LAST_ASCII = 0x7f
/** No emoji has more. */
const MAX_CODE_POINTS = 10

export const unicodeCharacter = defineAnswer({
  slug: 'unicode_character',
  title: 'Unicode character',
  summary: 'The name, number and encodings of a character or an emoji.',
  examples: [{ q: 'U+2603' }, { q: 'unicode ☃' }, { q: 'ascii code for A' }, { q: 'ascii 65' }],
  reply: z.object({
    character: z.string(),
    name: z.string(),
    code_points: z.array(z.string()),
    decimal: z.int().describe('The number of the first code point.'),
    utf8_hex: z.string(),
    html: z.string(),
  }),
  match({ asked, folded }) {
    if (!/^(?:u\+|\\u|0x|unicode|utf|ascii|code|char|what is)/.test(folded)) return null
    const hex = (CODE.exec(asked) ?? HEX_AFTER_UNICODE.exec(asked))?.[1]
    // Bare hexadecimal numbers are for other answers.
    if (hex !== undefined)
      return /^0x/i.test(asked) ? null : characterFromCode(Number.parseInt(hex, 16), BARE_CODE.test(asked))
    const decimal = DECIMAL.exec(asked)?.[1]
    if (decimal !== undefined) return Number(decimal) <= LAST_ASCII ? characterFromCode(Number(decimal), true) : null
    if (SPACE.test(folded)) return { character: ' ' }
    const [, word = '', what, of, text = ''] = OF_CHARACTER.exec(asked) ?? []
    // `unicode a` and `character number 5` may mean anything; `unicode ☃` and `ascii code for a` can't.
    const namesEncoding = /^(?:unicode|ascii|utf)/i.test(word) && (what !== undefined || of !== undefined)
    const asksAboutCharacter = namesEncoding || (of !== undefined && what !== undefined) || /^[^\p{L}\p{N}]/u.test(text)
    return asksAboutCharacter && isOneCharacter(text) ? { character: text } : null
  },
  async answer({ character }) {
    const { unicodeReadableName, unicodeSequenceName } = await import('unicode-name')
    const points = Array.from(character)
    const name = points.length > 1 ? unicodeSequenceName(character) : unicodeReadableName(character)
    const code_points = points.map(codeOf)
    // If a sequence has no name, name its parts.
    const fullName = name ?? points.map((point) => unicodeReadableName(point) ?? 'unnamed').join(' + ')
    const decimal = character.codePointAt(0) ?? 0
    const shown = /[\p{C}\p{Z}]/u.test(character) && points.length === 1 ? '' : `${character} `
    return {
      text: `${shown}${code_points.join(' ')} ${fullName}`,
      character,
      name: fullName,
      code_points,
      decimal,
      utf8_hex: Buffer.from(character).toString('hex'),
      html: points.map((point) => `&#${point.codePointAt(0)};`).join(''),
    }
  },
})

/** Half of a surrogate pair isn't a character. */
function characterFromCode(code: number, isExplicit: boolean): { character: string } | null {
  if (!isExplicit && code <= LAST_ASCII) return null
  if (code > LAST_CODE || (code >= FIRST_SURROGATE && code <= LAST_SURROGATE)) return null
  return { character: String.fromCodePoint(code) }
}

let graphemes: Intl.Segmenter | undefined

function isOneCharacter(text: string): boolean {
  if (Array.from(text).length > MAX_CODE_POINTS || !text.isWellFormed()) return false
  // Made when it is needed: it takes some milliseconds of a start.
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text)).length === 1
}

const codeOf = (point: string): string => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
