// A good request for everything a provider answers, for tests that go over all providers.
import { SANDBOX_KEYS } from '../sandbox.ts'

export interface SampleRequest {
  slug: string
  /** What it asks for. */
  what: string
  /** Below the provider's base, with the query string. */
  path: string
  headers?: Record<string, string>
  /** Of a POST. */
  body?: string
  /** Where the results stand in the reply. */
  results: readonly string[]
}

const AGENT = { 'user-agent': 'BowerbirdTest/1.0 (tests@bowerbird.example)' }
const BRAVE = { 'x-subscription-token': SANDBOX_KEYS.brave }
const KAGI = { authorization: `Bearer ${SANDBOX_KEYS.kagi}`, 'content-type': 'application/json' }
const STAAN = { authorization: `Bearer ${SANDBOX_KEYS.staan}`, 'content-type': 'application/json' }
const COMMONS = '/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrnamespace=6&gsrlimit=10'

const sample = (slug: string, what: string, rest: Omit<SampleRequest, 'slug' | 'what'>): SampleRequest => ({
  slug,
  what,
  ...rest,
})
const brave = (what: string, results: string[]) =>
  sample('brave', what, { path: `/res/v1/${what}/search?q=climate&count=10`, headers: BRAVE, results })
const searxng = (what: string) =>
  sample('searxng', what, { path: `/search?q=climate&format=json&categories=${what}`, results: ['results'] })
const kagi = (workflow: string, name: string) =>
  sample('kagi', workflow, {
    path: '/api/v1/search',
    headers: KAGI,
    body: JSON.stringify({ query: 'climate', workflow, limit: 10 }),
    results: ['data', name],
  })

export const SAMPLE_REQUESTS: readonly SampleRequest[] = [
  brave('web', ['web', 'results']),
  brave('images', ['results']),
  brave('news', ['results']),
  brave('videos', ['results']),
  brave('suggest', ['results']),
  sample('commons', 'images', {
    path: `${COMMONS}&gsrsearch=filetype:bitmap%7Cdrawing%20climate&prop=imageinfo&iiprop=url%7Csize&iiurlheight=180`,
    headers: AGENT,
    results: ['query', 'pages'],
  }),
  sample('duckduckgo', 'suggest', { path: '/ac/?q=climate&type=list&kl=wt-wt', results: ['1'] }),
  sample('gdelt', 'news', {
    path: '/api/v2/doc/doc?query=climate&mode=artlist&format=json&maxrecords=10',
    results: ['articles'],
  }),
  sample('hackernews', 'news', { path: '/api/v1/search?query=climate&tags=story&hitsPerPage=10', results: ['hits'] }),
  kagi('search', 'search'),
  kagi('images', 'image'),
  kagi('news', 'news'),
  kagi('videos', 'video'),
  sample('marginalia', 'web', {
    path: '/search?query=climate&count=10',
    headers: { 'api-key': SANDBOX_KEYS.marginalia },
    results: ['results'],
  }),
  sample('mojeek', 'web', {
    path: `/search?q=climate&fmt=json&api_key=${SANDBOX_KEYS.mojeek}`,
    results: ['response', 'results'],
  }),
  sample('openverse', 'images', { path: '/v1/images/?q=climate&page_size=10', results: ['results'] }),
  sample('pixabay', 'images', { path: `/api/?key=${SANDBOX_KEYS.pixabay}&q=climate&per_page=10`, results: ['hits'] }),
  searxng('general'),
  searxng('images'),
  searxng('news'),
  searxng('videos'),
  sample('searxng', 'suggest', { path: '/autocompleter?q=climate', results: ['1'] }),
  sample('sepiasearch', 'videos', { path: '/api/v1/search/videos?search=climate&count=10', results: ['data'] }),
  sample('staan', 'web by GET', {
    path: '/v2/search/web?q=climate&market=en-us',
    headers: STAAN,
    results: ['web', 'results'],
  }),
  sample('staan', 'web by POST', {
    path: '/v2/search/web',
    headers: STAAN,
    body: JSON.stringify({ q: 'climate', market: 'en-us', offset: 0 }),
    results: ['web', 'results'],
  }),
  sample('wikipedia', 'suggest', {
    path: '/w/api.php?action=opensearch&format=json&search=climate&namespace=0&limit=10',
    headers: AGENT,
    results: ['1'],
  }),
  sample('worldnews', 'news', {
    path: '/search-news?text=climate&number=10',
    headers: { 'x-api-key': SANDBOX_KEYS.worldnews },
    results: ['news'],
  }),
]
