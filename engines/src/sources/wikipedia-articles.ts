// Wikipedia for cards: an article's summary, picture and Wikidata item, by exact title (redirects count as titles) or
// by search. The MediaWiki API, JSON over HTTP, no key. Shares its setting and rate limit with the engine of the same
// name, which searches and completes queries. Wikimedia allows 200 calls a minute to callers that identify themselves
// (OPERATOR_CONTACT), and 10 to others. Only certain picture widths are served, and only free pictures are requested.
import { z } from 'zod'
import type { ProviderReply } from '../engine.ts'
import { HttpUrl, httpAddress, pictureAddress } from '../parsing/http-address.ts'
import { asArray, asObject, asString, asTitle, type JsonObject } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { byRank, editionAddress, mediaWikiReply, type WikipediaEdition } from '../parsing/mediawiki.ts'
import { plainText } from '../parsing/plain-text.ts'
import { setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('WIKIPEDIA_URL', 'https://en.wikipedia.org') }

/** One of 20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920 and 3840; Wikimedia refuses others. */
const PICTURE_WIDTH = 330
const SENTENCES = 3
const MAX_SEARCH_RESULTS = 3
const MAX_EXTRACT_LENGTH = 1200

const Coordinates = z.object({ lat: z.number(), lon: z.number() })

const Article = z.object({
  title: z.string(),
  url: HttpUrl,
  /** Plain text, or ''. */
  extract: z.string(),
  description: z.string(),
  /** The language it is written in, or ''. */
  lang: z.string(),
  /** The article's main picture. `file` is its file name, from which the page with its licence follows. */
  picture: z.object({ url: HttpUrl, width: z.number(), height: z.number(), file: z.string() }).nullable(),
  /** Its item on Wikidata, such as Q243, or ''. */
  item: z.string(),
  isDisambiguation: z.boolean(),
  /** Only places on Earth. */
  coordinates: Coordinates.nullable(),
})
export type Article = z.infer<typeof Article>

const NamedArticle = z.object({
  /** The index of the requested title, from 0. Not the title itself, because titles are made from the query. */
  asked: z.int().nonnegative(),
  /** The title redirects to a section, so the article is about something larger. */
  isSection: z.boolean(),
  article: Article,
})
export type NamedArticle = z.infer<typeof NamedArticle>

const ARTICLE_FIELDS = {
  prop: 'extracts|pageimages|pageprops|info|description|coordinates',
  exintro: 1,
  explaintext: 1,
  exsentences: SENTENCES,
  exlimit: 'max',
  piprop: 'thumbnail|name',
  pithumbsize: PICTURE_WIDTH,
  pilicense: 'free',
  ppprop: 'wikibase_item|disambiguation',
  inprop: 'url',
}

const requestOf = ({ code, variant }: WikipediaEdition, parameters: Record<string, string | number>) => ({
  ...getJson('/w/api.php', {
    action: 'query',
    format: 'json',
    formatversion: 2,
    redirects: 1,
    converttitles: 1,
    ...parameters,
    ...ARTICLE_FIELDS,
    uselang: code || undefined,
    variant: variant || undefined,
  }),
  ...(code !== '' && { edition: code }),
})

const pictureOf = (page: JsonObject): Article['picture'] => {
  const { source, width, height } = asObject(page['thumbnail'])
  const url = pictureAddress(source)
  const file = asTitle(page['pageimage'])
  if (url === '' || file === '' || typeof width !== 'number' || typeof height !== 'number') return null
  return { url, width, height, file }
}

const coordinatesOf = (page: JsonObject): Article['coordinates'] => {
  const { lat, lon, globe } = asObject(asArray(page['coordinates'])[0])
  const isEarth = globe === undefined || globe === 'earth'
  const isThere = typeof lat === 'number' && typeof lon === 'number' && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
  return isEarth && isThere ? { lat, lon } : null
}

/** `undefined` for a page that is missing, has no valid title or isn't an article. */
const articleOf = (given: unknown): Article | undefined => {
  const page = asObject(given)
  const url = httpAddress(page['canonicalurl']) || httpAddress(page['fullurl'])
  const name = asTitle(page['title'])
  if (page['missing'] === true || page['invalid'] === true || page['ns'] !== 0 || name === '' || url === '') {
    return undefined
  }
  const properties = asObject(page['pageprops'])
  const item = asString(properties['wikibase_item'])
  return {
    title: name,
    url,
    extract: plainText(asString(page['extract']), MAX_EXTRACT_LENGTH),
    description: asTitle(page['description']),
    lang: asTitle(page['pagelanguage']),
    picture: pictureOf(page),
    item: /^Q\d{1,12}$/.test(item) ? item : '',
    isDisambiguation: 'disambiguation' in properties,
    coordinates: coordinatesOf(page),
  }
}

