// The interface in four languages. English is the type: a key that another language lacks does not compile. A sentence
// with values is a function, so that each language orders and inflects it as it must.
//
// An area adds its words as one file a language (`words/maps-en.ts` …, each typed by `typeof mapsEn`) and one line in each
// of `en.ts`, `fr.ts`, `de.ts` and `es.ts`.
import { de } from '../words/de.ts'
import { en, type Words } from '../words/en.ts'
import { es } from '../words/es.ts'
import { fr } from '../words/fr.ts'

export const LOCALES = ['en', 'fr', 'de', 'es'] as const
export type Locale = (typeof LOCALES)[number]

export const DICTIONARIES: { readonly [Name in Locale]: Words } = { en, fr, de, es }

/** Each in its own language: that is how a reader finds it. */
export const LOCALE_NAMES: { readonly [Name in Locale]: string } = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
}

const LONGEST_HEADER = 500

/** By `Accept-Language`: the language that the reader prefers among those there are; English if none is. */
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
