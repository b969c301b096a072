// What the sites of Wikimedia have in common: errors come as status 200 with an `error` member, and each language has an
// edition of Wikipedia. An edition becomes part of a host name, so it never comes from a client: a language that isn't in
// the list below has none.
import type { ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { asObject, asString, type JsonObject, jsonReply } from './json-reply.ts'
import { languageTag } from './language-tag.ts'
import { errorWithWait, secondsToWait } from './status-error.ts'

/** Codes that blame the query, rather than the request or the server. */
const QUERY_FAULT_CODES = new Set(['cirrussearch-query-too-long', 'cirrussearch-parse-error', 'no-such-entity'])

const OUTAGE_CODES = new Set(['cirrussearch-backend-error', 'search-disabled', 'srsearch-disabled'])

const errorFor = (code: string, wait: number): UpstreamError => {
  if (code === 'ratelimited') return errorWithWait('throttled', 'The provider asks us to slow down.', wait)
  if (code === 'maxlag' || code === 'readonly' || code.startsWith('internal_api_error') || OUTAGE_CODES.has(code)) {
    return errorWithWait('unreachable', 'The provider is out of order.', wait)
  }
  return new UpstreamError('rejected', 'The provider refused the request.', {
    isQueryFault: QUERY_FAULT_CODES.has(code),
  })
}

/** Returns the body. Throws UpstreamError; an error code that isn't known to be temporary counts as a refusal. */
export const mediaWikiReply = (reply: ProviderReply, now: number): JsonObject => {
  const body = jsonReply(reply, { now })
  if (body['error'] !== undefined) {
    throw errorFor(asString(asObject(body['error'])['code']), secondsToWait(reply, now, Number.NaN))
  }
  return body
}

const rankOf = (page: unknown): number => {
  const { index } = asObject(page)
  return typeof index === 'number' ? index : Number.MAX_SAFE_INTEGER
}

/** Orders the pages that a generator found, which come unordered, by rank: their `index`. */
export const byRank = (one: unknown, other: unknown): number => rankOf(one) - rankOf(other)

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
const EDITION_ALIASES: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', iw: 'he', in: 'id' }

/** The base languages that have an edition. */
export const WIKIPEDIA_LANGUAGES: readonly string[] = [
  ...[...EDITIONS].filter((code) => code !== 'simple'),
  ...Object.keys(EDITION_ALIASES),
]

export interface WikipediaEdition {
  /** A language code, or '' for the configured edition. */
  code: string
  /** `zh-tw` for Chinese in traditional characters, otherwise ''. */
  variant: string
}

export function wikipediaEdition(lang: string): WikipediaEdition {
  const { base, script, region } = languageTag(lang)
  const code = EDITION_ALIASES[base] ?? base
  const isTraditional = code === 'zh' && (script === 'Hant' || ['TW', 'HK', 'MO'].includes(region))
  return { code: EDITIONS.has(code) ? code : '', variant: isTraditional ? 'zh-tw' : '' }
}

/** Only the public Wikipedia has a host per edition; an operator's mirror has a single URL. */
export const editionAddress = (baseUrl: string, code: string): string => {
  const isPublic = URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'en.wikipedia.org'
  return isPublic && EDITIONS.has(code) ? `https://${code}.wikipedia.org` : baseUrl
}
