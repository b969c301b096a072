// Colours: `#1e90ff`, `rgb(30,144,255) to hex`, `color dodgerblue`, `hex code for teal`. Bare colour names (`red`,
// `tan`, `navy`), `the color purple`, `rgb keyboard` and hashtags are ordinary searches and stay unanswered.

import type { Color } from 'culori'
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { fold } from '../question.ts'

const SPACES = '(hex|rgb|hsl|hsv|hsb|hwb|cmyk|lab|lch|oklab|oklch|html|css)'
const WORDS = '(?:colou?r(?: code)?|(?:hex|html|css|web) colou?r(?: code)?|couleur|farbe|colore|cor|kleur)'
const HEX = '#[\\da-f]{3,8}'
const CALL = '(?:rgba?|hsla?|hsva?|hsba?|hwb|cmyk|lab|lch|oklab|oklch)\\([\\d\\s.,%/+°deg-]{5,60}\\)'
const NUMBERS = '(?:rgb|hsl|hsv|hsb|cmyk) \\d{1,3}%?(?:[ ,]{1,2}\\d{1,3}%?){2,3}'
const NAME = '[a-z]{3,20}'
const TO = `(?: (?:to|in|as|into) ${SPACES}(?: code| colou?r)?)?`

const SPACE_FIRST = new RegExp(`^${SPACES} to ${SPACES}:? (${HEX}|${CALL}|\\d{1,3}%?(?:[ ,]{1,2}\\d{1,3}%?){2,3})$`)
const VALUE = new RegExp(`^(${HEX}|${CALL}|${NUMBERS})${TO}$`)
const NAMED_VALUE = new RegExp(`^${WORDS}(?: (?:of|for))?:? (#?[\\da-f]{3,8}|${CALL}|${NAME})${TO}$`)
const WITH_SPACE = new RegExp(`^(?:convert )?(${NAME}) (?:to|in) (hex|rgb|hsl|hsv|hsb|cmyk|oklch)(?: code| colou?r)?$`)
const SPACE_OF = new RegExp(`^(hex|rgb|hsl|hsv|cmyk)(?: (?:code|value|colou?r|colou?r code))? (?:of|for) (${NAME})$`)
/** `color purple` is short for the title of a novel and its films. */
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
    if (value !== undefined) return isLikelyTag(value) ? null : readColour(value, target)
    const [, afterWord, space] = NAMED_VALUE.exec(folded) ?? []
    if (afterWord !== undefined) return NOT_AFTER_COLOUR.has(afterWord) ? null : readColour(afterWord, space)
    const [, from = '', to, given = ''] = SPACE_FIRST.exec(folded) ?? []
    if (given !== '') return readColour(/^\d/.test(given) ? `${from} ${given}` : given, to)
    const [, name, wanted] = WITH_SPACE.exec(folded) ?? []
    if (name !== undefined) return readColour(name, wanted)
    const [, wantedSpace, colourName] = SPACE_OF.exec(folded) ?? []
    return colourName === undefined ? null : readColour(colourName, wantedSpace)
  },
  answer: describeColour,
})

const ANY_VALUE = new RegExp(`^(?:#?[\\da-f]{3,8}|${CALL}|${NUMBERS}|${NAME})$`)

/** A colour in any notation, or by its CSS name. `null`: it isn't one. */
export async function describeAnyColour(text: string) {
  const folded = fold(text).trim()
  // Where only colours are meant, `fff` and `facade` are hex digits.
  for (const value of [folded, `#${folded}`]) {
    const read = ANY_VALUE.test(value) ? readColour(value, undefined) : null
    const found = read && (await describeColour(read))
    if (found) return found
  }
  return null
}

function readColour(value: string, target: string | undefined): ReadColour | null {
  const space = target?.replace('hsb', 'hsv').replace(/^(?:html|css)$/, 'hex') ?? ''
  if (/^[\da-f]+$/.test(value) && /\d/.test(value)) return readHex(value, space)
  if (value.startsWith('#')) return readHex(value.slice(1), space)
  if (value.startsWith('cmyk')) {
    const hex = cmykToHex(value)
    return hex === null ? null : { css: hex, written: value, target: space }
  }
  const numbers = /^(rgb|hsl|hsv|hsb) (.+)$/.exec(value)
  const css = numbers ? `${numbers[1]}(${numbers[2]})` : value
  return { css: css.replace(/^hsb/, 'hsv'), written: css, target: space }
}

const readHex = (digits: string, target: string): ReadColour | null =>
  [3, 4, 6, 8].includes(digits.length) ? { css: `#${digits}`, written: `#${digits}`, target } : null

/** `#123` is probably the number of an issue, and `#cafe` or `#decade` a hashtag. */
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

interface ReadColour {
  /** In the library's syntax. */
  css: string
  /** As typed. */
  written: string
  /** The requested space, or ''. */
  target: string
}

const MAX_PERCENT = 100
/** Values outside the screen's range by less than this are rounding errors. */
const ROUNDING_ERROR = 0.001

