// The texts of the website. They are JSON files, a folder for each language; `README.md` beside this file says how they
// are written. English is complete and defines the type (`words.ts`, generated); what another language lacks is shown
// in English. A language is read when it is first asked for.
import { readdirSync, readFileSync } from 'node:fs'
import { compileMessage, type Message, type Values } from './message-format.ts'
import type { Words } from './words.ts'

/** Complete, which tests check, and read by people who speak them. */
export const REVIEWED = ['en', 'fr', 'de', 'es'] as const
/** Unreviewed, and shown in English where a text is missing. Readers get one only if they choose it. */
export const DRAFTS = ['it', 'pt', 'nl', 'pl'] as const
export const LANGUAGES = [...REVIEWED, ...DRAFTS] as const
export type Language = (typeof LANGUAGES)[number]

/** A language as a region writes dates and numbers, such as `de-CH`; the words are those of the language. */
export type Locale = Language | `${Language}-${string}`

// The type says that a locale begins with a language.
export const languageOf = (locale: Locale): Language => locale.split('-', 1)[0] as Language

/** Texts as they are in the files. */
export interface TextTree {
  readonly [name: string]: string | TextTree
}

const texts = new Map<Language, TextTree>()

/** The files are read once: every dictionary of a language, and the English behind each, is made of the same texts. */
export const readTexts = (language: Language): TextTree =>
  texts.getOrInsertComputed(language, () => readFiles(language))

function readFiles(language: Language): TextTree {
  const folder = new URL(`./${language}/`, import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
}

const dictionaries = new Map<string, Words>()

/** Locales that write numbers alike share their words, since there may be a hundred of one language. */
export const wordsIn = (locale: Locale): Words =>
  dictionaries.getOrInsertComputed(`${languageOf(locale)} ${numberStyle(locale)}`, () => buildWords(locale))

const numberStyles = new Map<Locale, string>()

const numberStyle = (locale: Locale): string =>
  numberStyles.getOrInsertComputed(locale, () => {
    const format = new Intl.NumberFormat(locale)
    return `${format.format(-1234)} ${format.format(1_234_567.8)}`
  })

function buildWords(locale: Locale): Words {
  const language = languageOf(locale)
  const own = language === 'en' ? undefined : readTexts(language)
  // English is what the type was generated from.
  return wordsOf(readTexts('en'), { locale, own }) as unknown as Words
}

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

const shares = new Map<Language, number>()

/** How much of the website is translated, from 0 to 1. */
export const translatedShare = (language: Language): number =>
  shares.getOrInsertComputed(language, () => countTexts(readTexts(language)) / countTexts(readTexts('en')))

const countTexts = (texts: TextTree): number =>
  Object.values(texts).reduce<number>((sum, text) => sum + (typeof text === 'string' ? 1 : countTexts(text)), 0)

const LONGEST_HEADER = 500
const TAG = /^([a-z]{2})(?:-(?:[a-z]{2}|419))?$/i

/**
 * The reader's preferred language by `Accept-Language` out of those that are reviewed, English if none of them is, and
 * their region. `chosen`: the language is known, and only the region is looked for.
 */
export function localeFor(acceptLanguage: string | undefined, chosen: Language | '' = ''): Locale {
  const offered: readonly Language[] = chosen === '' ? REVIEWED : [chosen]
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

const knownLocales = new Map<string, Locale>()

/**
 * The locale without a region that `Intl` doesn't know. English without one is written as in Great Britain: instant
 * answers write dates with the day first, too.
 */
const knownLocale = (tag: string): Locale =>
  knownLocales.getOrInsertComputed(tag, () => {
    const { locale } = new Intl.DateTimeFormat(tag).resolvedOptions()
    // Its language is one of ours.
    return locale === 'en' ? 'en-GB' : (locale as Locale)
  })

function weightOf(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return written === undefined ? 1 : Number(written)
}
