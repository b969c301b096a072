// Wikimedia Commons: free pictures, found by their descriptions. The MediaWiki API, JSON over HTTP, no key.
// There is no safe filter and the collection is not clean, so it is asked only with `safe=off`. A picture has no language,
// so every language is honoured by nature. Errors come as status 200. Pages come in no order of their own: `index` is the rank. Without a
// descriptive User-Agent, which the host sends, Wikimedia answers 403.
import { setting } from '../config/setting.ts'
import { UpstreamError } from '../errors.ts'
import { httpAddress } from '../text/http-address.ts'
import { defineEngine, type ImageHit, PAGE_SIZE } from '../providers/engine.ts'
import { hitsOf, jsonReply, list, record, title, word } from '../providers/reading/json-reply.ts'
import { pictureAddress } from '../providers/reading/picture-address.ts'
import { queryString } from '../providers/reading/query-string.ts'

/** Pictures only: Commons also has sounds, films and books. */
const PICTURES = 'filetype:bitmap|drawing '

/** Of a whole search expression, the part above included. */
const LONGEST_SEARCH = 300

const THUMBNAIL_HEIGHT = 180

/** By MediaWiki's code. Most codes are [U]; whatever is not known to pass by itself is a refusal. */
const refusalOf = (code: string): UpstreamError => {
  if (code === 'ratelimited') return new UpstreamError('throttled', 'The provider asks us to slow down.')
  if (code === 'maxlag' || code === 'readonly' || code.startsWith('internal_api_error')) {
    return new UpstreamError('unreachable', 'The provider is out of order.')
  }
  const isQueryFault = code === 'cirrussearch-query-too-long' || code === 'cirrussearch-parse-error'
  return new UpstreamError('rejected', 'The provider refused the request.', { isQueryFault })
}

const rankOf = (page: unknown): number => {
  const { index } = record(page)
  return typeof index === 'number' ? index : Number.MAX_SAFE_INTEGER
}

/** `File:Oak bark.jpg` → `Oak bark`. */
const fileTitle = (value: unknown): string => title(title(value).replace(/^File:|\.\w{2,5}$/g, ''))

const pictureOf = (page: Readonly<Record<string, unknown>>): ImageHit | undefined => {
  const picture = record(list(page['imageinfo'])[0])
  const url = httpAddress(picture['descriptionurl'])
  const thumbnailUrl = pictureAddress(picture['thumburl']) || pictureAddress(picture['url'])
  return url === '' || thumbnailUrl === '' ? undefined : { title: fileTitle(page['title']), url, thumbnailUrl }
}

export const commons = defineEngine({
  slug: 'commons',
  name: 'Wikimedia Commons',
  homepage: 'https://commons.wikimedia.org',
  settings: { baseUrl: setting('COMMONS_URL', 'https://commons.wikimedia.org') },
  terms: {
    cacheSeconds: 86_400,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Images from Wikimedia Commons, each under the licence named on its page',
    pace: { calls: 200, perSeconds: 60 },
  },
  longestQuery: { characters: LONGEST_SEARCH - PICTURES.length, words: LONGEST_SEARCH / 2 },
  tabs: {
    images: {
      lastPage: 50,
      honours: ['lang'],
      request: (query) => ({
        path: `/w/api.php${queryString({
          action: 'query',
          format: 'json',
          // Without it `pages` is an object keyed by page id.
          formatversion: 2,
          generator: 'search',
          gsrnamespace: 6,
          gsrsearch: `${PICTURES}${query.text}`,
          gsrlimit: PAGE_SIZE,
          gsroffset: (query.page - 1) * PAGE_SIZE,
          prop: 'imageinfo',
          iiprop: 'url',
          iiurlheight: THUMBNAIL_HEIGHT,
        })}`,
        headers: { accept: 'application/json' },
      }),
      parse: (reply, query) => {
        const body = jsonReply(reply, query)
        if (body['error'] !== undefined) throw refusalOf(word(record(body['error'])['code']))
        // `query` is left out when nothing matches, so one of the two is the proof that the search was carried out.
        const hasPages = Array.isArray(record(body['query'])['pages'])
        if (body['query'] === undefined ? body['batchcomplete'] === undefined : !hasPages) {
          throw new UpstreamError('malformed', 'The provider answered with no search page.')
        }
        // A description whose file is gone has no `imageinfo`.
        const pages = list(record(body['query'])['pages']).filter((page) => record(page)['imageinfo'] !== undefined)
        pages.sort((one, other) => rankOf(one) - rankOf(other))
        return { correction: '', hits: hitsOf(pages, pictureOf) }
      },
    },
  },
})
