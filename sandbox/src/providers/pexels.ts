// Pexels: `GET /v1/search` and `GET /videos/search`, the bare key in `Authorization`. A closed list of locales. Videos
// have no title, only a descriptive URL. There is no adult content.
import { defineJsonProvider, type Given, ok, oneOf, optional, text, whole } from './json-provider.ts'

const KEY = 'sandbox-pexels-key'
const LOCALES = (
  'en-US pt-BR es-ES ca-ES de-DE it-IT fr-FR sv-SE id-ID pl-PL ja-JP zh-TW zh-CN ko-KR th-TH nl-NL hu-HU vi-VN cs-CZ ' +
  'da-DK fi-FI uk-UA el-GR ro-RO nb-NO sk-SK tr-TR ru-RU'
).split(' ')

const rules = {
  query: text(),
  page: optional(whole(1, 1_000)),
  per_page: optional(whole(1, 80)),
  locale: optional(oneOf(...LOCALES)),
}

const COLORS = 'red orange yellow green turquoise blue violet pink brown black gray white'.split(' ')

/** Whether a picture is like that isn't known here, so these are only checked. */
const photoRules = {
  ...rules,
  orientation: optional(oneOf('landscape', 'portrait', 'square')),
  color: optional(oneOf(...COLORS)),
}

const asked = (given: Given, now: number) => {
  const count = Number(given['per_page'] ?? 15)
  const start = (Number(given['page'] ?? 1) - 1) * count
  return { engine: 'pexels', text: String(given['query']), start, count, now, hidesAdult: true }
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)

export const pexels = defineJsonProvider({
  slug: 'pexels',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === KEY,
  optionalMembers: 'alt photographer avg_color duration user next_page width height',
  refusal: (status, code) => ({ status, code }),
  endpoints: [
    {
      at: 'GET /v1/search',
      rules: photoRules,
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.images(asked(given, now))
        const photos = hits.map((hit) => ({
          id: hit.mark,
          width: hit.width,
          height: hit.height,
          url: hit.url,
          alt: hit.title,
          photographer: hit.creator,
          src: { original: hit.imageUrl, medium: hit.thumbnail.url },
        }))
        return ok({ page: Number(given['page'] ?? 1), per_page: hits.length, total_results: total, photos })
      },
    },
    {
      at: 'GET /videos/search',
      rules,
      answer(given, { now, corpus }) {
        const { total, hits } = corpus.videos(asked(given, now))
        const videos = hits.map((hit) => ({
          id: hit.mark,
          url: `https://pexels.example/video/${slugOf(hit.title)}-${hit.mark}/`,
          image: hit.thumbnailUrl,
          duration: hit.seconds,
          user: { name: hit.channel, url: `https://pexels.example/@${hit.mark}` },
          video_files: [],
        }))
        return ok({ page: Number(given['page'] ?? 1), per_page: hits.length, total_results: total, videos })
      },
    },
  ],
})
