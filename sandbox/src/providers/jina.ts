// Jina: `GET /`, bearer key, three types. No results is an error with status 422. Without `respondWith=no-content` it
// would fetch every page: refused here. Its only filter is the language.
import { country, defineJsonProvider, googleLanguage, ok, oneOf, optional, text, whole } from './json-provider.ts'
import { MS_AN_HOUR } from './wire-time.ts'

const KEY = 'sandbox-jina-key'

const foundNothing = (q: unknown) => ({
  status: 422,
  json: {
    data: null,
    code: 422,
    name: 'AssertionFailureError',
    status: 42_206,
    message: `No search results available for query ${String(q)}`,
    readableMessage: 'AssertionFailureError: No search results',
  },
})

export const jina = defineJsonProvider({
  slug: 'jina',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  optionalMembers: 'title description date source usage meta imageWidth imageHeight',
  refusal: (code, message) => ({ data: null, code, name: 'ParamValidationError', status: code * 100, message }),
  endpoints: [
    {
      at: 'GET /',
      rules: {
        q: text(),
        count: optional(whole(0, 20)),
        page: optional(whole(1, 50)),
        gl: country,
        hl: googleLanguage,
        type: optional(oneOf('web', 'news', 'images')),
        respondWith: oneOf('no-content'),
      },
      answer(given, { now, corpus }) {
        const count = Number(given['count'] ?? 10)
        const start = (Number(given['page'] ?? 1) - 1) * count
        const asked = { engine: 'jina', text: String(given['q']), start, count, now, hidesAdult: false }
        const ago = (time: number) => `${Math.max(1, Math.round((now - time) / MS_AN_HOUR))} hours ago`
        const data =
          given['type'] === 'images'
            ? corpus.images(asked).hits.map((hit) => ({
                title: hit.title,
                url: hit.url,
                imageUrl: hit.imageUrl,
                imageWidth: hit.width,
                imageHeight: hit.height,
              }))
            : given['type'] === 'news'
              ? corpus.news(asked).hits.map((hit) => ({
                  title: hit.title,
                  url: hit.url,
                  description: hit.sentences[0],
                  date: ago(hit.publishedAt),
                  source: hit.publisher,
                }))
              : corpus.search(asked).hits.map((hit) => ({
                  title: hit.title,
                  url: hit.url,
                  description: hit.sentences[0],
                  ...(hit.publishedAt !== undefined && { date: ago(hit.publishedAt) }),
                  usage: { tokens: 1_000 },
                }))
        if (data.length === 0) return foundNothing(given['q'])
        return ok({ code: 200, status: 20_000, data, meta: { usage: { tokens: 10_000 } } })
      },
    },
  ],
})
