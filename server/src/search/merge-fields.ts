// Picks the texts of a merged result: those of the engine that ranked it best, with anything missing filled in from the
// next best. The URL is never mixed: it is the best engine's own.
import type { HitOf, ImageHit, NewsHit, Tab, VideoHit, WebHit } from '@bowerbird/engines/engine.ts'

/** Fills what the better-ranked hit lacks from the other. */
export type Complete<Hit> = (best: Hit, other: Hit) => Hit

const completeWeb: Complete<WebHit> = (best, other) => ({
  title: best.title || other.title,
  url: best.url,
  description: best.description || other.description,
  faviconUrl: best.faviconUrl || other.faviconUrl,
  publishedAt: best.publishedAt ?? other.publishedAt,
  sitelinks: best.sitelinks.length > 0 ? best.sitelinks : other.sitelinks,
})

const completeImage: Complete<ImageHit> = (best, other) => ({ ...best, title: best.title || other.title })

const completeNews: Complete<NewsHit> = (best, other) => ({
  title: best.title || other.title,
  url: best.url,
  description: best.description || other.description,
  publishedAt: best.publishedAt ?? other.publishedAt,
  publisher: best.publisher || other.publisher,
  thumbnailUrl: best.thumbnailUrl || other.thumbnailUrl,
})

const completeVideo: Complete<VideoHit> = (best, other) => ({
  title: best.title || other.title,
  url: best.url,
  publishedAt: best.publishedAt ?? other.publishedAt,
  publisher: best.publisher || other.publisher,
  durationSeconds: best.durationSeconds ?? other.durationSeconds,
  thumbnailUrl: best.thumbnailUrl || other.thumbnailUrl,
})

/** A page can show many pictures; only their own URLs tell them apart. */
export const isPartOf: { readonly [Name in Tab]?: (one: HitOf[Name], other: HitOf[Name]) => boolean } = {
  images: (one, other) => one.thumbnailUrl !== other.thumbnailUrl,
}

export const completedOf: { readonly [Name in Tab]: Complete<HitOf[Name]> } = {
  web: completeWeb,
  images: completeImage,
  news: completeNews,
  videos: completeVideo,
  science: completeWeb,
  code: completeWeb,
}
