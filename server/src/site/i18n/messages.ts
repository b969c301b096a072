// The texts of the website. They are JSON files, a folder for each language; `README.md` beside this file says how they
// are written. English is complete and defines the type (`words.ts`, generated); what another language lacks is shown
// in English. A language is read when it is first asked for.
import { readdirSync, readFileSync } from 'node:fs'
import { compileMessage, type Message, type Values } from './message-format.ts'
import type { Words } from './words.ts'

export const LOCALES = ['en', 'fr', 'de', 'es'] as const
export type Locale = (typeof LOCALES)[number]

/** Each in its own language, so that readers find theirs. */
export const LOCALE_NAMES: { readonly [Name in Locale]: string } = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
}

/** Texts as they are in the files. */
export interface TextTree {
  readonly [name: string]: string | TextTree
}

export function readTexts(locale: Locale): TextTree {
  const folder = new URL(`./${locale}/`, import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
}

const dictionaries = new Map<Locale, Words>()

export const wordsIn = (locale: Locale): Words =>
  dictionaries.getOrInsertComputed(
    locale,
    // English is what the type was generated from.
    () =>
      wordsOf(readTexts('en'), { locale, own: locale === 'en' ? undefined : readTexts(locale) }) as unknown as Words,
  )

type WordTree = { [name: string]: string | Message | WordTree }

/** A text with values becomes a function of them. It is compiled when it is first used. */
function wordsOf(english: TextTree, { locale, own }: { locale: Locale; own: TextTree | undefined }): WordTree {
  const words: WordTree = {}
  for (const [name, text] of Object.entries(english)) {
    const translated = own?.[name]
    if (typeof text === 'object')
      words[name] = wordsOf(text, { locale, own: typeof translated === 'object' ? translated : undefined })
    else if (typeof translated === 'string') words[name] = hasValues(text) ? lazily(translated, locale) : translated
    else words[name] = hasValues(text) ? lazily(text, 'en') : text
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

/** The reader's preferred language by `Accept-Language`, out of those available; English if none of them is. */
export function localeFor(acceptLanguage: string | undefined): Locale {
  let best: Locale = 'en'
  let bestWeight = 0
  for (const part of (acceptLanguage ?? '').slice(0, LONGEST_HEADER).split(',')) {
    const [tag = '', ...parameters] = part.split(';')
    const base = tag.trim().toLowerCase().split('-', 1)[0]
    const locale = LOCALES.find((candidate) => candidate === base)
    const weight = weightOf(parameters)
    if (locale && weight > bestWeight) [best, bestWeight] = [locale, weight]
  }
  return best
}

function weightOf(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
  return written === undefined ? 1 : Number(written)
}
