import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from './i18n/messages.ts'
import {
  DEFAULT_PREFERENCES,
  DENSITIES,
  exportPreferences,
  importPreferences,
  type Preferences,
  preferencesOf,
  THEMES,
} from './preferences.ts'

const slots = fc
  .uniqueArray(fc.constantFrom('engine_a', 'engine_b', 'engine_c', 'engine_z'))
  .map((names) => names.sort())

const anyPreferences: fc.Arbitrary<Preferences> = fc.record({
  engines: slots,
  safe: fc.boolean(),
  lang: fc.constantFrom('', 'de', 'pt-BR', 'zh-Hant-TW', 'FR'),
  region: fc.constantFrom('', 'DE', 'US'),
  suggestions: fc.boolean(),
  cards: fc.boolean(),
  answersFirst: fc.boolean(),
  theme: fc.constantFrom(...THEMES),
  density: fc.constantFrom(...DENSITIES),
  newTab: fc.boolean(),
  keys: fc.boolean(),
  interfaceLocale: fc.constantFrom('' as const, ...LANGUAGES),
  translation: fc.constantFrom(undefined, { source: 'auto', target: 'de' }, { source: 'zh_Hans', target: 'pt-BR' }),
})

/** Characters that a cookie may hold as they are (RFC 6265). */
const COOKIE_TEXT = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

describe('preferences', () => {
  it('survive export and import, and the cookie, unchanged', () => {
    fc.assert(
      fc.property(anyPreferences, (preferences) => {
        const code = exportPreferences(preferences)
        expect(importPreferences(code)).toEqual(preferences)
        expect(preferencesOf(code)).toEqual(preferences)
        expect(code).toMatch(COOKIE_TEXT)
      }),
    )
  })

  it('reads as people can read it', () => {
    const dark: Preferences = { ...DEFAULT_PREFERENCES, engines: ['engine_a', 'engine_c'], theme: 'dark', lang: 'de' }
    expect(exportPreferences(dark)).toBe(
      'engines=engine_a.engine_c&safe=on&lang=de&suggestions=on&cards=on&answers_first=off&theme=dark&density=comfortable&new_tab=off&keys=on&interface=auto',
    )
  })

  it('any cookie gives valid preferences', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (cookie) => {
        const read = preferencesOf(cookie)
        expect(Object.keys(read).sort()).toEqual(Object.keys(DEFAULT_PREFERENCES).sort())
        expect(THEMES).toContain(read.theme)
      }),
    )
  })

  it.each([
    'theme=<script>',
    'safe=maybe',
    'engines=engine_a.evil',
    'lang=../../etc',
    'interface=xx',
    '__proto__=polluted&constructor=x&toString=y',
    `lang=${'a'.repeat(600)}`,
    '&&&===&',
  ])('a hostile cookie is ignored: %s', (cookie) => {
    expect(preferencesOf(cookie)).toEqual(DEFAULT_PREFERENCES)
  })

  it('the valid parts of a cookie are kept', () => {
    expect(preferencesOf('theme=dark&safe=maybe')).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' })
  })

  it.each(['', '   ', 'theme=dark&safe=maybe', 'theme', 'hello', 'theme=dark; path=/', 'x'.repeat(501)])(
    'a code that is not one is refused whole: %s',
    (code) => {
      expect(importPreferences(code)).toBeUndefined()
    },
  )

  it('a code may omit names, and have white space around it', () => {
    expect(importPreferences(' theme=light \n')).toEqual({ ...DEFAULT_PREFERENCES, theme: 'light' })
  })
})
