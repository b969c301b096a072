// The operator's one colour, as the site needs it: for links and buttons in the light and in the dark theme, at rest and
// under the pointer. Wherever it would be too faint, it is mixed with black or white until text in it, and text on it, is
// legible: 4.5:1, as WCAG 2 asks. Every colour can be made so, hence none is refused.

const LEGIBLE = 4.5
const STEP = 0.01
/** How much darker or lighter it is under the pointer. */
const HOVER = 0.25

/** What text stands on, as in `site/assets/tokens.css`. Text on a button has the colour of the first. */
export const GROUNDS = {
  light: ['fbf9f4', 'ffffff'],
  dark: ['14130f', '1d1b16'],
} as const

const TOWARDS = { light: '000000', dark: 'ffffff' } as const

export interface AccentColours {
  /** Six hexadecimal digits. */
  rest: string
  hover: string
}

export function accentColours(accent: string, theme: keyof typeof GROUNDS): AccentColours {
  const isLegible = (colour: string) => GROUNDS[theme].every((ground) => contrast(colour, ground) >= LEGIBLE)
  let rest = accent
  for (let share = STEP; !isLegible(rest); share += STEP) rest = mix(accent, TOWARDS[theme], share)
  return { rest, hover: mix(rest, TOWARDS[theme], HOVER) }
}

/** Replaces the blue of `site/assets/tokens.css`. */
export function accentStylesheet(accent: string): string {
  const [light, dark] = [accentColours(accent, 'light'), accentColours(accent, 'dark')]
  const pair = (state: keyof AccentColours) => `light-dark(#${light[state]}, #${dark[state]})`
  return `@layer tokens{:root{--blue:${pair('rest')};--blue-hover:${pair('hover')}}}`
}

/** By WCAG 2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(colour: string, other: string, share: number): string {
  const others = channelsOf(other)
  return channelsOf(colour)
    .map((channel, at) => Math.round(channel + ((others[at] ?? 0) - channel) * Math.min(share, 1)))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')
}

const channelsOf = (colour: string): number[] => [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
