// Colours: `#1e90ff`, `rgb(30,144,255) to hex`, `color dodgerblue`, `hex code for teal`. Bare colour names (`red`,
// `tan`, `navy`), `the color purple`, `rgb keyboard` and hashtags are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { cmykToHex, describeColour, type ReadColour } from './colour-spaces.ts'

const SPACES = '(hex|rgb|hsl|hsv|hsb|hwb|cmyk|lab|lch|oklab|oklch|html|css)'
const WORDS = '(?:colou?r(?: code)?|(?:hex|html|css|web) colou?r(?: code)?|couleur|farbe|colore|cor|kleur)'
const HEX = '#[\\da-f]{3,8}'
const CALL = '(?:rgba?|hsla?|hsva?|hsba?|hwb|cmyk|lab|lch|oklab|oklch)\\([\\d\\s.,%/+°deg-]{5,60}\\)'
const NUMBERS = '(?:rgb|hsl|hsv|hsb|cmyk) \\d{1,3}%?(?:[ ,]{1,2}\\d{1,3}%?){2,3}'
const NAME = '[a-z]{3,20}'
const TO = `(?: (?:to|in|as|into) ${SPACES}(?: code| colou?r)?)?`

const VALUE = new RegExp(`^(${HEX}|${CALL}|${NUMBERS})${TO}$`)
const NAMED_VALUE = new RegExp(`^${WORDS}(?: (?:of|for))?:? (#?[\\da-f]{3,8}|${CALL}|${NAME})${TO}$`)
const WITH_SPACE = new RegExp(`^(?:convert )?(${NAME}) (?:to|in) (hex|rgb|hsl|hsv|hsb|cmyk|oklch)(?: code| colou?r)?$`)
const SPACE_OF = new RegExp(`^(hex|rgb|hsl|hsv|cmyk)(?: (?:code|value|colou?r|colou?r code))? (?:of|for) (${NAME})$`)
/** A film and a book whose title people shorten. */
const NOT_AFTER_COLOUR = new Set(['purple'])

export const colour = defineAnswer({
  slug: 'colour',
  title: 'Colour converter',
  summary:
    'A colour in hex, RGB, HSL, HSV, HWB, CMYK, Lab, LCH, OKLab and OKLCH, its CSS name, and its contrast with white and black.',
  examples: [
    { q: '#1e90ff' },
    { q: 'rgb(30,144,255) to hex' },
    { q: 'color dodgerblue' },
    { q: 'hsl(210 100% 56%) to rgb' },
    { q: 'hex code for teal' },
  ],
  reply: z.object({
    hex: z.string(),
    name: z.string().describe('The CSS name; empty when it has none.'),
    alpha: z.number(),
    is_clamped: z.boolean().describe('It lies outside what a screen shows, and the nearest that it shows is given.'),
    forms: z
      .object({
        rgb: z.string(),
        hsl: z.string(),
        hsv: z.string(),
        hwb: z.string(),
        cmyk: z.string(),
        lab: z.string(),
        lch: z.string(),
        oklab: z.string(),
        oklch: z.string(),
      })
      .describe('Each as it is written in CSS; CMYK as printers write it, without a colour profile.'),
    contrast_with_white: z.number().describe('WCAG contrast ratio, from 1 to 21.'),
    contrast_with_black: z.number().describe('WCAG contrast ratio, from 1 to 21.'),
  }),
  match({ folded }) {
    if (
      !/^#|^(?:rgb|hs[lvb]|hwb|cmyk|lab|lch|okl)|colo|couleur|farbe|cor |kleur|hex|html|css/.test(folded) &&
      !/ (?:to|in) (?:rgb|hs[lvb]|cmyk|oklch)/.test(folded)
    )
      return null
    const [, value, target] = VALUE.exec(folded) ?? []
    if (value !== undefined) return isLikelyTag(value) ? null : readOf(value, target)
    const [, named, space] = NAMED_VALUE.exec(folded) ?? []
    if (named !== undefined) return NOT_AFTER_COLOUR.has(named) ? null : readOf(named, space)
    const [, name, wanted] = WITH_SPACE.exec(folded) ?? []
    if (name !== undefined) return readOf(name, wanted)
    const [, first, of] = SPACE_OF.exec(folded) ?? []
    return of === undefined ? null : readOf(of, first)
  },
  answer: describeColour,
})

function readOf(value: string, target: string | undefined): ReadColour | null {
  const asked = target?.replace('hsb', 'hsv').replace(/^(?:html|css)$/, 'hex') ?? ''
  if (/^[\da-f]+$/.test(value) && /\d/.test(value)) return hexOf(value, asked)
  if (value.startsWith('#')) return hexOf(value.slice(1), asked)
  if (value.startsWith('cmyk')) {
    const hex = cmykToHex(value)
    return hex === null ? null : { css: hex, written: value, target: asked }
  }
  const numbers = /^(rgb|hsl|hsv|hsb) (.+)$/.exec(value)
  const css = numbers ? `${numbers[1]}(${numbers[2]})` : value
  return { css: css.replace(/^hsb/, 'hsv'), written: css, target: asked }
}

const hexOf = (digits: string, target: string): ReadColour | null =>
  [3, 4, 6, 8].includes(digits.length) ? { css: `#${digits}`, written: `#${digits}`, target } : null

/** `#123` is an issue and `#cafe` a place: short codes must look like colours, and words aren't colours. */
function isLikelyTag(value: string): boolean {
  if (!value.startsWith('#')) return false
  const digits = value.slice(1)
  if (digits.length === 4 || /^\d{8}$/.test(digits)) return true
  if (digits.length === 3) return /^\d+$/.test(digits) ? !/^(\d)\1\1$/.test(digits) : WORDS_IN_HEX.has(digits)
  return WORDS_IN_HEX.has(digits)
}

const WORDS_IN_HEX = new Set(
  'abc ace add bad bed bee cab cad dab dad fab fad fed fee accede beaded dabbed decade deface efface facade'.split(' '),
)
