// YaCy: `GET /yacysearch.json` of an open peer, keyless. Numbers are strings, and the list of items ends with an empty
// object. Its only filter is the language.
import { defineJsonProvider, matching, ok, oneOf, optional, text, whole } from './json-provider.ts'

export const yacy = defineJsonProvider({
  slug: 'yacy',
  key: '',
  admits: () => true,
  optionalMembers: 'title description pubDate size sizename guid host path file icon cache',
  refusal: (_status, message) => ({ channels: [], message }),
  endpoints: [
    {
      at: 'GET /yacysearch.json',
      rules: {
        query: text(),
        startRecord: optional(whole(0, 10_000)),
        maximumRecords: optional(whole(1, 100)),
        contentdom: optional(oneOf('text', 'image')),
        resource: optional(oneOf('local', 'global')),
        lr: optional(matching(/^lang_[a-z]{2,3}$/)),
        nav: optional(oneOf('none', 'all')),
        verify: optional(oneOf('true', 'false', 'iffresh')),
      },
      answer(given, { now, corpus }) {
        const start = Number(given['startRecord'] ?? 0)
        const count = Number(given['maximumRecords'] ?? 10)
        const asked = { engine: 'yacy', text: String(given['query']), start, count, now, hidesAdult: false }
        const { total, hits } =
          given['contentdom'] === 'image' ? pictures(corpus.images(asked)) : pages(corpus.search(asked))
        const items = hits.length > 0 ? [...hits, {}] : []
        const channel = { title: 'YaCy', totalResults: `${total}`, startIndex: `${start}`, itemsPerPage: `${count}` }
        return ok({ channels: [{ ...channel, searchTerms: given['query'], items, navigation: [] }] })
      },
    },
  ],
})

type Hits<Hit> = { total: number; hits: readonly Hit[] }

const pages = ({ total, hits }: Hits<{ title: string; url: string; host: string; sentences: readonly string[] }>) => ({
  total,
  hits: hits.map((hit) => ({
    title: hit.title,
    link: hit.url,
    description: `<b>${hit.title}</b> ${hit.sentences[0] ?? ''}`,
    pubDate: 'Sat, 14 Nov 2026 00:00:00 +0000',
    size: '1234',
    host: hit.host,
  })),
})

const pictures = ({ total, hits }: Hits<{ title: string; url: string; imageUrl: string; host: string }>) => ({
  total,
  hits: hits.map((hit) => ({
    title: hit.title,
    link: hit.url,
    image: hit.imageUrl,
    icon: '/ViewImage.png?code=1',
    host: hit.host,
  })),
})
