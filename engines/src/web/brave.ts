// Brave Search: a large independent index for web, images, news and videos, paid per call. JSON over HTTP. It searches
// right away for what it thinks was meant, and reports that: this is the correction. Its terms allow only transient
// storage: memory, minutes, and no recorded fixtures. `offset` counts pages, not results, and ends at 9. Images have no
// offset: page p requests the best p × 10 and shows the last of them. Suggestions need their own subscription.

import { defineEngine, type EngineQuery, PAGE_SIZE, type ProviderRequest, type Sitelink } from '../engine.ts'
import { clockSeconds } from '../parsing/clock-seconds.ts'
import { hostOf, httpAddress } from '../parsing/http-address.ts'
import { description, hitsOf, list, moment, record, title } from '../parsing/json-reply.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { pictureAddress } from '../parsing/picture-address.ts'
import { queryString } from '../parsing/query-string.ts'
import { secret, setting } from '../setting.ts'
import { BRAVE_LANGUAGES, searchCountry, searchLanguage } from './brave-language.ts'
import { braveReply, correctionOf } from './brave-reply.ts'

const FRESHNESS = { d: 'pd', w: 'pw', m: 'pm', y: 'py' } as const

/** The most images per call. */
const MOST_PICTURES = 200

type Parameters = Record<string, string | number | undefined>

const requestTo = (path: string, parameters: Parameters, apiKey: string): ProviderRequest => ({
  path: `/res/v1/${path}${queryString(parameters)}`,
  headers: { accept: 'application/json', 'x-subscription-token': apiKey },
})

/** Parameters of every search. `ALL` favours no country; by default Brave favours the United States. */
const filtersOf = (query: EngineQuery): Parameters => ({
  safesearch: query.safe ? 'strict' : 'off',
  country: searchCountry(query.lang) ?? 'ALL',
  search_lang: searchLanguage(query.lang),
  spellcheck: 'true',
})

/** For the searches with pages and a time filter. */
const pagedParameters = (query: EngineQuery): Parameters => ({
  q: query.text,
  count: PAGE_SIZE,
  offset: query.page - 1,
  freshness: query.date && FRESHNESS[query.date],
  ...filtersOf(query),
})

/** `page_age` has no time zone; we assume UTC. */
const publishedAt = (result: Readonly<Record<string, unknown>>): number | undefined => moment(result['page_age'])

const sitelinksOf = (deepResults: unknown): Sitelink[] => {
  const sitelinks: Sitelink[] = []
  for (const button of list(record(deepResults)['buttons'])) {
    const fields = record(button)
    const sitelink = { title: title(fields['title']), url: httpAddress(fields['url']) }
    if (sitelink.title !== '' && sitelink.url !== '') sitelinks.push(sitelink)
  }
  return sitelinks
}

/** The story's picture, or '' if it is only the site's logo. */
const thumbnailOf = (block: unknown): string => {
  const { src, logo } = record(block)
  return logo === true ? '' : pictureAddress(src)
}

