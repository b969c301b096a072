// Maps a language to its Wikipedia edition. The edition becomes part of a host name, so it never comes from a caller: a
// language that isn't in this list has none.
import { languageTag } from './language-tag.ts'

/** Editions with about ten thousand articles or more, by language code. Not checked against Wikimedia's own list. */
const EDITIONS = new Set(
  (
    'af an ar ast az ba be bg bn br bs ca ceb ckb cs cv cy da de el en eo es et eu fa fi fr fy ga gl he hi hr ' +
    'hu hy ia id io is it ja jv ka kk kn ko ku ky la lb lmo lt lv mg mk ml mn mr ms my nds ne new nl nn no oc ' +
    'pa pl pms pnb ps pt ro ru scn sco sd sh si simple sk sl sq sr su sv sw ta te tg th tl tr tt uk ur uz vec ' +
    'vi vo war wuu yi zh'
  ).split(' '),
)

/** The Norwegian Wikipedia is in Bokmål; Filipino uses the Tagalog one. `iw` and `in` are old codes. */
const OTHER_CODES: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', iw: 'he', in: 'id' }

/** The base languages that have an edition. */
export const WIKIPEDIA_LANGUAGES: readonly string[] = [
  ...[...EDITIONS].filter((code) => code !== 'simple'),
  ...Object.keys(OTHER_CODES),
]

export interface WikipediaEdition {
  /** '' for the configured one. */
  code: string
  /** For Chinese: which script to use. '' otherwise. */
  variant: string
}

export function wikipediaEdition(lang: string): WikipediaEdition {
  const { base, script, region } = languageTag(lang)
  const code = OTHER_CODES[base] ?? base
  const isTraditional = code === 'zh' && (script === 'Hant' || ['TW', 'HK', 'MO'].includes(region))
  return { code: EDITIONS.has(code) ? code : '', variant: isTraditional ? 'zh-tw' : '' }
}

/** Only the public Wikipedia has a host per edition; an operator's mirror has a single URL. */
export const editionAddress = (baseUrl: string, code: string): string => {
  const isPublic = URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'en.wikipedia.org'
  return isPublic && EDITIONS.has(code) ? `https://${code}.wikipedia.org` : baseUrl
}
