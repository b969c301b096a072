// Maps a language to a country, for providers that filter by country but not by language: the region of the tag, or the
// language's home market. A language without one (Esperanto, Arabic in general) isn't searched there.
import { languageTag } from './language-tag.ts'

const HOME: Readonly<Record<string, string>> = {
  cs: 'CZ',
  da: 'DK',
  de: 'DE',
  el: 'GR',
  en: 'US',
  es: 'ES',
  fi: 'FI',
  fr: 'FR',
  hu: 'HU',
  it: 'IT',
  ja: 'JP',
  ko: 'KR',
  nb: 'NO',
  nl: 'NL',
  no: 'NO',
  pl: 'PL',
  pt: 'PT',
  ro: 'RO',
  sv: 'SE',
  tr: 'TR',
  uk: 'UA',
  zh: 'CN',
}

/** The base languages that have a home market. */
export const MARKET_LANGUAGES: readonly string[] = Object.keys(HOME)

/** Upper-case, or `undefined`. */
export const marketOf = (lang: string): string | undefined => {
  const { base, region } = languageTag(lang)
  return HOME[base] && (region || HOME[base])
}
