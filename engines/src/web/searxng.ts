// SearXNG: another metasearch service, run by the operator, with whatever engines it has. JSON over HTTP, no key. It
// has no default URL (set SEARXNG_URL) and must list `json` in its `search.formats`. Filters are as good as its
// engines. Any word that starts with `!`, `:` or `<` is a command to it, and may even redirect to another site, so such
// words are quoted. If its engines fail, it replies 200 without results: we treat that as an outage, not as an empty
// page.

import { defineEngine, type EngineQuery, type EngineTab, type ProviderReply } from '../engine.ts'
import { durationSeconds } from '../parsing/duration-seconds.ts'
import { hostOf, httpAddress } from '../parsing/http-address.ts'
import { description, hitsOf, jsonReply, list, moment, title } from '../parsing/json-reply.ts'
import { languageTag } from '../parsing/language-tag.ts'
import { openSearchCompletions } from '../parsing/open-search-completions.ts'
import { pictureAddress } from '../parsing/picture-address.ts'
import { queryString } from '../parsing/query-string.ts'
import { errorWithWait, numberInHeader } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

type Fields = Readonly<Record<string, unknown>>

const TIME_RANGES = { d: 'day', w: 'week', m: 'month', y: 'year' } as const

/** SearXNG splits at more characters than JavaScript's white space, including some control characters. */
const COMMAND = /(?<![^\s\p{Cc}])[!:<][^\s\p{Cc}]*/gu

const withoutCommands = (text: string): string => text.replace(COMMAND, '"$&"')

const languageFor = (lang: string): string => {
  const { base, script, region } = languageTag(lang)
  if (base === '') return 'auto'
  const place = region === '' && script === 'Hant' ? 'TW' : region
  return place === '' ? base : `${base}-${place}`
}

const resultsIn = (reply: ProviderReply, query: EngineQuery): Fields => {
  if (reply.status === 403) {
    const words = 'The instance refuses JSON: its search.formats must have json.'
    throw errorWithWait('blocked', words, numberInHeader(reply, 'retry-after', 0))
  }
  const page = jsonReply(reply, query)
  const { results } = page
  if (!Array.isArray(results)) throw new UpstreamError('malformed', 'The provider answered with no search page.')
  if (query.page === 1 && results.length === 0 && list(page['unresponsive_engines']).length > 0) {
    throw new UpstreamError('unreachable', 'The engines of the instance did not answer.', { hasReplied: true })
  }
  return page
}

const tabFor = <Hit>(
  category: 'general' | 'images' | 'news' | 'videos',
  read: (result: Fields, url: string) => Hit | undefined,
): EngineTab<Hit, unknown> => ({
  // Each of its engines has its own depth; beyond all of them the page is empty.
  lastPage: 50,
  honours: ['safe', 'date', 'lang'],
  request: (query) => ({
    path: `/search${queryString({
      q: withoutCommands(query.text),
      format: 'json',
      categories: category,
      language: languageFor(query.lang),
      pageno: query.page,
      time_range: query.date && TIME_RANGES[query.date],
      safesearch: query.safe ? 2 : 0,
    })}`,
    headers: { accept: 'application/json' },
  }),
  parse: (reply, query) => {
    const page = resultsIn(reply, query)
    return {
      correction: title(list(page['corrections'])[0]),
      hits: hitsOf(page['results'], (result) => {
        const url = httpAddress(result['url'])
        return url === '' ? undefined : read(result, url)
      }),
    }
  },
})

export const searxng = defineEngine({
  slug: 'searxng',
  name: 'SearXNG',
  homepage: 'https://docs.searxng.org',
  settings: { baseUrl: setting('SEARXNG_URL') },
  terms: { cacheSeconds: 3600, cacheIn: 'shared', pricePerCallMicros: 0, attribution: '', asOf: '2026-11-15' },
  tabs: {
    web: tabFor('general', (result, url) => ({
      title: title(result['title']),
      url,
      description: description(result['content']),
      faviconUrl: '',
      publishedAt: moment(result['publishedDate']),
      sitelinks: [],
    })),
    images: tabFor('images', (result, url) => {
      const thumbnailUrl =
        pictureAddress(result['thumbnail_src']) ||
        pictureAddress(result['thumbnail']) ||
        pictureAddress(result['img_src'])
      return thumbnailUrl === '' ? undefined : { title: title(result['title']), url, thumbnailUrl }
    }),
    news: tabFor('news', (result, url) => ({
      title: title(result['title']),
      url,
      description: description(result['content']),
      publishedAt: moment(result['publishedDate']),
      publisher: title(result['source']) || title(result['author']) || hostOf(url),
      thumbnailUrl: pictureAddress(result['thumbnail']) || pictureAddress(result['img_src']),
    })),
    videos: tabFor('videos', (result, url) => ({
      title: title(result['title']),
      url,
      publishedAt: moment(result['publishedDate']),
      publisher: title(result['author']),
      durationSeconds: durationSeconds(result['length']),
      thumbnailUrl: pictureAddress(result['thumbnail']),
    })),
  },
  suggest: {
    request: ({ text }) => ({
      path: `/autocompleter${queryString({ q: withoutCommands(text) })}`,
      headers: { accept: 'application/json' },
    }),
    parse: openSearchCompletions,
  },
})
