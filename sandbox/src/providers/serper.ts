// Serper: `POST /{search,images,news,videos,autocomplete}`, key in `X-API-KEY`. Dates are words, in English or in the
// form of the country. It has no documented safe filter. A wrong key is a 403.
import type { Corpus } from '../corpus/corpus.ts'
import {
  defineJsonProvider,
  type Given,
  googleLanguage,
  matching,
  ok,
  oneOf,
  optional,
  rangeStart,
  text,
  whole,
} from './json-provider.ts'
import { clock, MS_AN_HOUR } from './wire-time.ts'

const KEY = 'sandbox-serper-key'

const place = { gl: optional(matching(/^[a-z]{2}$/)), hl: googleLanguage }
const rules = {
  q: text(),
  ...place,
  num: optional(whole(1, 100)),
  page: optional(whole(1, 100)),
  tbs: optional(oneOf('qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y')),
  autocorrect: optional(oneOf(true, false)),
}

interface Answering {
  now: number
  corpus: Corpus
}

const asked = (given: Given, now: number) => {
  const count = Number(given['num'] ?? 10)
  return {
    engine: 'serper',
    text: String(given['q']),
    start: (Number(given['page'] ?? 1) - 1) * count,
    count,
    now,
    hidesAdult: false,
    after: rangeStart(given['tbs'], now),
  }
}

const ago = (time: number, now: number) => `${Math.max(1, Math.round((now - time) / MS_AN_HOUR))} hours ago`

const organic = (given: Given, { now, corpus }: Answering) =>
  corpus.search(asked(given, now)).hits.map((hit, index) => ({
    title: hit.title,
    link: hit.url,
    snippet: hit.sentences[0],
    position: index + 1,
    ...(hit.publishedAt !== undefined && { date: ago(hit.publishedAt, now) }),
    ...(hit.sitelinks.length > 0 && { sitelinks: hit.sitelinks.map(({ title, url }) => ({ title, link: url })) }),
  }))

const images = (given: Given, { now, corpus }: Answering) =>
  corpus.images(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    imageUrl: hit.imageUrl,
    imageWidth: hit.width,
    imageHeight: hit.height,
    thumbnailUrl: hit.thumbnail.url,
    source: hit.siteName,
    domain: hit.host,
    link: hit.url,
  }))

const news = (given: Given, { now, corpus }: Answering) =>
  corpus.news(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    link: hit.url,
    snippet: hit.sentences[0],
    date: hit.mark % 4 === 0 ? 'vor kurzem' : ago(hit.publishedAt, now),
    source: hit.publisher,
    imageUrl: hit.mark % 5 === 0 ? 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' : hit.thumbnailUrl,
  }))

const videos = (given: Given, { now, corpus }: Answering) =>
  corpus.videos(asked(given, now)).hits.map((hit) => ({
    title: hit.title,
    link: hit.url,
    snippet: hit.sentences[0],
    imageUrl: hit.thumbnailUrl,
    duration: clock(hit.seconds),
    source: hit.platform,
    channel: hit.channel,
    date: ago(hit.publishedAt, now),
  }))

export const serper = defineJsonProvider({
  slug: 'serper',
  key: KEY,
  readsHeaders: ['x-api-key'],
  admits: ({ headers }) => headers['x-api-key'] === KEY,
  optionalMembers: 'title snippet date source channel duration sitelinks domain position credits',
  wrongKeyStatus: 403,
  refusal: (statusCode, message) => ({ message, statusCode }),
  endpoints: [
    {
      at: 'POST /search',
      rules,
      answer: (given, by) => ok({ searchParameters: given, organic: organic(given, by), credits: 1 }),
    },
    { at: 'POST /images', rules, answer: (given, by) => ok({ searchParameters: given, images: images(given, by) }) },
    { at: 'POST /news', rules, answer: (given, by) => ok({ searchParameters: given, news: news(given, by) }) },
    { at: 'POST /videos', rules, answer: (given, by) => ok({ searchParameters: given, videos: videos(given, by) }) },
    {
      at: 'POST /autocomplete',
      rules: { q: text(), ...place },
      answer: (given, { corpus }) => {
        const found = corpus.suggest({ engine: 'serper', text: String(given['q']), count: 10 })
        return ok({ searchParameters: given, suggestions: found.map((value) => ({ value })), credits: 1 })
      },
    },
  ],
})
