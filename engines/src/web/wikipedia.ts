// Wikipedia: full-text search, and completion of titles, in the requested language. The MediaWiki API, JSON over HTTP,
// no key. Each language is a Wikipedia with its own URL; if none is requested, the configured one is used. An
// encyclopaedia counts as safe. `timestamp` is the last edit, not the publication date, so there are no dates.
// Wikimedia wants callers to identify themselves, which the host's User-Agent does.

import { defineEngine, PAGE_SIZE, type ProviderReply } from '../engine.ts'
import {
  asObject,
  asString,
  asTitle,
  hitsOf,
  type JsonObject,
  openSearchCompletions,
  parseJsonObject,
  resultList,
} from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { editionAddress, mediaWikiReply, WIKIPEDIA_LANGUAGES, wikipediaEdition } from '../parsing/mediawiki.ts'
import { offsetOf, webHit } from '../parsing/read-hits.ts'
import { throttled } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

/** The limit for a whole search expression. */
const MAX_SEARCH_LENGTH = 300

/** The start of a redirect page, in the languages of the larger editions. */
const REDIRECT =
  /^\s*#(?:redirect|weiterleitung|redirecci[oó]n|redirection|rinvia|redirecionamento|doorverwijzing|転送)/i

/** Removes the colon of an `insource:` regex and of a leading namespace, which would change what is searched. */
const withoutOperators = (text: string): string =>
  text.replace(/\binsource:\s*\//gi, 'insource /').replace(/^\s*([\p{L} ]{2,20}):/u, '$1 ')

const editionOf = (lang: string) => {
  const { code } = wikipediaEdition(lang)
  return code === '' ? {} : { edition: code }
}

/** MediaWiki reports errors with status 200. There is no clock here: see `openSearchCompletions`. */
const refusalOf = (code: string, reply: ProviderReply): UpstreamError =>
  code === 'ratelimited' || code === 'maxlag'
    ? throttled(reply, Number.NaN)
    : new UpstreamError('rejected', 'The provider refused the request.')

/** The URL pattern of articles: `https://de.wikipedia.org/wiki/$1`. */
const articleAddress = (general: JsonObject): string => {
  const server = asString(general['server'])
  return `${server.startsWith('//') ? `https:${server}` : server}${asString(general['articlepath'])}`
}

export const wikipedia = defineEngine({
  slug: 'wikipedia',
  name: 'Wikipedia',
  homepage: 'https://www.wikipedia.org',
  settings: { baseUrl: setting('WIKIPEDIA_URL', 'https://en.wikipedia.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Text from Wikipedia, CC BY-SA 4.0',
    asOf: '2026-11-15',
    rateLimit: { calls: 200, perSeconds: 60 },
  },
  maxQueryLength: { characters: MAX_SEARCH_LENGTH, words: MAX_SEARCH_LENGTH / 2 },
  addressOf: editionAddress,
  tabs: {
    web: {
      lastPage: 50,
      honours: ['safe', 'lang'],
      byNature: ['safe'],
      operators: ['quotes'],
      languages: WIKIPEDIA_LANGUAGES,
      request: (query) => ({
        ...editionOf(query.lang),
        ...getJson('/w/api.php', {
          action: 'query',
          format: 'json',
          formatversion: 2,
          list: 'search',
          srsearch: withoutOperators(query.text),
          srnamespace: 0,
          srlimit: PAGE_SIZE,
          sroffset: offsetOf(query),
          srprop: 'snippet|sectiontitle',
          srinfo: 'suggestion|rewrittenquery',
          srenablerewrites: 1,
          // Returns the URL pattern of this wiki's articles.
          meta: 'siteinfo',
          siprop: 'general',
        }),
      }),
      parse: (reply, query) => {
        const found = asObject(mediaWikiReply(reply, query.now)['query'])
        const address = articleAddress(asObject(found['general']))
        const info = asObject(found['searchinfo'])
        return {
          correction: asTitle(info['rewrittenquery']) || asTitle(info['suggestion']),
          hits: hitsOf(resultList(found['search']), (page) => {
            const name = asTitle(page['title'])
            const snippet = asString(page['snippet'])
            const section = asTitle(page['sectiontitle']).replaceAll(' ', '_')
            const path = encodeURIComponent(name.replaceAll(' ', '_')).replace(/%(?:3A|2F|2C)/g, decodeURIComponent)
            return webHit({
              url: name && address.replace('$1', () => path) + (section && `#${encodeURIComponent(section)}`),
              title: name,
              description: REDIRECT.test(snippet) ? '' : snippet,
            })
          }),
        }
      },
    },
  },
  suggest: {
    languages: WIKIPEDIA_LANGUAGES,
    request: ({ text, lang }) => ({
      ...editionOf(lang),
      ...getJson('/w/api.php', {
        action: 'opensearch',
        format: 'json',
        formatversion: 2,
        search: text,
        namespace: 0,
        limit: PAGE_SIZE,
      }),
    }),
    parse: (reply) => {
      const code = reply.status === 200 ? asString(asObject(parseJsonObject(reply.body)?.['error'])['code']) : ''
      if (code !== '') throw refusalOf(code, reply)
      return openSearchCompletions(reply)
    },
  },
})
