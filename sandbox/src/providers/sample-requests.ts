// A valid request for everything a provider answers, for tests over all providers.
import { SANDBOX_KEYS } from '../sandbox.ts'
import { MORE_SAMPLE_REQUESTS } from './more-sample-requests.ts'
import { type SampleRequest, sample } from './sample-request.ts'

export type { SampleRequest } from './sample-request.ts'

const AGENT = { 'user-agent': 'BowerbirdTest/1.0 (tests@bowerbird.example)' }
const BRAVE = { 'x-subscription-token': SANDBOX_KEYS.brave }
const KAGI = { authorization: `Bearer ${SANDBOX_KEYS.kagi}`, 'content-type': 'application/json' }
const STAAN = { authorization: `Bearer ${SANDBOX_KEYS.staan}`, 'content-type': 'application/json' }
const COMMONS = '/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrnamespace=6&gsrlimit=10'
const ARTICLES = '/w/api.php?action=query&format=json&formatversion=2'

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
  sample('apertium', 'pairs', { path: '/listPairs', results: ['responseData'] }),
  sample('apertium', 'names', {
    path: '/listLanguageNames?locale=en&languages=eng+spa',
    results: ['spa'],
    isLookup: true,
  }),
  sample('apertium', 'translation', {
    path: '/translate',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'langpair=eng%7Cspa&markUnknown=no&q=hello',
    results: ['responseData', 'translatedText'],
    isLookup: true,
  }),
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
  sample('ecb', 'rates', { path: '/stats/eurofxref/eurofxref-daily.xml', results: [], isLookup: true }),
  sample('frankfurter', 'rates', { path: '/v2/rates?base=EUR&quotes=USD,GBP', results: ['0', 'rate'], isLookup: true }),
  sample('gdelt', 'news', {
    path: '/api/v2/doc/doc?query=climate&mode=artlist&format=json&maxrecords=10',
    results: ['articles'],
  }),
  sample('hackernews', 'news', { path: '/api/v1/search?query=climate&tags=story&hitsPerPage=10', results: ['hits'] }),
  kagi('search', 'search'),
  kagi('images', 'image'),
  kagi('news', 'news'),
  kagi('videos', 'video'),
  sample('libretranslate', 'languages', { path: '/languages', results: [] }),
  sample('libretranslate', 'settings', { path: '/frontend/settings', results: ['language'], isLookup: true }),
  sample('libretranslate', 'health', { path: '/health', results: ['status'], isLookup: true }),
  sample('libretranslate', 'translation', {
    path: '/translate',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ q: 'hello', source: 'auto', target: 'fr', api_key: SANDBOX_KEYS.libretranslate }),
    results: ['translatedText'],
    isLookup: true,
  }),
  sample('marginalia', 'web', {
    path: '/search?query=climate&count=10',
    headers: { 'api-key': SANDBOX_KEYS.marginalia },
    results: ['results'],
  }),
  sample('mojeek', 'web', {
    path: `/search?q=climate&fmt=json&api_key=${SANDBOX_KEYS.mojeek}`,
    results: ['response', 'results'],
  }),
  sample('nominatim', 'search', {
    path: '/search?q=harbour&format=jsonv2&limit=10&accept-language=en',
    headers: AGENT,
    results: [],
  }),
  sample('nominatim', 'reverse', {
    path: '/reverse?lat=48.8584&lon=2.2945&format=jsonv2&accept-language=en',
    headers: AGENT,
    results: ['display_name'],
    isLookup: true,
  }),
  sample('nominatim', 'status', {
    path: '/status?format=json',
    headers: AGENT,
    results: ['message'],
    isLookup: true,
  }),
  sample('openmeteo', 'forecast', {
    path: '/v1/forecast?latitude=48.85&longitude=2.35&current=temperature_2m&daily=weather_code&timezone=auto',
    results: ['current'],
    isLookup: true,
  }),
  sample('openmeteoplaces', 'search', {
    path: '/v1/search?name=Paris&count=10&language=en&format=json',
    results: ['results'],
    isLookup: true,
  }),
  sample('openlibrary', 'books', {
    path: '/search.json?q=dune&fields=key,title,author_name&limit=5',
    results: ['docs', '0'],
    isLookup: true,
  }),
  sample('openverse', 'images', { path: '/v1/images/?q=climate&page_size=10', results: ['results'] }),
  sample('photon', 'search', { path: '/api?q=harbour&limit=10', results: ['features'] }),
  sample('photon', 'reverse', { path: '/reverse?lat=48.8584&lon=2.2945', results: ['features'], isLookup: true }),
  sample('photon', 'status', { path: '/status', results: ['status'], isLookup: true }),
  searxng('general'),
  searxng('images'),
  searxng('news'),
  searxng('videos'),
  sample('searxng', 'suggest', { path: '/autocompleter?q=climate', results: ['1'] }),
  sample('sepiasearch', 'videos', { path: '/api/v1/search/videos?search=climate&count=10', results: ['data'] }),
  sample('stackexchange', 'questions', {
    path: '/2.3/search/advanced?site=stackoverflow&q=python%20list&sort=relevance&accepted=True',
    results: ['items', '0'],
    isLookup: true,
  }),
  sample('stackexchange', 'answers', {
    path: '/2.3/questions/100201/answers?site=stackoverflow&filter=withbody',
    results: ['items', '0'],
    isLookup: true,
  }),
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
  sample('wikidata', 'item', {
    path: '/w/api.php?action=wbgetentities&format=json&formatversion=2&ids=Q243&props=labels%7Caliases%7Cclaims',
    headers: AGENT,
    results: ['entities', 'Q243'],
    isLookup: true,
  }),
  sample('wikipedia', 'suggest', {
    path: '/w/api.php?action=opensearch&format=json&search=climate&namespace=0&limit=10',
    headers: AGENT,
    results: ['1'],
  }),
  sample('wikipedia', 'articles by title', {
    path: `${ARTICLES}&redirects=1&titles=eiffel%20tower%7CInception&prop=extracts%7Cpageimages%7Cinfo&pithumbsize=330`,
    headers: AGENT,
    results: ['query', 'pages'],
    isLookup: true,
  }),
  sample('wikipedia', 'articles by search', {
    path: `${ARTICLES}&generator=search&gsrsearch=tower&gsrnamespace=0&prop=extracts%7Cinfo`,
    headers: AGENT,
    results: ['query', 'pages'],
    isLookup: true,
  }),
  sample('wiktionary', 'definitions', {
    path: '/api/rest_v1/page/definition/serendipity?redirect=false',
    headers: AGENT,
    results: ['en'],
    isLookup: true,
  }),
  sample('worldnews', 'news', {
    path: '/search-news?text=climate&number=10',
    headers: { 'x-api-key': SANDBOX_KEYS.worldnews },
    results: ['news'],
  }),
  ...MORE_SAMPLE_REQUESTS,
]
