// What reads requests. Before a key or session is known, the worst request costs 5 ms at most.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { allowing, type StrangeRequest, type Surface } from './surface.ts'

/** All that Node accepts of a URL and headers together. */
const HEAD_BYTES = 16_384
const BEFORE = { when: 'before a key or session', limit: HEAD_BYTES, boundMs: 5 } as const
const WITH_KEY = { when: 'with a key or session', limit: HEAD_BYTES, boundMs: 20 } as const

/** Only what may stand in a URL or a header; everything else is escaped. */
const inUrl = (text: string): string =>
  text.replace(/[^!-~]/g, (character) => encodeURIComponent(character.toWellFormed()))
const inHeader = (text: string): string => text.replace(/[^\t -~]/g, '?').trim()
const header =
  (name: string, path = '/livez') =>
  (text: string): StrangeRequest => ({ path, headers: { [name]: inHeader(text) } })

const KEY = 'bowerbird_AbCdEfGh.0123456789012345678901234567890123456789012abcdef'
const PAGE = '/login'
const JSON_TYPE = { 'content-type': 'application/json' }

const HEADER_SURFACES: readonly Surface[] = [
  {
    ...BEFORE,
    name: 'query string',
    files: ['server/src/text/query-params.ts'],
    seeds: ['q=climate+change&page=2&safe=on', 'q=Z%C3%BCrich&a&a=%E4%zz&engine=engine_a&engine=engine_b'],
    async load() {
      const { hasTooManyParams, parseQueryParams } = await import('../../server/src/text/query-params.ts')
      return (text) => [hasTooManyParams(`/?${text}`), parseQueryParams(text)]
    },
    request: (text) => ({ path: `/livez?${inUrl(text)}` }),
  },
  {
    ...BEFORE,
    name: 'path',
    files: ['server/src/compat/key-location.ts'],
    seeds: [
      `/k/${KEY}/searxng/search?q=x`,
      '/search?q=x&format=json',
      '/k/a/mcp',
      '/search/?a=b&format=rss',
      '//v1/search',
    ],
    async load() {
      const { createUrlRewriter } = await import('../../server/src/compat/key-location.ts')
      const rewrite = createUrlRewriter(true)
      // It reads nothing else of a request.
      return (url) => rewrite({ url } as never)
    },
    request: (text) => ({ path: `/${inUrl(text)}`.replace(/^\/\//, '/') }),
  },
  {
    ...BEFORE,
    name: 'Host',
    files: ['server/src/http/http-server.ts', 'server/src/text/public-address.ts'],
    seeds: ['search.example.org:8443', '[2001:db8::1]:80', 'localhost.', '127.0.0.1'],
    async load() {
      const { createHostCheck } = await import('../../server/src/http/http-server.ts')
      const { publicAddress } = await import('../../server/src/text/public-address.ts')
      const isAllowed = createHostCheck(['example.org'], 'https://search.example.org')
      return (host) => [isAllowed?.(host), publicAddress({ protocol: 'https', host }, '')]
    },
    request: (text) => ({ path: PAGE, headers: { Host: inHeader(text) || 'localhost' } }),
  },
  {
    ...BEFORE,
    name: 'Accept',
    files: ['server/src/text/content-negotiation.ts'],
    seeds: ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'application/x-ndjson;q=0.5, text/event-stream'],
    async load() {
      const { preferredType } = await import('../../server/src/text/content-negotiation.ts')
      return (text) => preferredType(text, 'application/json', ['text/event-stream', 'application/x-ndjson'])
    },
    request: header('Accept', '/api/v1/web/?q=x'),
  },
  {
    ...BEFORE,
    name: 'Accept-Encoding',
    files: ['server/src/text/content-negotiation.ts'],
    seeds: ['gzip, deflate, br;q=1.0, zstd', '*;q=0, identity'],
    async load() {
      const { ENCODINGS, encodingFor } = await import('../../server/src/text/content-negotiation.ts')
      return (text) => encodingFor(text, ENCODINGS)
    },
    request: header('Accept-Encoding', PAGE),
  },
  {
    ...BEFORE,
    name: 'If-None-Match',
    files: ['server/src/text/content-negotiation.ts'],
    seeds: ['W/"abc", "def"', '*'],
    async load() {
      const { isKnownTag } = await import('../../server/src/text/content-negotiation.ts')
      return (text) => isKnownTag(text, 'W/"0123456789012345678901"')
    },
    request: header('If-None-Match', '/docs'),
  },
  {
    ...BEFORE,
    name: 'Accept-Language',
    files: ['server/src/site/i18n/messages.ts'],
    seeds: ['de-DE,de;q=0.9,en;q=0.8', '*;q=0.1, fr ; q=1.000'],
    async load() {
      const { localeFor } = await import('../../server/src/site/i18n/messages.ts')
      return localeFor
    },
    request: header('Accept-Language', PAGE),
  },
  {
    ...BEFORE,
    name: 'X-Forwarded-For',
    files: ['server/src/accounts/sign-in-limits.ts'],
    seeds: ['203.0.113.7, 10.0.0.1', '2001:db8::1, ::ffff:10.0.0.1, 127.0.0.1', 'unknown, [::1]:80'],
    async load() {
      const { fastify } = await import('fastify')
      const { toNetwork } = await import('../../server/src/accounts/sign-in-limits.ts')
      const http = fastify({ trustProxy: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'] })
      http.get('/', (request) => toNetwork(request.ip))
      await http.ready()
      // A proxy appends the stranger's own address.
      const asSeen = (text: string) => ({ 'x-forwarded-for': `${text}, 203.0.113.7` })
      return async (text) => await http.inject({ url: '/', headers: asSeen(text) })
    },
    request: (text) => ({ path: PAGE, headers: { 'X-Forwarded-For': `${inHeader(text)}, 203.0.113.7` } }),
  },
  {
    ...BEFORE,
    name: 'Authorization',
    files: [
      'server/src/compat/key-location.ts',
      'server/src/keys/key-format.ts',
      'server/src/api/pipeline/authenticate.ts',
    ],
    seeds: [`Api-Key ${KEY}`, `Bearer ${KEY}`, `Basic ${Buffer.from(`a:${KEY}`).toString('base64')}`],
    async load() {
      const { Refusal } = await import('../../server/src/errors.ts')
      const { createCompatAuthenticate } = await import('../../server/src/compat/key-location.ts')
      const { createAuthenticate } = await import('../../server/src/api/pipeline/authenticate.ts')
      const { readKey } = await import('../../server/src/keys/key-format.ts')
      const check = (presented: string): never => {
        readKey(presented)
        throw new Refusal('key_unknown', '')
      }
      const ways = [createAuthenticate(check), createCompatAuthenticate(check)]
      const runs = ways.map((way) =>
        // They read nothing else of a request.
        allowing([Refusal], (authorization) => way({ headers: { authorization }, raw: {} } as FastifyRequest)),
      )
      return (text) => runs.map((run) => run(text))
    },
    request: header('Authorization', '/api/v1/web/?q=x'),
  },
  {
    ...BEFORE,
    name: 'cookies',
    files: ['server/src/site/preferences.ts', 'server/src/site/http/page-context.ts'],
    seeds: [
      'bowerbird_session=abc; bowerbird_preferences=engines=engine_a.engine_b&safe=off&lang=de&theme=dark',
      'bowerbird_preferences="lang=pt-BR&interface=fr"; bowerbird_visitor=%20',
    ],
    async load() {
      const { openSiteStage } = await import('../../server/src/site/site.test-harness.ts')
      const site = await openSiteStage()
      return async (cookie) =>
        await site.inject({ method: 'GET', url: '/no-page', headers: { cookie, accept: 'text/html' } })
    },
    request: header('Cookie', PAGE),
  },
  {
    ...BEFORE,
    name: 'trace context',
    files: ['server/src/trace.ts'],
    seeds: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'],
    async load() {
      const { defaultTextMapGetter, ROOT_CONTEXT } = await import('@opentelemetry/api')
      const { W3CTraceContextPropagator } = await import('@opentelemetry/core')
      const propagator = new W3CTraceContextPropagator()
      const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      return (text) => [
        propagator.extract(ROOT_CONTEXT, { traceparent: text }, defaultTextMapGetter),
        propagator.extract(ROOT_CONTEXT, { traceparent: parent, tracestate: text }, defaultTextMapGetter),
      ]
    },
    request: header('traceparent'),
  },
  {
    ...BEFORE,
    name: 'signatures and tokens',
    files: ['server/src/site/pictures.ts', 'server/src/site/http/csrf.ts', 'server/src/accounts/tokens.ts'],
    seeds: ['https://pictures.example/a.png', '1.2.abcdefghijklmnopqrstuv', `${'a'.repeat(16)}.${'b'.repeat(43)}`],
    async load() {
      const { createPictures } = await import('../../server/src/site/pictures.ts')
      const { ReplyMemory } = await import('../../server/src/rate-limit/reply-memory.ts')
      const { createCsrf } = await import('../../server/src/site/http/csrf.ts')
      const { createOpaqueTokens } = await import('../../server/src/accounts/tokens.ts')
      const { userOfSuggestionToken } = await import('../../server/src/site/suggestions.ts')
      const instanceSecret = 'of the fuzzer'
      const pictures = createPictures({
        instanceSecret,
        clock: () => 0,
        fetch: () => Promise.reject(new Error('unsigned')),
        memory: new ReplyMemory(),
      })
      const csrf = createCsrf(instanceSecret, randomBytes)
      const tokens = createOpaqueTokens({ instanceSecret, purpose: 'fuzz', randomBytes })
      // The session is looked up only if the signature is valid.
      const services = { signSuggestionToken: () => 'x'.repeat(22) } as never
      return async (text) => [
        pictures.find({ kind: 'icon', address: text, instead: text, signature: text.slice(0, 22) }, '127.0.0.1'),
        csrf.isValid(text, 'browser'),
        tokens.hash(text),
        await userOfSuggestionToken(services, text),
      ]
    },
    request: (text) => ({ path: `/pictures/icon?s=0123456789012345678901&u=${inUrl(text)}` }),
  },
  {
    ...BEFORE,
    name: 'OAuth client',
    files: ['server/src/oauth/oauth-clients.ts'],
    seeds: [
      '{"client_name":"Assistant","redirect_uris":["https://assistant.example/callback","http://127.0.0.1:7/x"]}',
      '{"client_name":"A","redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback"],"token_endpoint_auth_method":"none"}',
    ],
    async load() {
      const { parseJson } = await import('@bowerbird/engines/parsing/parse-json.ts')
      const { readClient } = await import('../../server/src/oauth/oauth-clients.ts')
      return allowing([SyntaxError], (text) => {
        const given = parseJson(text)
        return [readClient(given, 'any'), readClient(given, 'known')]
      })
    },
    // Only an instance with an https address has it; the body is read alike everywhere.
    request: (text) => ({ method: 'POST', path: '/oauth/register', headers: JSON_TYPE, body: text }),
  },
  {
    ...BEFORE,
    name: 'form before signing in',
    files: ['server/src/site/accounts/login-pages.ts', 'server/src/site/http/serve-page.ts'],
    seeds: ['username=ada&password=correct+horse&next=%2Fsearch&_csrf=abc', 'a=1&a=2&a=%zz'],
    async load() {
      const { openSiteStage } = await import('../../server/src/site/site.test-harness.ts')
      const site = await openSiteStage()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return async (payload) => await site.inject({ method: 'POST', url: '/login', headers, payload })
    },
    request: (text) => ({
      method: 'POST',
      path: '/login',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: text,
    }),
  },
]

interface ApiRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  payload?: string
}

/** The key is good for everything, so these would be mistakes. */
const NEVER = new Set([401, 403, 429, 500])

/** The API in memory, with the real pipeline; every request has a valid key. */
async function openApi() {
  const { ApiStage, LIMITS } = await import('../../server/src/api/api.test-harness.ts')
  const { createHttp } = await import('../../server/src/http/http-server.ts')
  const { createMetrics } = await import('../../server/src/metrics/metrics.ts')
  const { PERMISSION_SCOPES } = await import('../../server/src/keys/scopes.ts')
  const stage = new ApiStage()
  const http = createHttp({
    ...stage.services({ limits: LIMITS }),
    metrics: createMetrics(),
    metricsToken: undefined,
    trustedProxies: [],
    isReady: () => true,
  })
  await http.ready()
  return async (request: ApiRequest) => {
    // Otherwise it would remember every call.
    stage.reset(LIMITS)
    const key = stage.addKey({ scopes: new Set(PERMISSION_SCOPES) })
    const authorization = `${request.url.startsWith('/api/') ? 'Api-Key' : 'Bearer'} ${key}`
    const { statusCode } = await http.inject({ ...request, headers: { ...request.headers, authorization } })
    if (NEVER.has(statusCode)) throw new Error(`answered ${statusCode}`)
  }
}

const jsonBody = (
  path: string,
  body: Pick<Surface, 'name' | 'limit' | 'files' | 'seeds'> & Partial<Surface>,
): Surface => ({
  ...WITH_KEY,
  ...body,
  async load() {
    const send = await openApi()
    const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' }
    return (payload) => send({ method: 'POST', url: path, headers, payload })
  },
  request: (text) => ({ method: 'POST', path, headers: JSON_TYPE, body: text }),
})

const KEY_SURFACES: readonly Surface[] = [
  {
    ...WITH_KEY,
    name: 'parameters of a search',
    files: ['server/src/api/endpoints/search-params.ts', 'server/src/search/read-filters.ts'],
    seeds: ['q=climate&engine=engine_a,engine_b&safe=off&date=m&lang=pt-BR&page=3&include=explain', 'q=%20&page=1.0'],
    async load() {
      const send = await openApi()
      return (text) => send({ method: 'GET', url: `/api/v1/web/?${inUrl(text)}` })
    },
    request: (text) => ({ path: `/api/v1/web/?${inUrl(text)}` }),
  },
  {
    ...WITH_KEY,
    name: 'parameters of similar images',
    files: ['server/src/search/similar-seed.ts'],
    seeds: ['caption=Oak+bark+-+Wikimedia+Commons&q=oak&exclude_url=https%3A%2F%2Fcommons.wikimedia.org%2Fa'],
    async load() {
      const send = await openApi()
      return (text) => send({ method: 'GET', url: `/api/v1/images/similar/?${inUrl(text)}` })
    },
    request: (text) => ({ path: `/api/v1/images/similar/?${inUrl(text)}` }),
  },
  jsonBody('/mcp', {
    name: 'MCP message',
    limit: 65_536,
    boundMs: 40,
    files: ['server/src/compat/mcp/mcp-api.ts', 'server/src/compat/tools/search-tools.ts'],
    seeds: [
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","max_results":3}}}',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}',
    ],
  }),
  jsonBody('/tools/search', {
    name: 'tool call',
    limit: 136_384,
    files: ['server/src/compat/tools/tool-server.ts', 'server/src/compat/tools/search-tools.ts'],
    seeds: ['{"query":"x","max_results":3,"language":"de","time_range":"month","page":2}'],
  }),
  jsonBody('/tavily/search', {
    name: 'Tavily search',
    limit: 65_536,
    files: ['server/src/compat/tavily/tavily-api.ts'],
    seeds: [
      '{"query":"x","max_results":5,"topic":"news","days":3,"include_domains":["https://www.example.org/a"],"exclude_domains":["b.example"]}',
    ],
  }),
  {
    ...WITH_KEY,
    name: 'Google search',
    files: ['server/src/compat/google-api.ts', 'server/src/compat/compat-params.ts'],
    seeds: ['q=x&num=5&start=11&dateRestrict=d10&lr=lang_de&siteSearch=a.example&siteSearchFilter=e&key=y&cx=z'],
    async load() {
      const send = await openApi()
      return (text) => send({ method: 'GET', url: `/google/customsearch/v1?${inUrl(text)}` })
    },
    request: (text) => ({ path: `/google/customsearch/v1?${inUrl(text)}` }),
  },
  jsonBody('/tavily/extract', {
    name: 'Tavily extract',
    limit: 65_536,
    files: ['server/src/compat/tavily/tavily-extract-api.ts'],
    seeds: ['{"urls":["https://a.example/","https://b.example/?q=1"],"format":"text"}'],
  }),
  jsonBody('/firecrawl', {
    name: 'Firecrawl search and scrape',
    limit: 65_536,
    files: ['server/src/compat/firecrawl/firecrawl-search.ts', 'server/src/compat/firecrawl/firecrawl-pages.ts'],
    seeds: [
      '{"query":"x","limit":5,"sources":["web",{"type":"news","tbs":"qdr:w"}],"categories":["research"],"includeDomains":["https://www.example.org/a"],"tbs":"cdr:1,cd_min:11/07/2026,cd_max:11/14/2026","scrapeOptions":{"formats":["markdown",{"type":"links"}]}}',
      '{"url":"https://a.example/","formats":["markdown","rawHtml"],"excludeTags":[".ad"],"actions":[],"timeout":7500}',
    ],
  }),
  {
    ...WITH_KEY,
    name: 'SearXNG search',
    files: ['server/src/compat/searxng/searxng-params.ts', 'server/src/compat/searxng/searxng-engines.ts'],
    seeds: [
      'q=x&format=json&categories=general,news&engines=google,bing&pageno=2&time_range=month&safesearch=1&language=de-DE',
    ],
    async load() {
      const send = await openApi()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return (payload) => send({ method: 'POST', url: '/searxng/search', headers, payload })
    },
    request: (text) => ({ path: `/searxng/search?${inUrl(text)}` }),
  },
  {
    ...WITH_KEY,
    name: 'multipart form',
    limit: 124_096,
    boundMs: 80,
    files: ['server/src/api/pipeline/read-body.ts'],
    seeds: [
      '--x\r\nContent-Disposition: form-data; name="q"\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name="target"\r\n\r\nde\r\n--x--\r\n',
      '--x\r\nContent-Disposition: form-data; name="q"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--',
    ],
    async load() {
      const { readFields } = await import('../../server/src/api/pipeline/read-body.ts')
      const names = ['q', 'text', 'source', 'target']
      return async (text) => {
        const bytes = Buffer.from(text)
        const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(bytes.length) }
        // It reads nothing else of a request.
        const request = { raw: Readable.from([bytes]), headers, startWork: () => undefined }
        return await readFields(request as never, { names, maxBytes: bytes.length })
      }
    },
    request: (text) => ({
      method: 'POST',
      path: '/api/v1/translate/',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: text,
    }),
  },
  {
    ...WITH_KEY,
    name: 'instant answers',
    limit: 500,
    files: [
      'answers/src/question.ts',
      'answers/src/numbers/arithmetic/tokens.ts',
      'answers/src/numbers/units.ts',
      'answers/src/live/currency.ts',
      'answers/src/live/weather-triggers.ts',
      'answers/src/time/date-arithmetic.ts',
      'answers/src/text/morse.ts',
      'answers/src/text/hash.ts',
      'answers/src/reference/country-facts-triggers.ts',
    ],
    seeds: [
      '2^(3+4)*sqrt(16)/5!',
      '5 ft 7 in to cm',
      'sha256 hello world',
      'qr code https://example.org/',
      'days until christmas',
      'what is the capital of france',
      'time in paris to new york',
      'translate hello to french',
      '100 usd to eur',
      'weather in paris tomorrow',
    ],
    async load() {
      const { ALL_ANSWERS } = await import('@bowerbird/answers/all.ts')
      const { createAnswers } = await import('@bowerbird/answers/answers.ts')
      const { UpstreamError } = await import('@bowerbird/engines/upstream-error.ts')
      const answers = createAnswers({
        answers: ALL_ANSWERS,
        // Every source is down.
        find: () => ({ call: () => Promise.reject(new UpstreamError('unreachable', 'down')) }) as never,
        translate: async () => null,
        startDeadline: () => ({ signal: AbortSignal.timeout(60_000), cancel: () => undefined }) as never,
        clock: () => Date.UTC(2026, 10, 15),
        random: (below) => below - 1,
        onError: () => undefined,
      })
      const client = { ip: '203.0.113.7' }
      return async (text) => await answers.answer({ text, lang: '', client })
    },
    request: (text) => ({ path: `/api/v1/instant/?q=${encodeURIComponent(text.toWellFormed())}` }),
  },
  {
    ...WITH_KEY,
    name: 'search page',
    files: ['server/src/site/search/bang.ts', 'server/src/site/search/search-query.ts'],
    seeds: ['q=!w+climate+change', 'q=climate+!i&tab=images&engine=engine_a', 'q=a+!!+b&lang=de_DE&date=m&page=2'],
    async load() {
      const { parseQueryParams } = await import('../../server/src/text/query-params.ts')
      const { parseSearchQuery, SearchParams } = await import('../../server/src/site/search/search-query.ts')
      const { followBang } = await import('../../server/src/site/search/bang.ts')
      const { DEFAULT_PREFERENCES } = await import('../../server/src/site/preferences.ts')
      const { wordsIn } = await import('../../server/src/site/i18n/messages.ts')
      // It reads nothing else of a page's context.
      const context = { words: wordsIn('en') } as never
      return async (text) => {
        const { request } = parseSearchQuery(SearchParams.parse(parseQueryParams(text)), DEFAULT_PREFERENCES, [
          'engine_a',
        ])
        return await followBang(context, request.text)
      }
    },
    request: (text) => ({ path: `/search?${inUrl(text)}` }),
  },
  {
    ...WITH_KEY,
    name: 'language of a text',
    limit: 10_000,
    files: ['server/src/text/detect-language.ts'],
    seeds: ['The quick brown fox jumps over the lazy dog.', 'Füchse springen über träge Hunde', '東京は日本の首都です'],
    async load() {
      const { detectLanguage } = await import('../../server/src/text/detect-language.ts')
      return async (text) => await detectLanguage(text, ['en', 'de', 'fr', 'ja', 'nb', 'sr'])
    },
    request: (text) => ({
      method: 'POST',
      path: '/api/v1/translate/',
      headers: JSON_TYPE,
      body: JSON.stringify({ q: text, target: 'de' }),
    }),
  },
  {
    ...WITH_KEY,
    name: 'text of a QR code',
    limit: 1_000,
    files: ['answers/src/text/qr-code.ts'],
    seeds: ['https://example.com/?a=1', 'WIFI:S:net;T:WPA;P:x;;', '0123456789', 'ÄÖ 今日'],
    async load() {
      const { drawQrCode } = await import('@bowerbird/answers/text/qr-code.ts')
      // Too long for a code, which the tool refuses before.
      return async (text) => (Buffer.byteLength(text) > 1_000 ? undefined : await drawQrCode(text))
    },
  },
]

export const REQUEST_SURFACES: readonly Surface[] = [...HEADER_SURFACES, ...KEY_SURFACES]
