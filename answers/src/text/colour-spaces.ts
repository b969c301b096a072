// Converts a colour to every space. CMYK has no correct formula, only a customary one that ignores ink and paper.
import type { Color } from 'culori'

export interface ReadColour {
  /** In the library's syntax. */
  css: string
  /** As typed. */
  written: string
  /** The requested space, or ''. */
  target: string
}

/** Per cent. */
const FULL = 100
/** Values outside the screen's range by less than this are rounding errors. */
const ROUNDING = 0.001

export async function describeColour({ css, written, target }: ReadColour) {
  const culori = await import('culori')
  // The library would read `abc` or `facade` as hex digits.
  if (/^[a-z]+$/.test(css) && !Object.hasOwn(culori.colorsNamed, css)) return null
  const parsed = parse(culori.parse, css)
  const given = parsed && culori.rgb(parsed)
  const rgb = given && culori.clampRgb(given)
  if (!parsed || !rgb) return null
  const isClamped = [given.r, given.g, given.b].some((part) => part < -ROUNDING || part > 1 + ROUNDING)
  const alpha = rounded(rgb.alpha ?? 1, 3)
  const solid = { ...rgb, alpha: 1 }
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
    contrast_with_white: rounded(culori.wcagContrast(solid, 'white'), 2),
    contrast_with_black: rounded(culori.wcagContrast(solid, 'black'), 2),
  }
}

/** CSS has no notation for HSV, so we parse it ourselves. */
function parse(read: (css: string) => Color | undefined, css: string): Color | undefined {
  const [, h, s, v] = /^hsva?\(\s*([\d.]+)(?:deg|°)?[\s,]+([\d.]+)%?[\s,]+([\d.]+)%?\s*\)$/.exec(css) ?? []
  if (h === undefined) return read(css.replaceAll('°', 'deg'))
  if (Number(s) > FULL || Number(v) > FULL) return undefined
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

function toCmyk(rgb: readonly number[]): string {
  const lightest = Math.max(...rgb)
  const inks = rgb.map((part) => (lightest === 0 ? 0 : (lightest - part) / lightest))
  return `cmyk(${[...inks, 1 - lightest].map(percent).join(', ')})`
}

/** `null`: not four percentages of at most 100. */
export function cmykToHex(value: string): string | null {
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

interface Said {
  written: string
  target: string
  hex: string
  name: string
  forms: Forms
  isClamped: boolean
}

function textOf({ written, target, hex, name, forms, isClamped }: Said): string {
  const wanted = new Map(Object.entries({ ...forms, hex })).get(target)
  if (wanted !== undefined && isClamped) return `${written} ≈ ${wanted} (out of range, clamped)`
  if (wanted !== undefined) return `${written} = ${wanted}`
  const all = [hex, forms.rgb, forms.hsl, name].filter(Boolean).join(' = ')
  return isClamped ? `${all} (${written} is out of range, clamped)` : all
}
