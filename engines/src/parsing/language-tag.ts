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

/** ISO 639-1, for providers that take no longer codes. */
export const TWO_LETTER_LANGUAGES: readonly string[] = (
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et ' +
  'eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl ' +
  'km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj ' +
  'om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to ' +
  'tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
).split(' ')

/** Where each language is spoken by many, its home market first. */
const MARKETS: Readonly<Record<string, readonly string[]>> = {
  cs: ['CZ'],
  da: ['DK'],
  de: ['DE', 'AT', 'CH', 'LI', 'LU'],
  el: ['GR', 'CY'],
  en: ['US', 'AU', 'CA', 'GB', 'GH', 'HK', 'IE', 'IN', 'KE', 'MT', 'MY', 'NG', 'NZ', 'PH', 'PK', 'SG', 'ZA'],
  es: [
    'ES',
    'AR',
    'BO',
    'CL',
    'CO',
    'CR',
    'CU',
    'DO',
    'EC',
    'GT',
    'HN',
    'MX',
    'NI',
    'PA',
    'PE',
    'PR',
    'PY',
    'SV',
    'UY',
    'VE',
  ],
  fi: ['FI'],
  fr: ['FR', 'BE', 'CA', 'CH', 'CI', 'LU', 'MC', 'SN'],
  hu: ['HU'],
  it: ['IT', 'CH', 'SM'],
  ja: ['JP'],
  ko: ['KR'],
  nb: ['NO'],
  nl: ['NL', 'BE', 'SR'],
  no: ['NO'],
  pl: ['PL'],
  pt: ['PT', 'AO', 'BR', 'MZ'],
  ro: ['RO', 'MD'],
  sv: ['SE', 'FI'],
  tr: ['TR', 'CY'],
  uk: ['UA'],
  zh: ['CN', 'HK', 'MO', 'SG', 'TW'],
}

/** The base languages that have a home market. */
export const MARKET_LANGUAGES: readonly string[] = Object.keys(MARKETS)

/**
 * Maps a language to a country, for providers that filter by country but not by language: the region of the tag, or the
 * language's home market, in upper case. `undefined` for a language without a home market (Esperanto, Arabic), even if
 * the tag has a region.
 */
export const marketOf = (lang: string): string | undefined => {
  const { base, region } = languageTag(lang)
  const home = MARKETS[base]?.[0]
  return home && (region || home)
}

/** For the same providers: whether results for this country are in this language. A language counts for more than a region. */
export const isMarketOf = (region: string, lang: string): boolean =>
  lang === '' || MARKETS[languageTag(lang).base]?.includes(region) === true
