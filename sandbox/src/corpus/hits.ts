// Search results, ready to be written in a provider's own format. The same thing may have slightly different addresses
// at different engines (http, www., trailing slash, tracking, fragment).
import type { Licence, Picture, Story, Video } from './media.ts'
import type { Page } from './page.ts'
import type { Ranked } from './ranking.ts'

const MS_AN_HOUR = 3_600_000
const THUMBNAIL_WIDTH = 320

interface Hit {
  url: string
  /** The host without `www.`, whether or not the address has it. */
  host: string
  title: string
  isAdult: boolean
  /** A hash of this hit at this engine, for fields that must vary but be reproducible. */
  mark: number
}

export interface CorpusHit extends Hit {
  siteName: string
  sentences: readonly string[]
  publishedAt: number | undefined
  sitelinks: readonly { title: string; url: string }[]
  /** How many results of the whole search are on this host. */
  fromHost: number
}

export interface PictureHit extends Hit {
  siteName: string
  imageUrl: string
  thumbnail: { url: string; width: number; height: number }
  width: number
  height: number
  /** The size of the file. */
  bytes: number
  creator: string
  licence: Licence
  tags: readonly string[]
  publishedAt: number
}

export interface StoryHit extends Hit {
  publisher: string
  sentences: readonly string[]
  author: string
  publishedAt: number
  thumbnailUrl: string
}

export interface VideoHit extends Hit {
  platform: string
  channel: string
  sentences: readonly string[]
  publishedAt: number
  seconds: number
  views: number
  thumbnailUrl: string
}

export interface Shown<Kind> {
  now: number
  /** All results of the search, including this one. */
  all: readonly { entry: Kind }[]
}

export function presentPage({ entry, mark }: Ranked<Page>, { now, all }: Shown<Page>): CorpusHit {
  const { path, title, sentences } = entry.write()
  const { host, siteName, isAdult } = entry
  return {
    url: addressOf(host, path, mark),
    host,
    siteName,
    title,
    sentences,
    publishedAt: entry.ageHours === undefined ? undefined : now - entry.ageHours * MS_AN_HOUR,
    isAdult,
    sitelinks: entry.sections.map((section) => ({
      title: section,
      url: `https://${host}/${section.toLowerCase().replace(/\W+/g, '-')}`,
    })),
    fromHost: all.filter((other) => other.entry.host === host).length,
    mark,
  }
}

export function presentPicture({ entry, mark }: Ranked<Picture>, { now }: Shown<Picture>): PictureHit {
  const { path, title, creator, tags } = entry.write()
  const { host, siteName, isAdult, width, height, licence } = entry
  return {
    url: addressOf(host, path, mark),
    host,
    siteName,
    title,
    imageUrl: `https://files.${host}${path}.jpg`,
    thumbnail: {
      url: `https://thumbs.${host}${path}-${THUMBNAIL_WIDTH}.jpg`,
      width: THUMBNAIL_WIDTH,
      height: Math.round((height * THUMBNAIL_WIDTH) / width),
    },
    width,
    height,
    bytes: Math.round(width * height * 0.21),
    creator,
    licence,
    tags,
    publishedAt: now - entry.ageHours * MS_AN_HOUR,
    isAdult,
    mark,
  }
}

export function presentStory({ entry, mark }: Ranked<Story>, { now }: Shown<Story>): StoryHit {
  const { path, title, sentences, author } = entry.write()
  const { host, publisher, isAdult } = entry
  return {
    url: addressOf(host, path, mark),
    host,
    publisher,
    title,
    sentences,
    author,
    publishedAt: now - entry.ageHours * MS_AN_HOUR,
    thumbnailUrl: `https://files.${host}${path}-${THUMBNAIL_WIDTH}.jpg`,
    isAdult,
    mark,
  }
}

export function presentVideo({ entry, mark }: Ranked<Video>, { now }: Shown<Video>): VideoHit {
  const { path, title, sentences, channel } = entry.write()
  const { host, platform, seconds, isAdult } = entry
  return {
    url: addressOf(host, path, mark),
    host,
    platform,
    channel,
    title,
    sentences,
    publishedAt: now - entry.ageHours * MS_AN_HOUR,
    seconds,
    views: 40 + (mark % 250_000),
    thumbnailUrl: `https://files.${host}${path}-${THUMBNAIL_WIDTH}.jpg`,
    isAdult,
    mark,
  }
}

/** Half of the addresses are plain; the others differ in one way that leads to the same page. */
function addressOf(host: string, path: string, mark: number): string {
  switch (mark % 10) {
    case 0:
      return `http://${host}${path}`
    case 1:
      return `https://www.${host}${path}`
    case 2:
      return `https://${host}${path}/`
    case 3:
      return `https://${host}${path}?utm_source=newsletter`
    case 4:
      return `https://${host}${path}#summary`
    default:
      return `https://${host}${path}`
  }
}
