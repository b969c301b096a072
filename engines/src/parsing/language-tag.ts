// Parses the three parts of a BCP 47 tag that providers care about. Everything else, and anything that isn't shaped
// like a tag, is ignored, so the result is always safe to put into a request.

interface LanguageTag {
  /** Lower-case: 'pt'. '' if no language was requested. */
  base: string
  /** As in 'Hant', or ''. */
  script: string
  /** Upper-case: 'BR', or ''. */
  region: string
}

const NO_LANGUAGE: LanguageTag = { base: '', script: '', region: '' }

export const languageTag = (lang: string): LanguageTag => {
  if (lang === '') return NO_LANGUAGE
  const [first = '', ...rest] = lang.split(/[-_]/, 4)
  if (!/^[a-z]{2,3}$/i.test(first)) return NO_LANGUAGE
  const script = rest.find((part) => /^[a-z]{4}$/i.test(part)) ?? ''
  const region = rest.find((part) => /^[a-z]{2}$/i.test(part)) ?? ''
  return {
    base: first.toLowerCase(),
    script: script.charAt(0).toUpperCase() + script.slice(1).toLowerCase(),
    region: region.toUpperCase(),
  }
}

/** The base language of a tag, or `undefined` if no language was requested. */
export const baseLanguage = (lang: string): string | undefined => languageTag(lang).base || undefined

const HOME_MARKETS: Readonly<Record<string, string>> = {
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
export const MARKET_LANGUAGES: readonly string[] = Object.keys(HOME_MARKETS)

/**
 * Maps a language to a country, for providers that filter by country but not by language: the region of the tag, or the
 * language's home market, in upper case. `undefined` for a language without a home market (Esperanto, Arabic), even if
 * the tag has a region.
 */
export const marketOf = (lang: string): string | undefined => {
  const { base, region } = languageTag(lang)
  return HOME_MARKETS[base] && (region || HOME_MARKETS[base])
}
