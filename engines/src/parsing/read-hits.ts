// Builds hits from fields as providers send them, whatever their type. Drops a hit without a URL, and a picture that
// can't be shown. Text may contain markup; a description in Markdown goes through `markdownText` first.

import { type ImageHit, type NewsHit, PAGE_SIZE, type Sitelink, type VideoHit, type WebHit } from '../engine.ts'
import { hostOf, httpAddress } from './http-address.ts'
import { description, title } from './json-reply.ts'
import { pictureAddress } from './picture-address.ts'

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

/** Takes links by title; drops those that aren't a URL. */
export const sitelinksOf = (links: Readonly<Record<string, unknown>>): Sitelink[] =>
  Object.entries(links).flatMap(([name, value]) => {
    const url = httpAddress(value)
    return url === '' ? [] : [{ title: name, url }]
  })

export const webHit = (fields: Fields & { favicon?: unknown; sitelinks?: Sitelink[] }): WebHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    title: title(fields.title),
    url,
    description: description(fields.description),
    faviconUrl: pictureAddress(fields.favicon),
    publishedAt: fields.publishedAt,
    sitelinks: fields.sitelinks ?? [],
  }
}

export const imageHit = (fields: Fields): ImageHit | undefined => {
  const url = httpAddress(fields.url)
  const thumbnailUrl = firstPicture(fields.thumbnails)
  return url === '' || thumbnailUrl === '' ? undefined : { title: title(fields.title), url, thumbnailUrl }
}

export const newsHit = (fields: Fields): NewsHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    title: title(fields.title),
    url,
    description: description(fields.description),
    publishedAt: fields.publishedAt,
    publisher: title(fields.publisher) || hostOf(url),
    thumbnailUrl: firstPicture(fields.thumbnails),
  }
}

export const videoHit = (fields: Fields & { durationSeconds?: number | undefined }): VideoHit | undefined => {
  const url = httpAddress(fields.url)
  if (url === '') return undefined
  return {
    title: title(fields.title),
    url,
    publishedAt: fields.publishedAt,
    publisher: title(fields.publisher),
    durationSeconds: fields.durationSeconds,
    thumbnailUrl: firstPicture(fields.thumbnails),
  }
}

/** How many results to request from a provider without pages: page p shows the last 10 of p × 10. */
export const upToPage = (page: number): number => page * PAGE_SIZE

/** Cuts page p out of those results. */
export const cutPage = <Hit>(hits: readonly Hit[], page: number): Hit[] =>
  hits.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
