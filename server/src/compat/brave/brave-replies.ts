// Writes answers as Brave does. Its clients read texts and lists without checking for null, so what isn't known is left
// out, or empty.
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { SearchAnswer } from '../../search/search.ts'
import { clockDuration, relativeAge } from '../../text/durations.ts'
import { type CompatAnswer, noteMember } from '../compat-search.ts'

/** `offset` counts pages, from 0. */
export const LAST_OFFSET = 9

type Answer = Pick<SearchAnswer<Tab>, 'now' | 'request' | 'correction' | 'results'>

export const webReply = (found: CompatAnswer<'web'>) => ({
  type: 'search',
  query: queryOf(found.answer),
  mixed: {
    type: 'mixed',
    main: found.results.map((_, index) => ({ type: 'web', index, all: false })),
    top: [],
    side: [],
  },
  web: {
    type: 'search',
    family_friendly: found.answer.request.safe,
    results: found.results.map(({ hit }) => webResult(hit, found.answer)),
  },
  ...noteMember(found),
})

export const newsReply = (found: CompatAnswer<'news'>) => ({
  type: 'news',
  query: queryOf(found.answer),
  results: found.results.map(({ hit }) => newsResult(hit, found.answer)),
  ...noteMember(found),
})

export const imagesReply = (found: CompatAnswer<'images'>) => ({
  type: 'images',
  query: queryOf(found.answer),
  results: found.results.map(({ hit }) => imageResult(hit)),
  extra: { might_be_offensive: !found.answer.request.safe },
  ...noteMember(found),
})

export const videosReply = (found: CompatAnswer<'videos'>) => ({
  type: 'videos',
  query: queryOf(found.answer),
  results: found.results.map(({ hit }) => videoResult(hit, found.answer)),
  extra: { might_be_offensive: !found.answer.request.safe },
  ...noteMember(found),
})

const queryOf = ({ request: { text, page }, correction, results }: Answer) => ({
  original: text,
  ...(correction !== '' && { altered: correction }),
  spellcheck_off: false,
  show_strict_warning: false,
  more_results_available: results.length > 0 && page <= LAST_OFFSET,
})

const webResult = (hit: HitOf['web'], answer: Answer) => ({
  type: 'search_result',
  subtype: 'generic',
  title: hit.title,
  url: hit.url,
  description: hit.description,
  is_source_local: false,
  is_source_both: false,
  is_live: false,
  ...ageOf(hit.publishedAt, answer),
  profile: { name: hostOf(hit.url), long_name: hostOf(hit.url), url: hit.url, img: hit.faviconUrl },
  meta_url: metaUrl(hit.url, hit.faviconUrl),
})

const newsResult = (hit: HitOf['news'], answer: Answer) => ({
  type: 'news_result',
  title: hit.title,
  url: hit.url,
  description: hit.description,
  ...ageOf(hit.publishedAt, answer),
  breaking: false,
  ...(hit.thumbnailUrl !== '' && { thumbnail: { src: hit.thumbnailUrl } }),
  meta_url: metaUrl(hit.url),
})

const imageResult = (hit: HitOf['images']) => ({
  type: 'image_result',
  title: hit.title,
  url: hit.url,
  source: hostOf(hit.url),
  thumbnail: { src: hit.thumbnailUrl },
  properties: {
    url: hit.imageUrl ?? hit.thumbnailUrl,
    ...(hit.width && { width: hit.width, height: hit.height }),
  },
  meta_url: metaUrl(hit.url),
})

const videoResult = (hit: HitOf['videos'], answer: Answer) => ({
  type: 'video_result',
  title: hit.title,
  url: hit.url,
  description: '',
  ...ageOf(hit.publishedAt, answer),
  video: { duration: clockDuration(hit.durationSeconds), creator: hit.publisher, publisher: hit.publisher },
  ...(hit.thumbnailUrl !== '' && { thumbnail: { src: hit.thumbnailUrl, original: hit.thumbnailUrl } }),
  meta_url: metaUrl(hit.url),
})

const ageOf = (publishedAt: number | undefined, { now, request: { lang } }: Answer) =>
  publishedAt === undefined
    ? {}
    : { age: relativeAge(publishedAt, now, lang), page_age: new Date(publishedAt).toISOString().slice(0, 19) }

function metaUrl(address: string, favicon = '') {
  const { protocol = '', host = '', hostname = '', pathname = '' } = URL.parse(address) ?? {}
  const steps = pathname.split('/').filter(Boolean)
  const path = steps.map((step) => `› ${step}`).join(' ')
  return { scheme: protocol.slice(0, -1), netloc: host, hostname, favicon, path }
}
