// MDN: `GET /api/v1/search`, keyless. Our own choice: which locales it refuses.
import { defineJsonProvider, ok, oneOf, optional, text, whole, wordOf } from './json-provider.ts'
import { projectNameOf } from './projects.ts'

export const mdn = defineJsonProvider({
  slug: 'mdn',
  key: '',
  admits: () => true,
  optionalMembers: 'title summary highlight popularity score metadata suggestions',
  refusal: (_status, message) => ({ errors: { q: [{ message, code: 'invalid' }] } }),
  endpoints: [
    {
      at: 'GET /api/v1/search',
      rules: {
        q: text(),
        locale: optional(oneOf('en-US', 'de', 'es', 'fr', 'ja', 'ko', 'pt-BR', 'ru', 'zh-CN', 'zh-TW')),
        page: optional(whole(1, 10)),
        size: optional(whole(1, 50)),
      },
      answer(given, { now, corpus }) {
        const [page, size] = [Number(given['page'] ?? 1), Number(given['size'] ?? 10)]
        const locale = wordOf(given['locale'], 'en-US')
        const { total, hits } = corpus.search({
          engine: 'mdn',
          text: String(given['q']),
          start: (page - 1) * size,
          count: size,
          now,
          hidesAdult: true,
        })
        const documents = hits.map((hit) => ({
          mdn_url: `/${locale}/docs/Web/${projectNameOf(hit)}`,
          locale,
          title: hit.title,
          summary: hit.sentences.join(' '),
          highlight: { body: [`<mark>${hit.title}</mark>`], title: [] },
          popularity: 0.1,
          score: 10,
        }))
        return ok({ documents, metadata: { took_ms: 5, size, page, total: { value: total } }, suggestions: [] })
      },
    },
  ],
})
