// Morse code in both directions: `sos in morse code`, `morse code for hello`, and bare dots and dashes. `morse taper`,
// `inspector morse`, `morse code tattoo` and `morse code translator` are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { isSample, quoted, readPayload } from '../lib/payload.ts'

/** ITU-R M.1677, and the usual additions. */
const SIGNS = [
  'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...-',
  'w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. ,--..-- :---...',
  '?..--.. \'.----. /-..-. (-.--. )-.--.- ".-..-. =-...- +.-.-. @.--.-. !-.-.-- &.-... ;-.-.-. _..--.- $...-..-',
].join(' ')

const TO_CODE = new Map(SIGNS.split(' ').map((sign) => [sign.charAt(0), sign.slice(1)]))
// The two characters that the codes themselves are written with.
TO_CODE.set('.', '.-.-.-').set('-', '-....-')
const TO_LETTER = new Map([...TO_CODE].map(([letter, code]) => [code, letter]))

const CODE = 'morse(?:[- ]?code)?'
const VERB = '(?:(?:translate|convert|write|say|spell|what is)\\s+)?'
const IN_MORSE = new RegExp(`^${VERB}([\\s\\S]+?)\\s{1,5}(?:in|en|auf)\\s+${CODE}\\??$`, 'i')
/** Requires `code`, because `learn to morse` means something else. */
const TO_MORSE = new RegExp(`^${VERB}([\\s\\S]+?)\\s{1,5}(?:to|into|nach)\\s+morse[- ]?code\\??$`, 'i')
const TRANSLATE = /^(?:translate|convert)\s+([\s\S]+?)\s{1,5}(?:in)?to\s+morse$/i
const MORSE_FOR = new RegExp(`^(?:what is )?(?:the )?${CODE}\\s+(?:for|of)(\\s*:\\s*|\\s+)([\\s\\S]+?)\\??$`, 'i')
const AFTER_COLON = new RegExp(`^${CODE}(\\s*:\\s*)([\\s\\S]+)$`, 'i')
/** `morse sos`: only what people type to try it, because `morse` is a name and a drill's taper too. */
const AFTER_NAME = new RegExp(`^${CODE} ([a-z ]{2,12})$`, 'i')
const SIGN = '[.\\-·–—_/|]'
const DECODE = new RegExp(
  `^(?:(?:decode|translate|read)\\s+)?${CODE}(?:\\s+decode)?(?:\\s*:)?\\s{1,5}(${SIGN}(?: {0,3}${SIGN}){0,400})(?:\\s+to\\s+text)?$`,
  'i',
)
/** At least two groups of dots and dashes. */
const BARE = /^[.\-·–—]{1,6}(?:(?: | ?[/|] ?)[.\-·–—]{1,6}){1,120}$/

export const morse = defineAnswer({
  slug: 'morse',
  title: 'Morse code',
  summary: 'Converts text to Morse code and back.',
  examples: [{ q: 'sos in morse code' }, { q: 'morse code for hello world' }, { q: '.... . .-.. .-.. ---' }],
  reply: z.object({ direction: z.enum(['encode', 'decode']), input: z.string(), output: z.string() }),
  match({ asked, text: bare, folded }) {
    if (BARE.test(bare) && /[.·]/.test(bare) && /[-–—]/.test(bare)) return { isCode: true, input: bare }
    if (!folded.includes('morse')) return null
    const [, code] = DECODE.exec(asked) ?? []
    if (code !== undefined) return { isCode: true, input: code.trim() }
    const [, separator = '', text = ''] = MORSE_FOR.exec(asked) ?? AFTER_COLON.exec(asked) ?? []
    const [, textBefore = ''] = IN_MORSE.exec(asked) ?? TO_MORSE.exec(asked) ?? TRANSLATE.exec(asked) ?? []
    const [, sample = ''] = AFTER_NAME.exec(asked) ?? []
    if (isSample(sample)) return { isCode: false, input: sample }
    const input = readPayload(text || textBefore, { isCertain: separator.includes(':') })
    return input === null ? null : { isCode: false, input }
  },
  answer({ isCode, input }) {
    if (isCode) {
      const output = decode(input)
      return output === null
        ? null
        : { text: `${input} says ${quoted(output)}`, direction: 'decode' as const, input, output }
    }
    const output = encode(input)
    return output === null
      ? null
      : { text: `${quoted(input)} in Morse code: ${output}`, direction: 'encode' as const, input, output }
  },
})

/** Strips accents; `null` if a character has no code. */
function encode(text: string): string | null {
  const letters = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('’', "'")
  const words = letters.trim().split(/\s+/)
  const coded = words.map((word) => Array.from(word).map((letter) => TO_CODE.get(letter)))
  if (coded.flat().includes(undefined)) return null
  return coded.map((word) => word.join(' ')).join(' / ')
}

function decode(code: string): string | null {
  const plain = code.replace(/[·]/g, '.').replace(/[–—_]/g, '-').trim()
  const words = plain.split(/\s*[/|]\s*| {2,}/).map((word) => word.trim().split(' '))
  const letters = words.map((word) => word.map((sign) => TO_LETTER.get(sign)))
  if (letters.flat().includes(undefined)) return null
  return letters.map((word) => word.join('').toUpperCase()).join(' ')
}
