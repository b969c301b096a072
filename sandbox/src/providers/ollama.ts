// Ollama: `POST /api/web_search`, bearer key. Ten results at most, and no filter.
import { defineJsonProvider, ok, optional, text, whole } from './json-provider.ts'

const KEY = 'sandbox-ollama-key'

export const ollama = defineJsonProvider({
  slug: 'ollama',
  key: KEY,
  readsHeaders: ['authorization'],
  admits: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  optionalMembers: 'title content',
  refusal: (_status, error) => ({ error }),
  endpoints: [
    {
      at: 'POST /api/web_search',
      rules: { query: text(), max_results: optional(whole(1, 10)) },
      answer(given, { now, corpus }) {
        const count = Number(given['max_results'] ?? 5)
        const asked = { engine: 'ollama', text: String(given['query']), start: 0, count, now, hidesAdult: false }
        const results = corpus.search(asked).hits.map((hit) => ({
          title: hit.title,
          url: hit.url,
          content: `# ${hit.title}\n\n${hit.sentences.join('\n\n')}`,
        }))
        return ok({ results })
      },
    },
  ],
})
