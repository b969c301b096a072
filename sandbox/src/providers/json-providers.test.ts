// What the providers of `json-provider.ts` refuse: missing credentials, and every parameter that the real one refuses.
import { describe, expect, it } from 'vitest'
import { ALL_PROVIDERS } from './all.ts'
import type { Provider } from './provider.ts'
import { askProvider } from './provider-testing.ts'
import { SAMPLE_REQUESTS, type SampleRequest } from './sample-requests.ts'

/** A change to the good request, by provider, that must be refused. */
const REFUSED: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  codeberg: [{ limit: 51 }, { sort: 'name' }],
  crates: [{ per_page: 101 }, { sort: 'name' }],
  crossref: [{ rows: 1_001 }, { filter: 'from-pub-date:2026' }, { query: ' ' }],
  dailymotion: [{ family_filter: 'maybe' }, { limit: 101 }, { search: ' ' }],
  europepmc: [{ pageSize: 1_001 }, { format: 'xml' }],
  exa: [
    { includeDomains: ['a.org'], excludeDomains: ['b.org'] },
    { moderation: 'yes' },
    { numResults: 101 },
    { userLocation: 'de' },
  ],
  firecrawl: [
    { includeDomains: ['a.org'], excludeDomains: ['b.org'] },
    { limit: 101 },
    { sources: ['maps'] },
    { tbs: 'week' },
    { query: 'x'.repeat(501) },
  ],
  firecrawlfree: [{ limit: 0 }, { country: 'germany' }],
  github: [{ per_page: 101 }, { q: 'x'.repeat(257) }],
  githubfree: [{ page: 0 }],
  gnews: [{ lang: 'tlh' }, { max: 11 }, { q: 'c++' }],
  jina: [{ respondWith: 'markdown' }, { count: 21 }, { hl: 'de-DE' }, { hl: 'zh' }, { hl: 'he' }],
  langsearch: [{ freshness: 'week' }, { freshness: '2026-11-01..' }, { count: 51 }],
  mediathekview: [{ queries: [{ query: 'x' }] }, { size: 1_001 }],
  niconico: [{ _sort: 'relevance' }, { _context: '' }, { _limit: 101 }],
  npm: [{ size: 251 }, { text: ' ' }],
  openalex: [{ 'per-page': 201 }, { filter: 'language:deu,x' }],
  openalexfree: [{ sort: 'date' }],
  perplexity: [{ max_results: 21 }, { search_language_filter: 'de' }, { search_language_filter: ['fil'] }],
  pexels: [{ locale: 'de' }, { per_page: 81 }],
  searchapi: [{ hl: 'nb' }, { safe: 'on' }, { time_period: 'week' }],
  semanticscholar: [{ limit: 101 }, { publicationDateOrYear: '2026' }],
  serpapi: [{ hl: 'zh' }, { lr: 'lang_zh' }, { tbs: 'week' }, { gl: 'DE' }],
  serper: [{ hl: 'fil' }, { gl: 'DE' }, { num: 101 }],
  tavily: [{ max_results: 21 }, { topic: 'sport' }],
  tavilyfree: [{ time_range: 'decade' }],
  webiq: [{ safeSearch: 'moderate' }, { maxResults: 51 }, { region: 'de' }],
  yacy: [{ lr: 'de' }, { contentdom: 'film' }],
  you: [{ language: 'JA' }, { offset: 10 }, { freshness: 'pd' }],
  youfree: [{ safesearch: 'on' }],
  youtube: [{ maxResults: 51 }, { safeSearch: 'on' }],
}

const KEYLESS_STRANGERS: Readonly<Record<string, Record<string, string>>> = {
  firecrawlfree: { authorization: 'Bearer ' },
  githubfree: { authorization: 'Bearer ' },
  semanticscholar: { 'x-api-key': 'wrong' },
  tavilyfree: {},
  youfree: { authorization: 'Bearer ' },
}

const askWith = (provider: Provider, request: SampleRequest, change: Record<string, unknown>) => {
  const { pathname, searchParams } = new URL(request.path, 'https://sandbox.example')
  const texts = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, String(value)]))
  return askProvider(provider, {
    path: pathname,
    query: { ...Object.fromEntries(searchParams), ...(request.body === undefined ? texts : {}) },
    headers: request.headers ?? {},
    ...(request.body !== undefined && { body: JSON.stringify({ ...JSON.parse(request.body), ...change }) }),
  })
}

const CASES = ALL_PROVIDERS.flatMap((provider) => {
  const request = SAMPLE_REQUESTS.find(({ slug }) => slug === provider.slug)
  return provider.slug in REFUSED && request ? [{ slug: provider.slug, provider, request }] : []
})

it('every provider has a row in the table', () => {
  expect(CASES.map(({ slug }) => slug)).toEqual(Object.keys(REFUSED))
})

describe.each(CASES)('$slug', ({ slug, provider, request }) => {
  it('200: the good request', () => {
    expect(askWith(provider, request, {}).status).toBe(200)
  })

  it('400: a parameter that the real one refuses, and one that does not exist', () => {
    for (const change of [...(REFUSED[slug] ?? []), { nosuchparameter: 'x' }]) {
      expect([change, askWith(provider, request, change).status]).toEqual([change, 400])
    }
  })

  it('401 or 403: missing credentials', () => {
    const stranger = KEYLESS_STRANGERS[slug]
    if (provider.key === '' && stranger === undefined) return
    const path = request.path.replace(provider.key || '\n', 'wrong')
    expect(askWith(provider, { ...request, path, headers: stranger ?? {} }, {}).status).toBe(
      slug === 'serper' ? 403 : 401,
    )
  })
})
