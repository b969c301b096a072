// SearXNG: another metasearch service, run by the operator, with whatever engines it has. JSON over HTTP, no key. It
// has no default URL (set SEARXNG_URL) and must list `json` in its `search.formats`. Filters work as well as its
// engines support them. Any word that starts with `!`, `:` or `<` is a command to it, and may even redirect to another
// site, so such words are quoted. If its engines fail, it replies 200 without results: we treat that as an outage, not
// as an empty page.

import { defineEngine, type EngineQuery, type EngineTab } from '../engine.ts'
import { parseDuration, parseTimestamp, RANGE_NAMES } from '../parsing/dates.ts'
import { asArray, asString, asTitle, jsonReply, openSearchCompletions, resultList } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { languageTag } from '../parsing/language-tag.ts'
import {
  imageHit,
  newsHit,
  parseResults,
  type ReadHit,
  type ReadReply,
  videoHit,
  webHit,
} from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'

/** SearXNG splits at more characters than JavaScript's white space, including some control characters. */
const COMMAND = /(?<![^\s\p{Cc}])[!:<][^\s\p{Cc}]*/gu

const quoteCommands = (text: string): string => text.replace(COMMAND, '"$&"')

const languageFor = ({ lang, region: wanted }: EngineQuery): string => {
  const { base, script, region: ofLanguage } = languageTag(lang)
  const region = wanted ?? ofLanguage
  if (base === '') return 'auto'
  const place = region === '' && script === 'Hant' ? 'TW' : region
  return place === '' ? base : `${base}-${place}`
}

/** `800 x 600`, as most of its engines write it. */
const RESOLUTION = /^(\d{1,6}) ?[x×] ?(\d{1,6})$/

const searxngReply: ReadReply = (reply, query) => {
  if (reply.status === 403 && reply.headers['retry-after'] === undefined) {
    const message = 'The instance refuses JSON: its search.formats must have json.'
    throw new UpstreamError('blocked', message, { hasReplied: true })
  }
  const body = jsonReply(reply, query)
  const { results, unresponsive_engines: failed } = body
  if (query.page === 1 && resultList(results).length === 0 && asArray(failed).length > 0) {
    throw new UpstreamError('unreachable', 'The engines of the instance did not answer.', { hasReplied: true })
  }
  return body
}

const tabFor = <Hit>(
  category: 'general' | 'images' | 'news' | 'videos',
  readHit: ReadHit<Hit>,
): EngineTab<Hit, unknown> => ({
  // Each of its engines has its own depth; beyond all of them the page is empty.
  lastPage: 50,
  honours: ['safe', 'date', 'lang'],
  // It takes a region only as part of a language: `de-AT`.
  takesRegion: (_region, lang) => languageTag(lang).base !== '',
  request: (query) =>
    getJson('/search', {
      q: quoteCommands(query.text),
      format: 'json',
      categories: category,
      language: languageFor(query),
      pageno: query.page,
      time_range: query.date && RANGE_NAMES[query.date],
      safesearch: query.safe ? 2 : 0,
    }),
  parse: parseResults(
    {
      results: 'results',
      readReply: searxngReply,
      correctionIn: ({ corrections }) => asTitle(asArray(corrections)[0]),
    },
    readHit,
  ),
})

export const searxng = defineEngine({
  slug: 'searxng',
  name: 'SearXNG',
  homepage: 'https://docs.searxng.org',
  index: 'unknown',
  settings: { baseUrl: setting('SEARXNG_URL') },
  terms: { cacheSeconds: 3600, cacheIn: 'shared', pricePerCallMicros: 0, attribution: '', asOf: '2026-11-15' },
  tabs: {
    web: tabFor('general', ({ url, title, content, publishedDate }) =>
      webHit({ url, title, description: content, publishedAt: parseTimestamp(publishedDate) }),
    ),
    images: {
      ...tabFor('images', ({ url, title, thumbnail_src: small, thumbnail, img_src: picture, ...rest }) => {
        const [, width, height] = RESOLUTION.exec(asString(rest['resolution'])) ?? []
        return imageHit({
          url,
          title,
          thumbnails: [small, thumbnail],
          picture,
          size: [width, height],
          creator: rest['author'],
        })
      }),
      knowsSizes: true,
    },
    news: tabFor('news', ({ url, title, content, publishedDate, source, author, thumbnail, img_src: picture }) =>
      newsHit({
        url,
        title,
        description: content,
        publishedAt: parseTimestamp(publishedDate),
        publisher: [source, author].find(asTitle),
        thumbnails: [thumbnail, picture],
      }),
    ),
    videos: tabFor('videos', ({ url, title, publishedDate, author, length, thumbnail, views }) =>
      videoHit({
        url,
        title,
        publishedAt: parseTimestamp(publishedDate),
        publisher: author,
        durationSeconds: parseDuration(length),
        thumbnails: [thumbnail],
        views,
      }),
    ),
  },
  suggest: {
    request: ({ text }) => getJson('/autocompleter', { q: quoteCommands(text) }),
    parse: openSearchCompletions,
  },
})
