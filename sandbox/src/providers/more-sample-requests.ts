// Valid requests to the APIs made for programs, most of them by POST. The others are in `sample-requests.ts`.
import { SANDBOX_KEYS } from '../sandbox.ts'
import { type SampleRequest, sample } from './sample-request.ts'

const AGENT = { 'user-agent': 'BowerbirdTest/1.0 (tests@bowerbird.example)' }
const WIKI = '/w/api.php?action=query&format=json&formatversion=2'

const JSON_BODY = { 'content-type': 'application/json' }
const bearerOf = (slug: string) => ({ authorization: `Bearer ${SANDBOX_KEYS[slug]}` })
const posted = (slug: string, what: string, { path, body, headers = {}, results }: Posted): SampleRequest =>
  sample(slug, what, { path, headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body), results })

interface Posted {
  path: string
  body: Record<string, unknown>
  headers?: Record<string, string>
  results: string[]
}

const firecrawl = (slug: string, source: string) =>
  posted(slug, source, {
    path: '/v2/search',
    body: { query: 'climate', limit: 10, sources: [source] },
    headers: slug === 'firecrawl' ? bearerOf(slug) : {},
    results: ['data', source],
  })
const tavily = (slug: string, topic: string) =>
  posted(slug, topic, {
    path: '/search',
    body: { query: 'climate', max_results: 10, topic },
    headers: slug === 'tavily' ? bearerOf(slug) : { 'x-tavily-access-mode': 'keyless' },
    results: ['results'],
  })
const webiq = (what: string, results: string) =>
  posted('webiq', what, {
    path: `/v3/search/${what}`,
    body: { query: 'climate', maxResults: 10 },
    headers: { 'x-apikey': SANDBOX_KEYS.webiq },
    results: [results],
  })
const serper = (what: string, results: string) =>
  posted('serper', what, {
    path: `/${what}`,
    body: { q: 'climate' },
    headers: { 'x-api-key': SANDBOX_KEYS.serper },
    results: [results],
  })
const jina = (type: string) =>
  sample('jina', type, {
    path: `/?q=climate&count=10&respondWith=no-content&type=${type}`,
    headers: bearerOf('jina'),
    results: ['data'],
  })
const google = (slug: 'searchapi' | 'serpapi', engine: string, results: string) =>
  sample(slug, engine, {
    path:
      slug === 'searchapi'
        ? `/api/v1/search?q=climate&engine=${engine}`
        : `/search.json?q=climate&engine=${engine}&api_key=${SANDBOX_KEYS.serpapi}`,
    headers: slug === 'searchapi' ? bearerOf(slug) : {},
    results: [results],
  })

