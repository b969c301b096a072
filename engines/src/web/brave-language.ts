// Maps our language tags to Brave's. Japanese is `jp`, Norwegian is always `nb`, and Portuguese and Chinese exist only
// as variants. A language that Brave doesn't have is left out of the request, which then searches in English.
import { languageTag } from '../parsing/language-tag.ts'

const COUNTRIES: ReadonlySet<string> = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
)

/** Our base language → `search_lang`. Brave's docs count 51 codes and its SDK lists 50; Greek may be the other one. */
const SEARCH_LANGUAGES = new Map([
  ['ja', 'jp'],
  ['nn', 'nb'],
  ['no', 'nb'],
  ['pt', 'pt-pt'],
  ['zh', 'zh-hans'],
])
const SAME_IN_BOTH =
  'ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ' +
  'ta te th tr uk vi'
for (const language of SAME_IN_BOTH.split(' ')) SEARCH_LANGUAGES.set(language, language)

/** Tags whose script or region has its own `search_lang`. */
const VARIANTS = new Map([
  ['en-GB', 'en-gb'],
  ['pt-BR', 'pt-br'],
  ['zh-Hans', 'zh-hans'],
  ['zh-Hant', 'zh-hant'],
  ['zh-HK', 'zh-hant'],
  ['zh-MO', 'zh-hant'],
  ['zh-TW', 'zh-hant'],
])

/** The base languages that Brave can search in. */
export const BRAVE_LANGUAGES: readonly string[] = [...SEARCH_LANGUAGES.keys()]

export const searchLanguage = (lang: string): string | undefined => {
  const { base, script, region } = languageTag(lang)
  return VARIANTS.get(`${base}-${script}`) ?? VARIANTS.get(`${base}-${region}`) ?? SEARCH_LANGUAGES.get(base)
}

export const hasCountry = (region: string): boolean => COUNTRIES.has(region)

/** The region of a language as a `country`, if Brave supports it. */
export const searchCountry = (lang: string): string | undefined => {
  const { region } = languageTag(lang)
  return COUNTRIES.has(region) ? region : undefined
}