async function describeColour({ css, written, target }: ReadColour) {
  const culori = await import('culori')
  // The library would read `abc` or `facade` as hex digits.
  if (/^[a-z]+$/.test(css) && !Object.hasOwn(culori.colorsNamed, css)) return null
  const parsed = parse(culori.parse, css)
  const unclamped = parsed && culori.rgb(parsed)
  const rgb = unclamped && culori.clampRgb(unclamped)
  if (!parsed || !rgb) return null
  const isClamped = [unclamped.r, unclamped.g, unclamped.b].some(
    (part) => part < -ROUNDING_ERROR || part > 1 + ROUNDING_ERROR,
  )
  const alpha = rounded(rgb.alpha ?? 1, 3)
  const opaque = { ...rgb, alpha: 1 }
  const hex = alpha === 1 ? culori.formatHex(rgb) : culori.formatHex8(rgb)
  const forms = formsOf(culori, parsed, alpha)
  const name = alpha === 1 ? nameOf(culori.colorsNamed, culori.formatHex(rgb)) : ''
  return {
    text: textOf({ written, target, hex, name, forms, isClamped }),
    hex,
    name,
    alpha,
    is_clamped: isClamped,
    forms,
    contrast_with_white: rounded(culori.wcagContrast(opaque, 'white'), 2),
    contrast_with_black: rounded(culori.wcagContrast(opaque, 'black'), 2),
  }
}

/** CSS has no notation for HSV, so we parse it ourselves. */
function parse(read: (css: string) => Color | undefined, css: string): Color | undefined {
  const [, h, s, v] = /^hsva?\(\s*([\d.]+)(?:deg|°)?[\s,]+([\d.]+)%?[\s,]+([\d.]+)%?\s*\)$/.exec(css) ?? []
  if (h === undefined) return read(css.replaceAll('°', 'deg'))
  if (Number(s) > MAX_PERCENT || Number(v) > MAX_PERCENT) return undefined
  return { mode: 'hsv', h: Number(h) % 360, s: Number(s) / 100, v: Number(v) / 100 }
}

type Culori = typeof import('culori')
type Forms = Record<'rgb' | 'hsl' | 'hsv' | 'hwb' | 'cmyk' | 'lab' | 'lch' | 'oklab' | 'oklch', string>

function formsOf(culori: Culori, colour: Color, alpha: number): Forms {
  const shown = culori.clampRgb(culori.rgb(colour))
  const [r, g, b] = [shown.r, shown.g, shown.b].map((part) => Math.round(part * 255))
  const { h, s, l } = culori.hsl(shown)
  const hsv = culori.hsv(shown)
  const hwb = culori.hwb(shown)
  const [lab, lch, oklab, oklch] = [culori.lab(shown), culori.lch(shown), culori.oklab(shown), culori.oklch(shown)]
  const slash = alpha === 1 ? '' : ` / ${alpha}`
  return {
    rgb: alpha === 1 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${alpha})`,
    hsl:
      alpha === 1
        ? `hsl(${degrees(h)}, ${percent(s)}, ${percent(l)})`
        : `hsla(${degrees(h)}, ${percent(s)}, ${percent(l)}, ${alpha})`,
    hsv: `hsv(${degrees(hsv.h)}, ${percent(hsv.s)}, ${percent(hsv.v)})`,
    hwb: `hwb(${degrees(hwb.h)} ${percent(hwb.w)} ${percent(hwb.b)}${slash})`,
    cmyk: toCmyk([shown.r, shown.g, shown.b]),
    lab: `lab(${rounded(lab.l, 2)}% ${rounded(lab.a, 2)} ${rounded(lab.b, 2)}${slash})`,
    lch: `lch(${rounded(lch.l, 2)}% ${rounded(lch.c, 2)} ${rounded(lch.h ?? 0, 2)}${slash})`,
    oklab: `oklab(${rounded(oklab.l, 4)} ${rounded(oklab.a, 4)} ${rounded(oklab.b, 4)}${slash})`,
    oklch: `oklch(${rounded(oklch.l, 4)} ${rounded(oklch.c, 4)} ${rounded(oklch.h ?? 0, 2)}${slash})`,
  }
}

const degrees = (hue: number | undefined): string => String(Math.round(hue ?? 0) % 360)
const percent = (share: number): string => `${Math.round(share * 100)}%`
/** Never returns -0. */
const rounded = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places + 0

/** CMYK has no correct formula, only this customary one that ignores ink and paper. */
function toCmyk(rgb: readonly number[]): string {
  const lightest = Math.max(...rgb)
  const inks = rgb.map((part) => (lightest === 0 ? 0 : (lightest - part) / lightest))
  return `cmyk(${[...inks, 1 - lightest].map(percent).join(', ')})`
}

/** `null`: not four percentages of at most 100. */
function cmykToHex(value: string): string | null {
  const shares = (value.match(/\d{1,3}(?:\.\d{1,5})?/g) ?? []).map((digits) => Number(digits) / 100)
  const [c, m, y, k] = shares
  if (c === undefined || m === undefined || y === undefined || k === undefined) return null
  if (shares.length !== 4 || shares.some((share) => share > 1)) return null
  const parts = [c, m, y].map((ink) => Math.round(255 * (1 - ink) * (1 - k)))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function nameOf(names: Readonly<Record<string, number>>, hex: string): string {
  const value = Number.parseInt(hex.slice(1), 16)
  return Object.keys(names).find((name) => names[name] === value) ?? ''
}

interface ColourText {
  written: string
  target: string
  hex: string
  name: string
  forms: Forms
  isClamped: boolean
}

function textOf({ written, target, hex, name, forms, isClamped }: ColourText): string {
  const wanted = new Map(Object.entries({ ...forms, hex })).get(target)
  if (wanted !== undefined && isClamped) return `${written} ≈ ${wanted} (out of range, clamped)`
  if (wanted !== undefined) return `${written} = ${wanted}`
  const all = [hex, forms.rgb, forms.hsl, name].filter(Boolean).join(' = ')
  return isClamped ? `${all} (${written} is out of range, clamped)` : all
}
