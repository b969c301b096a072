import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accentColours, accentStylesheet, contrast, GROUNDS } from './accent-colours.ts'

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0')

/** All around the wheel, at several saturations and lightnesses, and the greys. */
function* palette(): Generator<string> {
  for (let hue = 0; hue < 360; hue += 12) {
    for (const saturation of [0, 0.5, 1]) {
      for (const lightness of [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
        const reach = saturation * Math.min(lightness, 1 - lightness)
        const channel = (offset: number) => {
          const at = (offset + hue / 30) % 12
          return hex(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
        }
        yield channel(0) + channel(8) + channel(4)
      }
    }
  }
}

describe.each(['light', 'dark'] as const)('the accent in the %s theme', (theme) => {
  const [paper] = GROUNDS[theme]
  const onButton = theme === 'light' ? 'ffffff' : paper

  /** Of text in it, and of text on a button in it. */
  const leastContrast = (accent: string): number =>
    Math.min(
      ...Object.values(accentColours(accent, theme)).flatMap((colour) =>
        [...GROUNDS[theme], onButton].map((ground) => contrast(colour, ground)),
      ),
    )

  it('is legible for every hue', () => {
    const faint = [...palette()].filter((accent) => leastContrast(accent) < 4.5)
    expect(faint).toEqual([])
  })

  it('is legible for any colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (colour) => {
        expect(leastContrast(colour.toString(16).padStart(6, '0'))).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('stands on the grounds of the stylesheet', () => {
    const tokens = readFileSync(new URL('../assets/tokens.css', import.meta.url), 'utf8')
    const grounds = ['paper', 'raised'].map((name) => {
      const [, light, dark] = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(tokens) ?? []
      return theme === 'light' ? light : dark
    })
    expect(grounds).toEqual(GROUNDS[theme])
  })
})

it('contrast is as WCAG defines it', () => {
  expect(contrast('000000', 'ffffff')).toBeCloseTo(21, 5)
  expect(contrast('777777', 'ffffff')).toBeCloseTo(4.48, 2)
})

it('a colour that is legible already stays as it is', () => {
  expect(accentColours('7a1fa2', 'light').rest).toBe('7a1fa2')
  expect(accentColours('ffe08a', 'dark').rest).toBe('ffe08a')
})

it('the stylesheet has nothing but the colours', () => {
  expect(accentStylesheet('7a1fa2')).toMatch(
    /^@layer tokens\{:root\{--blue:light-dark\(#\w{6}, #\w{6}\);--blue-hover:light-dark\(#\w{6}, #\w{6}\)\}\}$/,
  )
})
