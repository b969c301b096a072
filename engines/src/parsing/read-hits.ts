// Builds hits from fields as providers send them, whatever their type, and the `parse` of a tab whose reply is a list
// of results. Drops a hit without a URL, and a picture that can't be shown. Text may contain markup; a description in
// Markdown goes through `markdownText` first.
import {
  type EngineQuery,
  type EngineResponse,
  type ImageHit,
  type Licence,
  type NewsHit,
  PAGE_SIZE,
  type ProviderReply,
  type Sitelink,
  type VideoHit,
  type WebHit,
} from '../engine.ts'
import { hostOf, httpAddress, pictureAddress } from './http-address.ts'
import {
  asArray,
  asDescription,
  asObject,
  asString,
  asTitle,
  hitsOf,
  type JsonObject,
  jsonReply,
  resultList,
} from './json-reply.ts'

interface Fields {
  url: unknown
  title: unknown
  description?: unknown
  publishedAt?: number | undefined
  publisher?: unknown
  /** The first one that can be shown is used. */
  thumbnails?: readonly unknown[]
}

const firstPicture = (addresses: readonly unknown[] = []): string => {
  for (const address of addresses) {
    const picture = pictureAddress(address)
    if (picture !== '') return picture
  }
  return ''
}

/** Takes links keyed by title; drops those that aren't a URL. */
export const sitelinksOf = (links: JsonObject): Sitelink[] =>
  Object.entries(links).flatMap(([name, value]) => {
    const url = httpAddress(value)
    return url === '' ? [] : [{ title: name, url }]
  })

/** Reads a list of links; drops those without a title or a URL. */
export const sitelinksIn = (links: unknown, urlField: 'url' | 'link'): Sitelink[] =>
  asArray(links)
    .map(asObject)
    .map((link) => ({ title: asTitle(link['title']), url: httpAddress(link[urlField]) }))
    .filter(({ title, url }) => title !== '' && url !== '')

export const webHit = (fields: Fields & { favicon?: unknown; sitelinks?: Sitelink[] }): WebHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    title: asTitle(fields.title),
    url,
    description: asDescription(fields.description),
    faviconUrl: pictureAddress(fields.favicon),
    publishedAt: fields.publishedAt,
    sitelinks: fields.sitelinks ?? [],
  }
}

interface PictureFields extends Fields {
  /** The picture itself. */
  picture?: unknown
  /** Its width and height in pixels, as numbers or digits. */
  size?: readonly [unknown, unknown]
  creator?: unknown
  licence?: Licence | undefined
}

const MAX_PIXELS = 1_000_000

const asPixels = (value: unknown): number | undefined => {
  const pixels = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value
  return Number.isInteger(pixels) && Number(pixels) > 0 && Number(pixels) <= MAX_PIXELS ? Number(pixels) : undefined
}

const dimensionsOf = ([first, second]: readonly [unknown, unknown]): Pick<ImageHit, 'width' | 'height'> => {
  const [width, height] = [asPixels(first), asPixels(second)]
  return width === undefined || height === undefined ? {} : { width, height }
}

/** Without a small version, the picture itself is shown. */
export const imageHit = (fields: PictureFields): ImageHit | undefined => {
  const url = httpAddress(fields.url)
  const imageUrl = pictureAddress(fields.picture)
  const thumbnailUrl = firstPicture(fields.thumbnails) || imageUrl
  if (url === '' || thumbnailUrl === '') return undefined
  const creator = asTitle(fields.creator)
  return {
    title: asTitle(fields.title),
    url,
    thumbnailUrl,
    ...(imageUrl !== '' && { imageUrl }),
    ...(fields.size && dimensionsOf(fields.size)),
    ...(creator !== '' && { creator }),
    ...(fields.licence && { licence: fields.licence }),
  }
}

export const newsHit = (fields: Fields): NewsHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    title: asTitle(fields.title),
    url,
    description: asDescription(fields.description),
    publishedAt: fields.publishedAt,
    publisher: asTitle(fields.publisher) || hostOf(url),
    thumbnailUrl: firstPicture(fields.thumbnails),
  }
}

export const videoHit = (fields: Fields & { durationSeconds?: number | undefined }): VideoHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    title: asTitle(fields.title),
    url,
    publishedAt: fields.publishedAt,
    publisher: asTitle(fields.publisher),
    durationSeconds: fields.durationSeconds,
    thumbnailUrl: firstPicture(fields.thumbnails),
  }
}

/** How many results precede the requested page. */
export const offsetOf = ({ page }: { page: number }): number => (page - 1) * PAGE_SIZE

/** How many results to request from a provider without pages: page p shows the last 10 of p × 10. */
export const upToPage = (page: number): number => page * PAGE_SIZE

/** Cuts page p out of those results. */
export const cutPage = <Hit>(hits: readonly Hit[], page: number): Hit[] =>
  hits.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)

/** Reads one result; `undefined` drops it. */
export type ReadHit<Hit> = (result: JsonObject, query: EngineQuery) => Hit | undefined

