// Ollama: a web search API, with the key of a free account. JSON over HTTP, by POST. It returns ten results and has no
// filters, so it is only queried with `safe=off` and without a time range; the host checks the language of its results.

import { defineEngine, PAGE_SIZE } from '../engine.ts'
import { bearer, postJson } from '../parsing/json-request.ts'
import { markdownText } from '../parsing/plain-text.ts'
import { parseResults, webHit } from '../parsing/read-hits.ts'
import { secret, setting } from '../setting.ts'

export const ollama = defineEngine({
  slug: 'ollama',
  name: 'Ollama',
  homepage: 'https://ollama.com',
  index: 'unknown',
  settings: { apiKey: secret('OLLAMA_API_KEY'), baseUrl: setting('OLLAMA_URL', 'https://ollama.com') },
  terms: {
    cacheSeconds: 300,
    cacheIn: 'memory',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'the quota, which is not published, and terms on caching',
    restSeconds: 3600,
  },
  tabs: {
    web: {
      lastPage: 1,
      honours: [],
      hasTextInAnyLanguage: true,
      request: (query, { apiKey }) =>
        postJson('/api/web_search', { query: query.text, max_results: PAGE_SIZE }, bearer(apiKey)),
      parse: parseResults('results', ({ url, title, content }) =>
        webHit({ url, title, description: markdownText(content) }),
      ),
    },
  },
})
