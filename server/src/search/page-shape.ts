// What a page of each tab must look like to be believed. A page that comes back from Redis is input like any other: an
// older version of this program, or anybody who reaches Redis, may have written it.
import type { EnginePage, HitOf, Sitelink, Tab } from '../providers/engine.ts'

/** What is kept of an engine's reply: a page of hits, or a list of completions. */
export type PageOf = { [Name in Tab]: EnginePage<HitOf[Name]> } & { suggest: string[] }

/** The fields that are always texts, and those that may be missing but are numbers. */
const TEXTS: { [Name in Tab]: readonly (keyof HitOf[Name])[] } = {
  web: ['title', 'url', 'description', 'faviconUrl'],
  images: ['title', 'url', 'thumbnailUrl'],
  news: ['title', 'url', 'description', 'publisher', 'thumbnailUrl'],
  videos: ['title', 'url', 'publisher', 'thumbnailUrl'],
}
const NUMBERS: { [Name in Tab]: readonly (keyof HitOf[Name])[] } = {
  web: ['publishedAt'],
  images: [],
  news: ['publishedAt'],
  videos: ['publishedAt', 'durationSeconds'],
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const isSitelink = (value: unknown): value is Sitelink =>
  isFields(value) && typeof value['title'] === 'string' && typeof value['url'] === 'string'

const isHitOf = (texts: readonly string[], numbers: readonly string[]) => (value: unknown) =>
  isFields(value) &&
  texts.every((name) => typeof value[name] === 'string') &&
  numbers.every((name) => value[name] === undefined || typeof value[name] === 'number')

const isPage = (value: unknown, isHit: (hit: unknown) => boolean): boolean =>
  isFields(value) &&
  typeof value['correction'] === 'string' &&
  Array.isArray(value['hits']) &&
  value['hits'].every(isHit)

const isWebHit = isHitOf(TEXTS.web, NUMBERS.web)
const isImageHit = isHitOf(TEXTS.images, NUMBERS.images)
const isNewsHit = isHitOf(TEXTS.news, NUMBERS.news)
const isVideoHit = isHitOf(TEXTS.videos, NUMBERS.videos)
const hasSitelinks = (hit: Fields): boolean => Array.isArray(hit['sitelinks']) && hit['sitelinks'].every(isSitelink)

export const isPageOf: { [Name in keyof PageOf]: (value: unknown) => value is PageOf[Name] } = {
  web: (value): value is PageOf['web'] => isPage(value, (hit) => isFields(hit) && isWebHit(hit) && hasSitelinks(hit)),
  images: (value): value is PageOf['images'] => isPage(value, isImageHit),
  news: (value): value is PageOf['news'] => isPage(value, isNewsHit),
  videos: (value): value is PageOf['videos'] => isPage(value, isVideoHit),
  suggest: (value): value is PageOf['suggest'] =>
    Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
