// Google's codes of languages, which those who show Google's results take as well. They are not BCP 47: Hebrew is `iw`,
// Javanese `jw`, Filipino `tl`, Norwegian `no`, and Chinese exists only as variants. The lists are closed: SerpApi, SearchApi
// and Jina publish the same one for `hl` and refuse anything else.
import { languageTag } from './language-tag.ts'

/** Base language → `hl`, where they differ. Chinese is simplified, unless the tag says otherwise. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['fil', 'tl'],
  ['he', 'iw'],
  ['jv', 'jw'],
  ['nb', 'no'],
  ['zh', 'zh-cn'],
])

const SAME_IN_BOTH = new Set(
  (
    'ach af ak am ar az be bem bg bh bn br bs ca chr ckb co crs cs cy da de ee el en eo es et eu fa fi fo fr fy ga gaa gd gl ' +
    'gn gu ha haw hi hr ht hu hy ia id ig is it ja ka kg kk km kn ko kri ku ky la lg ln lo loz lt lua lv mfe mg mi mk ml mn ' +
    'mr ms mt ne nl nn no nso ny nyn oc om or pa pcm pl ps pt qu rm rn ro ru rw sd si sk sl sn so sq sr st su sv sw ta te tg ' +
    'th ti tk tl tn to tr tt tum tw ug uk ur uz vi wo xh yi yo zu'
  ).split(' '),
)

const TRADITIONAL_REGIONS = new Set(['HK', 'MO', 'TW'])

/** The base languages that Google has an interface in. */
export const GOOGLE_LANGUAGES: readonly string[] = [...SAME_IN_BOTH, ...RENAMED.keys()]

/** `hl`: the language of Google's page, which also favours results in it. */
export function googleInterfaceLanguage(lang: string): string | undefined {
  const { base, script, region } = languageTag(lang)
  const isTraditional = script === 'Hant' || (script === '' && TRADITIONAL_REGIONS.has(region))
  if (base === 'zh' && isTraditional) return 'zh-tw'
  return RENAMED.get(base) ?? (SAME_IN_BOTH.has(base) ? base : undefined)
}

/** `hl` → `lr`. Google keeps to results in far fewer languages than it has an interface in. */
const RESULT_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['nn', 'lang_no'],
  ['zh-cn', 'lang_zh-CN'],
  ['zh-tw', 'lang_zh-TW'],
  ...'ar bg ca cs da de el en es et fa fi fr hi hr hu hy id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv th tl tr uk vi'
    .split(' ')
    .map((code) => [code, `lang_${code}`] as const),
])

/** `lr`: only results in this language; `undefined` if Google cannot do that. */
export const googleResultLanguage = (lang: string): string | undefined =>
  RESULT_LANGUAGES.get(googleInterfaceLanguage(lang) ?? '')
