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
  type Software,
  type VideoHit,
  type WebHit,
} from '../engine.ts'
import { hostOf, httpAddress, pictureAddress } from './http-address.ts'
import {
  asArray,
  asCount,
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

interface PageFields extends Fields {
  favicon?: unknown
  sitelinks?: Sitelink[]
  software?: Software | undefined
}

export const webHit = (fields: PageFields): WebHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    kind: 'web',
    title: asTitle(fields.title),
    url,
    description: asDescription(fields.description),
    faviconUrl: pictureAddress(fields.favicon),
    publishedAt: fields.publishedAt,
    sitelinks: fields.sitelinks ?? [],
    ...(fields.software && { software: fields.software }),
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
  const pixels = asCount(value)
  return pixels !== undefined && pixels <= MAX_PIXELS ? pixels : undefined
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
    kind: 'image',
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
    kind: 'news',
    title: asTitle(fields.title),
    url,
    description: asDescription(fields.description),
    publishedAt: fields.publishedAt,
    publisher: asTitle(fields.publisher) || hostOf(url),
    thumbnailUrl: firstPicture(fields.thumbnails),
  }
}

interface FilmFields extends Fields {
  durationSeconds?: number | undefined
  views?: unknown
  /** Larger than the thumbnails. The first one that can be shown is used. */
  previews?: readonly unknown[]
}

export const videoHit = (fields: FilmFields): VideoHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  const thumbnailUrl = firstPicture(fields.thumbnails)
  const previewUrl = firstPicture(fields.previews)
  const views = asCount(fields.views)
  return {
    kind: 'video',
    title: asTitle(fields.title),
    url,
    publishedAt: fields.publishedAt,
    publisher: asTitle(fields.publisher),
    durationSeconds: fields.durationSeconds,
    thumbnailUrl,
    ...(views !== undefined && { views }),
    ...(previewUrl !== '' && previewUrl !== thumbnailUrl && { previewUrl }),
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

const ADULT = new Set('adult erotic hentai nsfw not-for-all-audiences porn pornography xxx'.split(' '))

/** Whether its author tagged a result as adult, for providers that have tags instead of a filter. */
export const hasAdultTag = (tags: readonly unknown[]): boolean =>
  tags.some((tag) => ADULT.has(asString(tag).toLowerCase()))
