// A reader's preferences, stored with their account, or without one in a cookie and nowhere else, in readable form:
// `engines=engine_a.engine_b&safe=off&lang=de&region=AT&suggestions=off&theme=dark&density=compact&interface=fr`. The settings page exports and
// imports the same text, so moving to another browser requires only copying one line.
//
// The cookie is untrusted, and anything invalid in it is ignored. An imported code is accepted or rejected as a whole,
// because half of a reader's settings would be of no use.
import { readLanguage } from '../search/read-filters.ts'
import { readRegion } from '../search/regions.ts'
import { LANGUAGES, type Language } from './i18n/messages.ts'

/** `contrast` follows the system between black on white and white on black. */
export const THEMES = ['auto', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]
export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

export interface Preferences {
  /** Names of engine slots, sorted and without duplicates; empty means all. */
  engines: readonly string[]
  safe: boolean
  /** Language of results as a BCP 47 tag, or '' for automatic. */
  lang: string
  /** The country whose results come first, as `DE`, or '' for none. */
  region: string
  /** Suggestions while typing, where they are offered. */
  suggestions: boolean
  /** Cards beside the results, from providers other than the engines. */
  cards: boolean
  /** Engines aren't asked what can be computed here, until the reader wants results. */
  answersFirst: boolean
  theme: Theme
  density: Density
  /** Results open in a new tab. */
  newTab: boolean
  /** Single keys do something, such as `j` and `k`. */
  keys: boolean
  /** Language of the interface, or '' for the browser's. */
  interfaceLocale: Language | ''
  /** The languages of the last translation; undefined before the first. */
  translation?: LanguagePair | undefined
}

export interface LanguagePair {
  /** A code of the backend, or `auto`. */
  source: string
  target: string
}

export const DEFAULT_PREFERENCES: Preferences = {
  engines: [],
  safe: true,
  lang: '',
  region: '',
  suggestions: true,
  cards: true,
  answersFirst: false,
  theme: 'auto',
  density: 'comfortable',
  newTab: false,
  keys: true,
  interfaceLocale: '',
}

const MAX_CODE_LENGTH = 500
const SLOT = /^engine_[a-z]$/
const LANGUAGE_PAIR = /^([\w-]{2,35})\.([\w-]{2,35})$/
const SWITCHES = new Map([
  ['on', true],
  ['off', false],
])

/** Parses the value of each name into the preference it sets; undefined for an invalid value. */
const PARSERS: Record<string, (value: string) => Partial<Preferences> | undefined> = {
  engines: (value) => ifDefined(readSlots(value), (engines) => ({ engines })),
  safe: (value) => ifDefined(SWITCHES.get(value), (safe) => ({ safe })),
  lang(value) {
    const lang = value === '' ? undefined : readLanguage(value)
    return lang === undefined ? undefined : { lang }
  },
  region: (value) => ifDefined(value === '' ? undefined : readRegion(value), (region) => ({ region })),
  suggestions: (value) => ifDefined(SWITCHES.get(value), (suggestions) => ({ suggestions })),
  cards: (value) => ifDefined(SWITCHES.get(value), (cards) => ({ cards })),
  answers_first: (value) => ifDefined(SWITCHES.get(value), (answersFirst) => ({ answersFirst })),
  theme: (value) =>
    ifDefined(
      THEMES.find((theme) => theme === value),
      (theme) => ({ theme }),
    ),
  density: (value) =>
    ifDefined(
      DENSITIES.find((density) => density === value),
      (density) => ({ density }),
    ),
  new_tab: (value) => ifDefined(SWITCHES.get(value), (newTab) => ({ newTab })),
  keys: (value) => ifDefined(SWITCHES.get(value), (keys) => ({ keys })),
  interface: (value) =>
    value === 'auto'
      ? { interfaceLocale: '' }
      : ifDefined(
          LANGUAGES.find((language) => language === value),
          (interfaceLocale) => ({ interfaceLocale }),
        ),
  translation(value) {
    const [, source, target] = LANGUAGE_PAIR.exec(value) ?? []
    return source && target ? { translation: { source, target } } : undefined
  },
}

/**
 * Exports everything, including defaults, so that a code means the same in a later version with other defaults. Languages
 * that couldn't be imported again are left out.
 */
export function exportPreferences(preferences: Preferences): string {
  const {
    engines,
    safe,
    lang,
    region,
    suggestions,
    cards,
    answersFirst,
    theme,
    density,
    newTab,
    keys,
    interfaceLocale,
    translation,
  } = preferences
  const pair = translation && `${translation.source}.${translation.target}`
  return [
    `engines=${engines.join('.') || 'all'}`,
    `safe=${onOrOff(safe)}`,
    `lang=${lang || 'auto'}`,
    ...(region === '' ? [] : [`region=${region}`]),
    `suggestions=${onOrOff(suggestions)}`,
    `cards=${onOrOff(cards)}`,
    `answers_first=${onOrOff(answersFirst)}`,
    `theme=${theme}`,
    `density=${density}`,
    `new_tab=${onOrOff(newTab)}`,
    `keys=${onOrOff(keys)}`,
    `interface=${interfaceLocale || 'auto'}`,
    ...(pair && LANGUAGE_PAIR.test(pair) ? [`translation=${pair}`] : []),
  ].join('&')
}

const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

/** Returns undefined for an invalid code. Preferences that the code leaves out get their defaults. */
export function importPreferences(code: string): Preferences | undefined {
  const trimmed = code.trim()
  if (trimmed === '' || trimmed.length > MAX_CODE_LENGTH) return undefined
  const parts = parseParts(trimmed)
  return parts.every((part) => part !== undefined) ? Object.assign({ ...DEFAULT_PREFERENCES }, ...parts) : undefined
}

/** Never fails: invalid parts of the cookie are ignored. */
export function preferencesOf(cookie: string | undefined): Preferences {
  if (cookie === undefined || cookie.length > MAX_CODE_LENGTH) return DEFAULT_PREFERENCES
  return Object.assign({ ...DEFAULT_PREFERENCES }, ...parseParts(cookie))
}

const parseParts = (text: string): (Partial<Preferences> | undefined)[] =>
  text.split('&').map((part) => {
    const at = part.indexOf('=')
    const name = part.slice(0, at)
    return at > 0 && Object.hasOwn(PARSERS, name) ? PARSERS[name]?.(part.slice(at + 1)) : undefined
  })

function readSlots(value: string): string[] | undefined {
  if (value === 'all') return []
  const names = value.split('.')
  return names.every((name) => SLOT.test(name)) ? [...new Set(names)].sort() : undefined
}

const ifDefined = <Value, Result>(value: Value | undefined, then: (value: Value) => Result): Result | undefined =>
  value === undefined ? undefined : then(value)
