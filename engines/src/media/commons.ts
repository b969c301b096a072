// Wikimedia Commons: free pictures and videos, found by their descriptions. The MediaWiki API, JSON over HTTP, no key.
// There is no safe filter and the collection includes adult content, so it is only queried with `safe=off`. Pictures
// have no language, so every language is inherently honoured. Errors come as status 200. Pages are unordered: `index`
// is the rank. Without a descriptive User-Agent, which the host sends, Wikimedia replies 403.

import {
  defineEngine,
  type EngineQuery,
  type ImageHit,
  PAGE_SIZE,
  type ProviderReply,
  type VideoHit,
} from '../engine.ts'
import { parseDuration, parseTimestamp } from '../parsing/dates.ts'
import { asArray, asObject, asTitle, hitsOf, type JsonObject, noSearchPage } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { namedLicence } from '../parsing/licence.ts'
import { byRank, mediaWikiReply } from '../parsing/mediawiki.ts'
import { imageHit, offsetOf, videoHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

/** Commons also has sounds and books. */
const PICTURES = 'filetype:bitmap|drawing '
const FILMS = 'filetype:video '

/** The limit for a whole search expression, including the filter above. */
const MAX_SEARCH_LENGTH = 300

const THUMBNAIL_HEIGHT = 180

/** `File:Oak bark.jpg` → `Oak bark`. */
const fileTitle = (value: unknown): string => asTitle(asTitle(value).replace(/^File:|\.\w{2,5}$/g, ''))

const pictureOf = ({ title, imageinfo }: JsonObject): ImageHit | undefined => {
  const picture = asObject(asArray(imageinfo)[0])
  const about = (name: string) => asObject(asObject(picture['extmetadata'])[name])['value']
  return imageHit({
    url: picture['descriptionurl'],
    title: fileTitle(title),
    thumbnails: [picture['thumburl']],
    picture: picture['url'],
    size: [picture['width'], picture['height']],
    creator: about('Artist'),
    licence: namedLicence(about('LicenseShortName'), about('LicenseUrl')),
  })
}

const filmOf = ({ title, imageinfo }: JsonObject): VideoHit | undefined => {
  const film = asObject(asArray(imageinfo)[0])
  return videoHit({
    url: film['descriptionurl'],
    title: fileTitle(title),
    publishedAt: parseTimestamp(film['timestamp']),
    publisher: film['user'],
    durationSeconds: parseDuration(film['duration']),
    thumbnails: [film['thumburl']],
  })
}

interface Wanted {
  kind: string
  iiprop: string
  iiurlheight: number
  iiextmetadatafilter?: string
}

const requestFor = (query: EngineQuery, { kind, ...wanted }: Wanted) =>
  getJson('/w/api.php', {
    action: 'query',
    format: 'json',
    // Without it `pages` is an object keyed by page id.
    formatversion: 2,
    generator: 'search',
    gsrnamespace: 6,
    gsrsearch: `${kind}${query.text}`,
    gsrlimit: PAGE_SIZE,
    gsroffset: offsetOf(query),
    prop: 'imageinfo',
    ...wanted,
  })

/** Best first. */
const pagesOf = (reply: ProviderReply, now: number): unknown[] => {
  const body = mediaWikiReply(reply, now)
  // `query` is left out if nothing matches; then `batchcomplete` proves that the search was carried out.
  const hasPages = Array.isArray(asObject(body['query'])['pages'])
  if (body['query'] === undefined ? body['batchcomplete'] === undefined : !hasPages) {
    throw noSearchPage()
  }
  // A description page whose file is gone has no `imageinfo`.
  const pages = asArray(asObject(body['query'])['pages']).filter((page) => asObject(page)['imageinfo'] !== undefined)
  return pages.sort(byRank)
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
    attribution: 'Media from Wikimedia Commons, each under the licence named on its page',
    asOf: '2026-11-15',
    unverified: 'how creator and licence of a picture are asked for',
    rateLimit: { calls: 200, perSeconds: 60 },
  },
  maxQueryLength: { characters: MAX_SEARCH_LENGTH - PICTURES.length, words: MAX_SEARCH_LENGTH / 2 },
  tabs: {
    images: {
      lastPage: 50,
      byNature: ['lang'],
      honours: ['lang'],
      knowsSizes: true,
      knowsLicences: true,
      request: (query) =>
        requestFor(query, {
          kind: PICTURES,
          iiprop: 'url|size|extmetadata',
          iiurlheight: THUMBNAIL_HEIGHT,
          iiextmetadatafilter: 'Artist|LicenseShortName|LicenseUrl',
        }),
      parse: (reply, query) => ({ correction: '', hits: hitsOf(pagesOf(reply, query.now), pictureOf) }),
    },
    videos: {
      lastPage: 50,
      byNature: ['lang'],
      honours: ['lang'],
      request: (query) =>
        requestFor(query, { kind: FILMS, iiprop: 'url|size|timestamp|user', iiurlheight: THUMBNAIL_HEIGHT }),
      parse: (reply, query) => ({ correction: '', hits: hitsOf(pagesOf(reply, query.now), filmOf) }),
    },
  },
})