export const brave = defineEngine({
  slug: 'brave',
  name: 'Brave',
  homepage: 'https://search.brave.com',
  settings: { apiKey: secret('BRAVE_API_KEY'), baseUrl: setting('BRAVE_URL', 'https://api.search.brave.com') },
  // 5 US dollars for 1,000 searches. Suggestions, on their own plan, cost a tenth.
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 5000,
    attribution: 'Results from Brave Search',
    asOf: '2026-11-15',
    rateLimit: { calls: 50, perSeconds: 1 },
  },
  longestQuery: { characters: 400, words: 50 },
  tabs: {
    web: {
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      languages: BRAVE_LANGUAGES,
      request: (query, { apiKey }) =>
        requestTo(
          'web/search',
          { ...pagedParameters(query), text_decorations: 'false', result_filter: 'web,query' },
          apiKey,
        ),
      parse: (reply, query) => {
        const page = braveReply(reply, 'search', query.now)
        return {
          correction: correctionOf(page['query']),
          hits: hitsOf(record(page['web'])['results'], (result) => {
            const url = httpAddress(result['url'])
            if (url === '') return undefined
            return {
              title: title(result['title']),
              url,
              description: description(result['description']),
              faviconUrl: httpAddress(record(result['meta_url'])['favicon']),
              publishedAt: publishedAt(result),
              sitelinks: sitelinksOf(result['deep_results']),
            }
          }),
        }
      },
    },
    images: {
      lastPage: MOST_PICTURES / PAGE_SIZE,
      honours: ['safe', 'lang'],
      languages: BRAVE_LANGUAGES,
      request: (query, { apiKey }) => {
        const count = Math.min(MOST_PICTURES, query.page * PAGE_SIZE)
        return requestTo('images/search', { q: query.text, count, ...filtersOf(query) }, apiKey)
      },
      parse: (reply, query) => {
        const page = braveReply(reply, 'images', query.now)
        const best = hitsOf(page['results'], (result) => {
          const url = httpAddress(result['url'])
          const thumbnailUrl =
            pictureAddress(record(result['thumbnail'])['src']) || pictureAddress(record(result['properties'])['url'])
          return url === '' || thumbnailUrl === '' ? undefined : { title: title(result['title']), url, thumbnailUrl }
        })
        const start = (query.page - 1) * PAGE_SIZE
        return { correction: correctionOf(page['query']), hits: best.slice(start, start + PAGE_SIZE) }
      },
    },
    news: {
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      languages: BRAVE_LANGUAGES,
      request: (query, { apiKey }) => requestTo('news/search', pagedParameters(query), apiKey),
      parse: (reply, query) => {
        const page = braveReply(reply, 'news', query.now)
        return {
          correction: correctionOf(page['query']),
          hits: hitsOf(page['results'], (result) => {
            const url = httpAddress(result['url'])
            if (url === '') return undefined
            return {
              title: title(result['title']),
              url,
              description: description(result['description']),
              publishedAt: publishedAt(result),
              // No publisher is documented for a story; `profile` is used if present.
              publisher: title(record(result['profile'])['name']) || hostOf(url),
              thumbnailUrl: thumbnailOf(result['thumbnail']),
            }
          }),
        }
      },
    },
    videos: {
      lastPage: 10,
      honours: ['safe', 'date', 'lang'],
      languages: BRAVE_LANGUAGES,
      request: (query, { apiKey }) => requestTo('videos/search', pagedParameters(query), apiKey),
      parse: (reply, query) => {
        const page = braveReply(reply, 'videos', query.now)
        return {
          correction: correctionOf(page['query']),
          hits: hitsOf(page['results'], (result) => {
            const url = httpAddress(result['url'])
            if (url === '') return undefined
            const video = record(result['video'])
            return {
              title: title(result['title']),
              url,
              publishedAt: publishedAt(result),
              publisher: title(video['creator']) || title(record(video['author'])['name']) || title(video['publisher']),
              durationSeconds: clockSeconds(video['duration']),
              thumbnailUrl: thumbnailOf(result['thumbnail']),
            }
          }),
        }
      },
    },
  },
  suggest: {
    languages: BRAVE_LANGUAGES,
    priceFactor: 0.1,
    request: ({ text, lang }, { apiKey }) => {
      const { base } = languageTag(lang)
      const parameters = {
        q: text,
        count: PAGE_SIZE,
        // Not `search_lang`. We assume it takes the bare base language.
        lang: BRAVE_LANGUAGES.includes(base) ? base : undefined,
        country: searchCountry(lang),
      }
      return requestTo('suggest/search', parameters, apiKey)
    },
    // There is no clock here, so a Retry-After date is ignored.
    parse: (reply) =>
      hitsOf(braveReply(reply, 'suggest', Number.NaN)['results'], (result) => title(result['query']) || undefined),
  },
})