export const MORE_SAMPLE_REQUESTS: readonly SampleRequest[] = [
  sample('arxiv', 'science', {
    path: '/api/query?search_query=all:climate&max_results=10',
    results: [],
    isLookup: true,
  }),
  sample('codeberg', 'code', { path: '/api/v1/repos/search?q=climate&limit=10', results: ['data'] }),
  sample('npm', 'code', { path: '/-/v1/search?text=climate&size=10', results: ['objects'] }),
  sample('crates', 'code', { path: '/api/v1/crates?q=climate&per_page=10', results: ['crates'] }),
  sample('crossref', 'science', { path: '/works?query=climate&rows=10', results: ['message', 'items'] }),
  sample('europepmc', 'science', {
    path: '/europepmc/webservices/rest/search?query=climate&format=json&pageSize=10',
    results: ['resultList', 'result'],
  }),
  sample('github', 'code', {
    path: '/search/repositories?q=climate&per_page=10',
    headers: bearerOf('github'),
    results: ['items'],
  }),
  sample('githubfree', 'code', { path: '/search/repositories?q=climate&per_page=10', results: ['items'] }),
  sample('openalex', 'science', {
    path: `/works?search=climate&per-page=10&api_key=${SANDBOX_KEYS.openalex}`,
    results: ['results'],
  }),
  sample('openalexfree', 'science', { path: '/works?search=climate&per-page=10', results: ['results'] }),
  sample('semanticscholar', 'science', {
    path: '/graph/v1/paper/search?query=climate&limit=10',
    headers: { 'x-api-key': SANDBOX_KEYS.semanticscholar },
    results: ['data'],
  }),
  posted('you', 'web', {
    path: '/v1/search',
    body: { query: 'climate', count: 10 },
    headers: { 'x-api-key': SANDBOX_KEYS.you },
    results: ['results', 'web'],
  }),
  sample('youfree', 'web', { path: '/v1/agents/search?query=climate&count=10', results: ['results', 'web'] }),
  ...['firecrawl', 'firecrawlfree'].flatMap((slug) =>
    ['web', 'images', 'news'].map((source) => firecrawl(slug, source)),
  ),
  ...['tavily', 'tavilyfree'].flatMap((slug) => ['general', 'news'].map((topic) => tavily(slug, topic))),
  sample('dailymotion', 'videos', { path: '/videos?search=climate&fields=id,title,url&limit=10', results: ['list'] }),
  posted('mediathekview', 'videos', {
    path: '/api/query',
    body: { queries: [{ fields: ['title'], query: 'climate' }], offset: 0, size: 10 },
    results: ['result', 'results'],
  }),
  sample('niconico', 'videos', {
    path: '/api/v2/snapshot/video/contents/search?q=climate&targets=title&_sort=-viewCounter&_context=test',
    results: ['data'],
  }),
  sample('commons', 'videos', {
    path: `${WIKI}&generator=search&gsrnamespace=6&gsrlimit=10&gsrsearch=filetype:video%20climate&prop=imageinfo&iiprop=url%7Csize`,
    headers: AGENT,
    results: ['query', 'pages'],
  }),
  sample('yacy', 'web', { path: '/yacysearch.json?query=climate', results: ['channels', '0', 'items'] }),
  sample('yacy', 'images', {
    path: '/yacysearch.json?query=climate&contentdom=image',
    results: ['channels', '0', 'items'],
  }),
  sample('peertube', 'videos', {
    path: '/api/v1/search/videos?search=climate&count=10&searchTarget=local',
    results: ['data'],
  }),
  sample('stackexchange', 'excerpts', {
    path: '/2.3/search/excerpts?site=stackoverflow&q=climate&pagesize=10&sort=relevance',
    results: ['items'],
  }),
  sample('wikipedia', 'web', {
    path: `${WIKI}&list=search&srsearch=climate&srlimit=10&meta=siteinfo&siprop=general`,
    headers: AGENT,
    results: ['query', 'search'],
  }),
  webiq('web', 'webResults'),
  webiq('images', 'imageResults'),
  webiq('news', 'newsResults'),
  webiq('videos', 'videoResults'),
  serper('search', 'organic'),
  serper('images', 'images'),
  serper('news', 'news'),
  serper('videos', 'videos'),
  serper('autocomplete', 'suggestions'),
  jina('web'),
  jina('images'),
  jina('news'),
  ...['web', 'news'].map((what) =>
    posted('exa', what, {
      path: '/search',
      body: { query: 'climate', numResults: 10, ...(what === 'news' && { category: 'news' }) },
      headers: { 'x-api-key': SANDBOX_KEYS.exa },
      results: ['results'],
    }),
  ),
  posted('perplexity', 'web', {
    path: '/search',
    body: { query: 'climate' },
    headers: bearerOf('perplexity'),
    results: ['results'],
  }),
  posted('langsearch', 'web', {
    path: '/v1/web-search',
    body: { query: 'climate' },
    headers: bearerOf('langsearch'),
    results: ['data', 'webPages', 'value'],
  }),
  google('searchapi', 'google', 'organic_results'),
  google('searchapi', 'google_images', 'images'),
  google('searchapi', 'google_autocomplete', 'suggestions'),
  google('serpapi', 'google', 'organic_results'),
  google('serpapi', 'google_images', 'images_results'),
  google('serpapi', 'google_autocomplete', 'suggestions'),
  sample('youtube', 'videos', {
    path: '/youtube/v3/search?part=snippet&type=video&q=climate&maxResults=10',
    headers: { 'x-goog-api-key': SANDBOX_KEYS.youtube },
    results: ['items'],
  }),
  sample('pexels', 'images', {
    path: '/v1/search?query=climate&per_page=10',
    headers: { authorization: SANDBOX_KEYS.pexels },
    results: ['photos'],
  }),
  sample('pexels', 'videos', {
    path: '/videos/search?query=climate&per_page=10',
    headers: { authorization: SANDBOX_KEYS.pexels },
    results: ['videos'],
  }),
  sample('gnews', 'news', {
    path: '/api/v4/search?q=climate',
    headers: { 'x-api-key': SANDBOX_KEYS.gnews },
    results: ['articles'],
  }),
]
