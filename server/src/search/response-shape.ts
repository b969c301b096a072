// Checks the shape of cached responses, by tab. A response that comes back from Redis is untrusted input: an older version of
// this program, or anyone with access to Redis, may have written it.
import type { EngineResponse, HitOf, Sitelink, Software, Tab } from '@bowerbird/engines/engine.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'

const KINDS: { [Name in Tab]: HitOf[Name]['kind'] } = {
  web: 'web',
  images: 'image',
  news: 'news',
  videos: 'video',
  science: 'web',
  code: 'web',
}
/** Besides `url`: the fields that are always strings, those that are an address or '', and the optional numbers. */
const TEXTS: { [Name in Tab]: readonly (keyof HitOf[Name])[] } = {
  web: ['title', 'description'],
  images: ['title'],
  news: ['title', 'description', 'publisher'],
  videos: ['title', 'publisher'],
  science: ['title', 'description'],
  code: ['title', 'description'],
}
const PICTURES: { [Name in Tab]: readonly (keyof HitOf[Name])[] } = {
  web: ['faviconUrl'],
  images: ['thumbnailUrl'],
  news: ['thumbnailUrl'],
  videos: ['thumbnailUrl'],
  science: ['faviconUrl'],
  code: ['faviconUrl'],
}
const NUMBERS: { [Name in Tab]: readonly (keyof HitOf[Name])[] } = {
  web: ['publishedAt'],
  images: ['width', 'height'],
  news: ['publishedAt'],
  videos: ['publishedAt', 'durationSeconds', 'views'],
  science: ['publishedAt'],
  code: ['publishedAt'],
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Users follow it: never `javascript:` or anything else that is not a web page. */
const isAddress = (value: unknown): boolean => httpAddress(value) !== ''

const isSitelink = (value: unknown): value is Sitelink =>
  isFields(value) && typeof value['title'] === 'string' && isAddress(value['url'])

/** A picture's licence, or none. */
const isLicence = (value: unknown): boolean =>
  value === undefined ||
  (isFields(value) && typeof value['name'] === 'string' && (value['url'] === '' || isAddress(value['url'])))

const SOFTWARE: { readonly [Name in keyof Required<Software>]: 'number' | 'string' | 'boolean' } = {
  stars: 'number',
  downloads: 'number',
  language: 'string',
  licence: 'string',
  version: 'string',
  votes: 'number',
  isAnswered: 'boolean',
}

const isSoftware = (value: unknown): boolean =>
  value === undefined ||
  (isFields(value) &&
    Object.entries(SOFTWARE).every(([name, type]) => value[name] === undefined || typeof value[name] === type))

const isText = (value: unknown): boolean => typeof value === 'string'

const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value)

const isNumberOrNone = (value: unknown): boolean => value === undefined || typeof value === 'number'

/** What is known of a paper, or nothing. */
const isPaper = (value: unknown): boolean =>
  value === undefined ||
  (isFields(value) &&
    (value['authors'] === undefined || (Array.isArray(value['authors']) && value['authors'].every(isText))) &&
    ['venue', 'doi', 'abstract'].every((name) => isTextOrNone(value[name])) &&
    ['authorCount', 'year', 'citedBy'].every((name) => isNumberOrNone(value[name])) &&
    (value['isOpenAccess'] === undefined || value['isOpenAccess'] === true))

const isHitOf = (tab: Tab) => {
  const texts: readonly string[] = TEXTS[tab]
  const pictures: readonly string[] = PICTURES[tab]
  const numbers: readonly string[] = NUMBERS[tab]
  const kind = KINDS[tab]
  return (value: unknown): boolean =>
    isFields(value) &&
    value['kind'] === kind &&
    isAddress(value['url']) &&
    texts.every((name) => typeof value[name] === 'string') &&
    pictures.every((name) => value[name] === '' || isAddress(value[name])) &&
    (value['imageUrl'] === undefined || isAddress(value['imageUrl'])) &&
    isTextOrNone(value['creator']) &&
    isLicence(value['licence']) &&
    (value['previewUrl'] === undefined || isAddress(value['previewUrl'])) &&
    isSoftware(value['software']) &&
    isPaper(value['paper']) &&
    numbers.every((name) => isNumberOrNone(value[name]))
}

const isResponse = (value: unknown, isHit: (hit: unknown) => boolean): value is EngineResponse =>
  isFields(value) &&
  typeof value['correction'] === 'string' &&
  Array.isArray(value['hits']) &&
  value['hits'].every(isHit)

const isWebHit = isHitOf('web')
const isImageHit = isHitOf('images')
const isNewsHit = isHitOf('news')
const isVideoHit = isHitOf('videos')
const hasSitelinks = (hit: Fields): boolean => Array.isArray(hit['sitelinks']) && hit['sitelinks'].every(isSitelink)

type IsResponse = (value: unknown) => value is EngineResponse

/** Science and code hits have the same shape as web hits. */
const isWebResponse: IsResponse = (value) =>
  isResponse(value, (hit) => isFields(hit) && isWebHit(hit) && hasSitelinks(hit))

export const isResponseOf: { [Name in Tab]: IsResponse } & { suggest: (value: unknown) => value is string[] } = {
  web: isWebResponse,
  images: (value): value is EngineResponse => isResponse(value, isImageHit),
  news: (value): value is EngineResponse => isResponse(value, isNewsHit),
  videos: (value): value is EngineResponse => isResponse(value, isVideoHit),
  science: isWebResponse,
  code: isWebResponse,
  suggest: (value): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
