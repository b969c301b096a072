// The texts of the website. They are JSON files, a folder for each language; `README.md` beside this file says how they
// are written. English is complete, and its files are the type; what another language lacks is shown in English. A
// language is read when it is first asked for.
import { readdirSync, readFileSync } from 'node:fs'
import { memoize } from '../../text/memoize.ts'
import type accounts from './en/accounts.json'
import type appearance from './en/appearance.json'
import type converters from './en/converters.json'
import type feeds from './en/feeds.json'
import type finding from './en/finding.json'
import type images from './en/images.json'
import type papers from './en/papers.json'
import type people from './en/people.json'
import type ranking from './en/ranking.json'
import type region from './en/region.json'
import type search from './en/search.json'
import type settings from './en/settings.json'
import type site from './en/site.json'
import type sites from './en/sites.json'
import type software from './en/software.json'
import type tools from './en/tools.json'
import { compileMessage, type Message, type Values } from './message-format.ts'

/** Each has a folder beside this file. */
export const LANGUAGES = ['en', 'fr', 'de', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** A language as a region writes dates and numbers, such as `de-CH`; the words are those of the language. */
export type Locale = Language | `${Language}-${string}`

// The type says that a locale begins with a language.
export const languageOf = (locale: Locale): Language => locale.split('-', 1)[0] as Language

/** Texts as they are in the files. */
export interface TextTree {
  readonly [name: string]: string | TextTree
}

/** The files are read once: every dictionary of a language, and the English behind each, is made of the same texts. */
export const readTexts = memoize((language: Language): TextTree => {
  const folder = new URL(`./${language}/`, import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
})

type English = typeof accounts &
  typeof appearance &
  typeof converters &
  typeof feeds &
  typeof finding &
  typeof images &
  typeof papers &
  typeof people &
  typeof ranking &
  typeof region &
  typeof search &
  typeof settings &
  typeof site &
  typeof sites &
  typeof software &
  typeof tools

/**
 * A string, or a function of its values if the text has some. The compiler knows the names in a JSON file, but not its
 * texts: `texts-in-use.test.ts` checks that each is used as what it is, and with its values.
 */
type Text = string & Message

type WordsOf<Texts> = { readonly [Name in keyof Texts]: Texts[Name] extends string ? Text : WordsOf<Texts[Name]> }

/** The names are those of English. */
export type Words = WordsOf<English>

const dictionaries = new Map<string, Words>()

/** Locales that write numbers alike share their words, since there may be a hundred of one language. */
export function wordsIn(locale: Locale): Words {
  const style = `${languageOf(locale)} ${numberStyle(locale)}`
  const words = dictionaries.get(style) ?? buildWords(locale)
  dictionaries.set(style, words)
  return words
}

const numberStyle = memoize((locale: Locale): string => {
  const format = new Intl.NumberFormat(locale)
  return `${format.format(-1234)} ${format.format(1_234_567.8)}`
})

function buildWords(locale: Locale): Words {
  const language = languageOf(locale)
  const own = language === 'en' ? undefined : readTexts(language)
  // The type is that of the files of English.
  return wordsOf(readTexts('en'), { locale, own }) as unknown as Words
}

/** The text of a name that comes from elsewhere; undefined if there is none. */
export const findText = <Found>(texts: Readonly<Record<string, Found>>, name: string): Found | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined

export type WordTree = { [name: string]: string | Message | WordTree }

/** A text with values becomes a function of them. It is compiled when it is first used. */
export function wordsOf(english: TextTree, { locale, own }: { locale: Locale; own: TextTree | undefined }): WordTree {
  const words: WordTree = {}
  for (const [name, text] of Object.entries(english)) {
    const translated = own?.[name]
    if (typeof text === 'object')
      words[name] = wordsOf(text, { locale, own: typeof translated === 'object' ? translated : undefined })
    else if (typeof translated === 'string') words[name] = hasValues(text) ? lazily(translated, locale) : translated
    else words[name] = hasValues(text) ? lazily(text, languageOf(locale) === 'en' ? locale : 'en') : text
  }
  return words
}

export const hasValues = (text: string): boolean => text.includes('{')

function lazily(text: string, locale: Locale): Message {
  let message: Message | undefined
  return (values: Values) => {
    message ??= compileMessage(text, locale)
    return message(values)
  }
}

const LONGEST_HEADER = 500
const TAG = /^([a-z]{2})(?:-(?:[a-z]{2}|419))?$/i

/**
 * The reader's preferred language by `Accept-Language` out of the website's, English if none of them is, and their
 * region. `chosen`: the language is known, and only the region is looked for.
 */
export function localeFor(acceptLanguage: string | undefined, chosen: Language | '' = ''): Locale {
  const offered: readonly Language[] = chosen === '' ? LANGUAGES : [chosen]
  let [best, bestWeight]: [string, number] = [chosen || 'en', 0]
  for (const part of (acceptLanguage ?? '').slice(0, LONGEST_HEADER).split(',')) {
    const [written = '', ...parameters] = part.split(';')
    const [tag = '', base = ''] = TAG.exec(written.trim()) ?? []
    const weight = weightOf(parameters)
    if (weight > bestWeight && offered.some((language) => language === base.toLowerCase())) {
      ;[best, bestWeight] = [tag, weight]
    }
  }
  return knownLocale(best.toLowerCase())
}

/**
 * The locale without a region that `Intl` doesn't know. English without one is written as in Great Britain: instant
 * answers write dates with the day first, too.
 */
const knownLocale = memoize((tag: string): Locale => {
  const { locale } = new Intl.DateTimeFormat(tag).resolvedOptions()
  // Its language is one of ours.
  return locale === 'en' ? 'en-GB' : (locale as Locale)
})

function weightOf(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return written === undefined ? 1 : Number(written)
}
