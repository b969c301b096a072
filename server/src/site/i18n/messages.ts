// The interface in four languages. English defines the type: a key missing from another language does not compile. A
// sentence with values is a function, so each language can order and inflect it as it needs to.
//
// Texts are in five files per language, by the pages they are on; one export of such a file is the texts of one area.
import { de } from './de/all.ts'
import { en, type Words } from './en/all.ts'
import { es } from './es/all.ts'
import { fr } from './fr/all.ts'

export const LOCALES = ['en', 'fr', 'de', 'es'] as const
export type Locale = (typeof LOCALES)[number]

export const DICTIONARIES: { readonly [Name in Locale]: Words } = { en, fr, de, es }

/** Each in its own language, so that readers find theirs. */
export const LOCALE_NAMES: { readonly [Name in Locale]: string } = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
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