/** The JSON object of a reply. Throws UpstreamError for anything else. */
export type ReadReply = (reply: ProviderReply, query: EngineQuery) => JsonObject

interface ParseOptions {
  /** The name of the list of results, or a function that finds the list. */
  results: string | ((body: JsonObject, query: EngineQuery) => unknown)
  /** For a provider that reports errors in its own way; left out: `jsonReply`. */
  readReply?: ReadReply
  correctionIn?: (body: JsonObject) => string
  /** The provider has no pages: the request asked for `upToPage` results, and the page is cut out of them here. */
  hasAllPages?: boolean
}

/**
 * Makes the `parse` of a tab whose reply is a JSON object with a list of results; often the name of the list is the
 * only option. It throws if there is no list, or if none of its results can be read.
 */
export const parseResults = <Hit>(options: string | ParseOptions, readHit: ReadHit<Hit>) => {
  const allOptions: ParseOptions = typeof options === 'string' ? { results: options } : options
  const { results, readReply = jsonReply, correctionIn, hasAllPages } = allOptions
  return (reply: ProviderReply, query: EngineQuery): EngineResponse<Hit> => {
    const body = readReply(reply, query)
    const list = typeof results === 'string' ? body[results] : results(body, query)
    const hits = hitsOf(resultList(list), (result) => readHit(result, query))
    return { correction: correctionIn?.(body) ?? '', hits: hasAllPages ? cutPage(hits, query.page) : hits }
  }
}

interface PaperFields {
  /** A DOI, bare or in a URL. */
  doi: unknown
  /** For a paper without a DOI. */
  url?: unknown
  title: unknown
  /** Names, in order. */
  authors: readonly unknown[]
  journal: unknown
  /** May contain markup. */
  abstract: unknown
  publishedAt: number | undefined
  /** By title; those that aren't a URL are dropped. */
  links?: JsonObject
}

const DOI = /\b(10\.\d{4,9}\/[\x21\x23-\x3b\x3d\x3f-\x7e]{1,200})$/
const ARXIV_DOI = /^10\.48550\/arxiv\./
const MAX_DOI_LENGTH = 2048
const MAX_AUTHORS = 3
const MAX_DESCRIPTION_LENGTH = 1000

/** The heading that many abstracts begin with. */
const ABSTRACT_HEADING = /<(jats:title|h\d)>[^<]{0,40}<\/\1>/gi

/** The URL of a DOI, in lower case because DOIs are case-insensitive; arXiv's page for a DOI that arXiv assigned. */
function doiAddress(value: unknown): string {
  const text = typeof value === 'string' && value.length <= MAX_DOI_LENGTH ? value.trim() : ''
  const doi = DOI.exec(text)?.[1]?.toLowerCase() ?? ''
  if (doi === '') return ''
  if (ARXIV_DOI.test(doi)) return `https://arxiv.org/abs/${doi.replace(ARXIV_DOI, '')}`
  return httpAddress(`https://doi.org/${doi.replace(/[?#[\]\\^`{|}]/g, encodeURIComponent)}`)
}

function authorsOf(names: readonly unknown[]): string {
  const known = names.map(asTitle).filter(Boolean)
  return known.slice(0, MAX_AUTHORS).join(', ') + (known.length > MAX_AUTHORS ? ' et al.' : '')
}

/**
 * Turns a paper into a hit. All paper engines use the same URL for the same paper, so the merge can tell that they agree:
 * its DOI, or arXiv's page for a DOI that arXiv assigned. The description starts with the authors and the journal,
 * followed by the abstract; the free full text is a sitelink.
 */
export function paperHit(fields: PaperFields): WebHit | undefined {
  const url = doiAddress(fields.doi) || httpAddress(fields.url)
  if (url === '') return undefined
  const { abstract } = fields
  const text = asDescription(typeof abstract === 'string' ? abstract.replace(ABSTRACT_HEADING, ' ') : undefined)
  const parts = [authorsOf(fields.authors), asTitle(fields.journal), text].filter(Boolean)
  return {
    title: asTitle(fields.title),
    url,
    description: parts.join(' · ').slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed().trimEnd(),
    faviconUrl: '',
    publishedAt: fields.publishedAt,
    sitelinks: sitelinksOf(fields.links ?? {}),
  }
}

const ADULT = new Set('adult erotic hentai nsfw not-for-all-audiences porn pornography xxx'.split(' '))

/**
 * Drops results that their authors tagged as adult if `safe` is on, for providers that have tags instead of a filter.
 * `tagsField` is the field that holds the tags.
 */
export const dropAdultResults = (
  { safe }: { safe: boolean },
  results: readonly unknown[],
  tagsField: string,
): readonly unknown[] =>
  safe
    ? results.filter(
        (result) => !asArray(asObject(result)[tagsField]).some((tag) => ADULT.has(asString(tag).toLowerCase())),
      )
    : results
