// Checks the shape of cached responses, by tab. A response that comes back from Redis is untrusted input: an older version of
// this program, or anyone with access to Redis, may have written it.
import type { EngineResponse, HitOf, Sitelink, Tab } from '@bowerbird/engines/engine.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'

/** The cached part of an engine's reply: a page of hits, or a list of suggestions. */
export type ResponseOf = { [Name in Tab]: EngineResponse<HitOf[Name]> } & { suggest: string[] }

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
  videos: ['publishedAt', 'durationSeconds'],
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

const isHitOf = (tab: Tab) => {
  const texts: readonly string[] = TEXTS[tab]
  const pictures: readonly string[] = PICTURES[tab]
  const numbers: readonly string[] = NUMBERS[tab]
  return (value: unknown): boolean =>
    isFields(value) &&
    isAddress(value['url']) &&
    texts.every((name) => typeof value[name] === 'string') &&
    pictures.every((name) => value[name] === '' || isAddress(value[name])) &&
    (value['imageUrl'] === undefined || isAddress(value['imageUrl'])) &&
    (value['creator'] === undefined || typeof value['creator'] === 'string') &&
    isLicence(value['licence']) &&
    numbers.every((name) => value[name] === undefined || typeof value[name] === 'number')
}

const isResponse = (value: unknown, isHit: (hit: unknown) => boolean): boolean =>
  isFields(value) &&
  typeof value['correction'] === 'string' &&
  Array.isArray(value['hits']) &&
  value['hits'].every(isHit)

const isWebHit = isHitOf('web')
const isImageHit = isHitOf('images')
const isNewsHit = isHitOf('news')
const isVideoHit = isHitOf('videos')
const hasSitelinks = (hit: Fields): boolean => Array.isArray(hit['sitelinks']) && hit['sitelinks'].every(isSitelink)

/** Science and code hits have the same shape as web hits. */
const isWebResponse = (value: unknown): value is ResponseOf['web'] =>
  isResponse(value, (hit) => isFields(hit) && isWebHit(hit) && hasSitelinks(hit))

export const isResponseOf: { [Name in keyof ResponseOf]: (value: unknown) => value is ResponseOf[Name] } = {
  web: isWebResponse,
  images: (value): value is ResponseOf['images'] => isResponse(value, isImageHit),
  news: (value): value is ResponseOf['news'] => isResponse(value, isNewsHit),
  videos: (value): value is ResponseOf['videos'] => isResponse(value, isVideoHit),
  science: isWebResponse,
  code: isWebResponse,
  suggest: (value): value is ResponseOf['suggest'] =>
    Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
