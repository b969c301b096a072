// Microsoft Web IQ: `POST /v3/search/{web,images,news,videos}`, key in `x-apikey`, with a separate cap for each path.
// Some results are marked as adult. Too many calls are a 429 here, and a 430 is a fault of status 430.
import type { Corpus } from '../corpus/corpus.ts'
import {
  country,
  defineJsonProvider,
  type Given,
  language,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  whole,
} from './json-provider.ts'
import { isoSeconds } from './wire-time.ts'

const KEY = 'sandbox-webiq-key'
const MARKDOWN = { contentFormat: optional(oneOf('passage')), maxLength: optional(whole(1, 3_000)) }

const rules = (most: number) => ({
  query: text(1_000),
  maxResults: optional(whole(1, most)),
  language,
  region: country,
  safeSearch: optional(oneOf('off', 'strict')),
})

const asked = (given: Given, now: number) => ({
  engine: 'webiq',
  text: String(given['query']),
  start: 0,
  count: Number(given['maxResults'] ?? 10),
  now,
  hidesAdult: given['safeSearch'] !== 'off',
  after: rangeStart(given['freshness'], now),
})

interface Answering {
  now: number
  corpus: Corpus
}

const web = (given: Given, { now, corpus }: Answering) =>
  corpus.search(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    url: hit.url,
    content: `# ${hit.title}\n${hit.sentences.join(' ')}`,
    ...(hit.publishedAt !== undefined && { lastUpdatedAt: isoSeconds(hit.publishedAt) }),
    crawledAt: isoSeconds(now),
    language: given['language'] ?? 'en',
    isAdult: hit.isAdult,
  }))

const images = (given: Given, { now, corpus }: Answering) =>
  corpus.images(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    url: hit.imageUrl,
    hostPageUrl: hit.url,
    caption: hit.tags.join(' '),
    width: hit.width,
    height: hit.height,
    thumbnailUrl: hit.thumbnail.url,
    isAdult: hit.isAdult,
  }))

const news = (given: Given, { now, corpus }: Answering) =>
  corpus.news(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    url: hit.url,
    content: hit.sentences.join(' '),
    snippet: hit.sentences[0],
    thumbnail: { url: hit.thumbnailUrl, width: 320, height: 200 },
    lastUpdatedAt: isoSeconds(hit.publishedAt),
    source: hit.publisher,
    isAdult: hit.isAdult,
  }))

const videos = (given: Given, { now, corpus }: Answering) =>
  corpus.videos(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    url: hit.url,
    description: hit.sentences[0],
    publishedBy: hit.channel,
    length: `PT${Math.floor(hit.seconds / 60)}M${hit.seconds % 60}S`,
    lastUpdatedAt: isoSeconds(hit.publishedAt),
    thumbnailUrl: hit.thumbnailUrl,
    viewCount: hit.views,
    isAdult: hit.isAdult,
  }))

export const webiq = defineJsonProvider({
  slug: 'webiq',
  key: KEY,
  readsHeaders: ['x-apikey'],
  admits: ({ headers }) => headers['x-apikey'] === KEY,
  optionalMembers:
    'title content snippet lastUpdatedAt crawledAt language caption thumbnail source description publishedBy length viewCount isAdult',
  refusal: (status, userMessage) => ({
    errorCode: String(status),
    errorCategory: 'Request',
    userMessage,
    traceId: 't',
  }),
  endpoints: [
    {
      at: 'POST /v3/search/web',
      rules: { ...rules(50), ...MARKDOWN },
      answer: (given, by) => ok({ webResults: web(given, by), riskLevel: 'low', traceId: 't' }),
    },
    { at: 'POST /v3/search/images', rules: rules(30), answer: (given, by) => ok({ imageResults: images(given, by) }) },
    {
      at: 'POST /v3/search/news',
      rules: { ...rules(20), ...MARKDOWN },
      answer: (given, by) => ok({ newsResults: news(given, by) }),
    },
    {
      at: 'POST /v3/search/videos',
      rules: { ...rules(30), freshness: optional(oneOf('day', 'week', 'month', 'year')) },
      answer: (given, by) => ok({ videoResults: videos(given, by), playlists: [] }),
    },
  ],
})