interface QueryReply {
  pages: readonly unknown[]
  query: JsonObject
}

/** `query` is left out if nothing matches; then `batchcomplete` proves that the request was carried out. */
const readQuery = (reply: ProviderReply, now: number): QueryReply => {
  const body = mediaWikiReply(reply, now)
  const query = asObject(body['query'])
  if (body['query'] === undefined ? body['batchcomplete'] === undefined : !isQuery(body['query'])) {
    throw new UpstreamError('malformed', 'The provider answered with no pages.')
  }
  const pages = asArray(query['pages'])
  const isReadable = pages.every((page) => typeof asObject(page)['title'] === 'string')
  if (!isReadable) throw new UpstreamError('malformed', 'The provider answered with pages that cannot be read.')
  return { pages, query }
}

/** Titles of other wikis are listed under `interwiki`, and then there may be no pages. */
const isQuery = (query: unknown): boolean =>
  Array.isArray(asObject(query)['pages']) || Array.isArray(asObject(query)['interwiki'])

interface Renaming {
  to: string
  isSection: boolean
}

/** Where each title leads. A title is normalised, converted to another script, then redirected. */
const renamingsOf = (query: JsonObject): Map<string, Renaming> => {
  const renamings = new Map<string, Renaming>()
  for (const kind of ['normalized', 'converted', 'redirects']) {
    for (const given of asArray(query[kind])) {
      const { from, to, tofragment } = asObject(given)
      if (asString(from) !== '' && asString(from) !== asString(to)) {
        renamings.set(asString(from), { to: asString(to), isSection: asString(tofragment) !== '' })
      }
    }
  }
  return renamings
}

const MAX_RENAMINGS = 5

const followRenamings = (title: string, renamings: Map<string, Renaming>): Renaming => {
  let current: Renaming = { to: title, isSection: false }
  for (let step = 0; step < MAX_RENAMINGS; step++) {
    const next = renamings.get(current.to)
    if (!next) break
    current = { to: next.to, isSection: current.isSection || next.isSection }
  }
  return current
}

/** Finds the articles with these titles, in request order; a title without an article is left out. */
export const articlesByTitle = defineCall<typeof settings>()({
  name: 'articles-by-title',
  keepSeconds: 86_400,
  keyOf: ({ titles, edition }: { titles: readonly string[]; edition: WikipediaEdition }) =>
    [edition.code, edition.variant, ...titles].join('\n'),
  request: ({ titles, edition }) => requestOf(edition, { titles: titles.join('|') }),
  parse: (reply, { query: { titles }, now }): NamedArticle[] => {
    const { pages, query } = readQuery(reply, now)
    const renamings = renamingsOf(query)
    const articles = new Map(pages.map((page) => [asString(asObject(page)['title']), articleOf(page)]))
    return titles.flatMap((title, asked) => {
      const { to, isSection } = followRenamings(title, renamings)
      const article = articles.get(to)
      return article ? [{ asked, isSection, article }] : []
    })
  },
  schema: z.array(NamedArticle),
})

/** Searches for articles, best first. `text` must not contain search operators. */
export const articlesBySearch = defineCall<typeof settings>()({
  name: 'articles-by-search',
  keepSeconds: 86_400,
  keyOf: ({ text, edition }: { text: string; edition: WikipediaEdition }) =>
    [edition.code, edition.variant, text].join('\n'),
  request: ({ text, edition }) =>
    requestOf(edition, { generator: 'search', gsrsearch: text, gsrnamespace: 0, gsrlimit: MAX_SEARCH_RESULTS }),
  parse: (reply, { now }): Article[] =>
    readQuery(reply, now)
      .pages.toSorted(byRank)
      .map(articleOf)
      .filter((article) => article !== undefined),
  schema: z.array(Article),
})

export const wikipediaArticles = defineSource({
  slug: 'wikipedia',
  name: 'Wikipedia',
  homepage: 'https://www.wikipedia.org',
  group: 'cards',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Text from Wikipedia, CC BY-SA 4.0',
    rateLimit: { calls: 200, perSeconds: 60 },
  },
  addressOf: editionAddress,
})
