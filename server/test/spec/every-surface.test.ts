// Walks every route of a whole instance, as its router lists them, and tries each guard: without a key, with a wrong
// one, without the scope, over the limit, with too long a body or URL, by another method, under another name, under
// load. A new route is walked without a line here; one that answers everyone has to be named in `OPEN_ROUTES`.
// The pages of the website have guards of their own: `every-page.test.ts`. What routes leave behind: `every-field.test.ts`.
import { randomBytes } from 'node:crypto'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { mintKey } from '../../src/keys/key-format.ts'
import { revokeKey } from '../../src/keys/keys.ts'
import { PERMISSION_SCOPES, type Scope } from '../../src/keys/scopes.ts'
import { PAGES } from '../../src/site/site.test-harness.ts'
import { type MountedSurface, requireSurfaces } from '../../src/text/surface.ts'
import {
  MCP_HEADERS,
  mcpMessage,
  type SurfaceReply,
  type SurfaceRequest,
  sampleParams,
  sampleRequest,
  send,
} from '../support/surface-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

/** Routes for everyone, pages aside: documents, files and health, which cost next to nothing. */
const OPEN_ROUTES = [
  '/livez',
  '/readyz',
  '/robots.txt',
  '/favicon.ico',
  '/manifest.webmanifest',
  '/assets/*',
  '/.well-known/security.txt',
  '/api/v1/openapi.json',
  '/searxng/healthz',
  '/tools/openapi.json',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
]

/** What programs send before they have a key. Codes and refresh tokens are their own guards: `oauth.test.ts`. */
const OPEN_FORMS = ['/oauth/token', '/oauth/revoke', '/oauth/register']

const METRICS_TOKEN = 'metrics-token-of-the-test'
const HIGH = { burst: '100000/min', sustained: '1000000/day' }
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

let server: TestInstance
let routes: readonly MountedSurface[]
/** Those that need a key. */
let keyRoutes: MountedSurface[]
/** With every scope. */
let key: string
let withoutScope: Map<Scope, string>
/** A key with every scope whose limit is used up. */
let spent: string

beforeAll(async () => {
  server = await startTestInstance({
    MINE: 'karakeep',
    // Programs can be connected.
    PUBLIC_URL: 'https://search.example.org',
    METRICS_TOKEN,
    URL_KEYS: 'on',
    ALLOWED_HOSTS: 'search.example.org',
    TRUSTED_PROXIES: '127.0.0.1',
    MAX_IN_FLIGHT: '500',
  })
  routes = server.instance.surfaces
  keyRoutes = routes.filter(({ access }) => access === 'key')
  key = await server.createKey({ ...HIGH, scopes: [...PERMISSION_SCOPES] })
  withoutScope = new Map()
  for (const missing of PERMISSION_SCOPES) {
    // Nothing permits reading any page, or links, without reading.
    const scopes = PERMISSION_SCOPES.filter(
      (scope) => scope !== missing && !(missing === 'read' && scope.startsWith('read_')),
    )
    withoutScope.set(missing, await server.createKey({ ...HIGH, scopes }))
  }
  spent = await server.createKey({ burst: '1/h', scopes: [...PERMISSION_SCOPES] })
  await ask({ method: 'GET', path: '/api/v1/key/' }, spent)
})
afterAll(() => server?.close())

let networks = 0
/** Every request comes from another network, because many wrong keys from one are refused as such. */
const ask = (request: SurfaceRequest, withKey?: string): Promise<SurfaceReply> => {
  networks += 1
  const headers = {
    'x-forwarded-for': `198.51.${networks >> 8}.${networks & 255}`,
    ...(withKey !== undefined && { authorization: `Api-Key ${withKey}` }),
    ...request.headers,
  }
  return send(server.url, { ...request, headers })
}

/** Asks every route in turn; returns those that don't reply as they should. */
async function unlike(
  expected: string,
  walked: readonly MountedSurface[],
  reply: (route: MountedSurface) => Promise<SurfaceReply>,
): Promise<string[]> {
  expect(walked.length).toBeGreaterThan(0)
  const wrong: string[] = []
  for (const route of walked) {
    const { status, code } = await reply(route)
    // The reply to a HEAD request has the headers of the others.
    const outcome = `${status} ${code}`.trim()
    if (outcome !== expected) wrong.push(`${route.method} ${route.url}: ${outcome}`)
  }
  return wrong
}

const posts = () => keyRoutes.filter(({ method }) => method === 'POST')

describe('the list of routes', () => {
  it('has all of them, and no route can be mounted that declares nothing', async () => {
    expect(keyRoutes.length).toBeGreaterThan(40)
    expect(routes.length).toBeGreaterThan(400)
    const http = fastify()
    requireSurfaces(http, 1_024)
    expect(() => http.get('/new', () => 'everything')).toThrow('/new declares no surface')
    http.get('/declared', { config: { surface: { access: 'key' } } }, () => 'x')
    expect(http.surfaces.map(({ method, url, maxBodyBytes }) => [method, url, maxBodyBytes])).toEqual([
      ['GET', '/declared', 1_024],
      ['HEAD', '/declared', 1_024],
    ])
  })

  it('names every route that answers everyone', () => {
    const pages = new Set(PAGES.map(({ path }) => path))
    const open = routes.filter(({ access, url }) => access === 'anyone' && !pages.has(url))
    const names = new Set(open.map(({ url }) => url.replace(/^\/assets\/.*/, '/assets/*')))
    expect([...names].filter((url) => !OPEN_ROUTES.includes(url) && !OPEN_FORMS.includes(url))).toEqual([])
    const forms = open.filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    expect(forms.map(({ method, url }) => `${method} ${url}`)).toEqual(OPEN_FORMS.map((url) => `POST ${url}`))
  })

  it('has a guard for everything else: a key, the metrics token, a page’s access, or a refusal', () => {
    const pages = new Set(PAGES.map(({ path }) => path))
    const others = routes.filter(({ access, url }) => !['anyone', 'key', 'nobody'].includes(access) && !pages.has(url))
    expect(others.map(({ method, url, access }) => [method, url, access])).toEqual([
      ['GET', '/metrics', 'metrics-token'],
      ['HEAD', '/metrics', 'metrics-token'],
    ])
  })
})

describe('every route that takes a body without a key', () => {
  const forms = () => routes.filter(({ method, url }) => method === 'POST' && OPEN_FORMS.includes(url))

  it('400, 401: answers nonsense with a refusal', async () => {
    const wrong: string[] = []
    for (const { url } of forms()) {
      const isForm = url !== '/oauth/register'
      const headers = { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }
      for (const body of ['', '{}', '[]', 'a=b', 'client_id=%00&client_id=x', '{"redirect_uris":[1]}']) {
        const { status } = await ask({ method: 'POST', path: url, headers, body })
        if (status !== 400 && status !== 401) wrong.push(`${url} ${body}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('413, 415: refuses a body over its bound, declared or not, and of another type', async () => {
    for (const how of ['declaredBytes', 'undeclaredBytes'] as const) {
      expect(
        await unlike('413 body_too_large', forms(), ({ url, maxBodyBytes }) =>
          ask({ method: 'POST', path: url, headers: { 'content-type': 'application/json' }, [how]: maxBodyBytes + 1 }),
        ),
      ).toEqual([])
    }
    const headers = { 'content-type': 'text/plain' }
    const asText = ({ url }: MountedSurface) => ask({ method: 'POST', path: url, headers, body: 'x' })
    expect(await unlike('415 content_type_unsupported', forms(), asText)).toEqual([])
  })
})

describe('every route that needs a key', () => {
  it('200: answers one that may use it', async () => {
    expect(await unlike('200', keyRoutes, (route) => ask(sampleRequest(route), key))).toEqual([])
  })

  it('401: refuses a request without one, and says what to send', async () => {
    expect(
      await unlike('401 key_missing', keyRoutes, async (route) => {
        const reply = await ask(sampleRequest(route))
        return reply.headers['www-authenticate'] ? reply : { ...reply, code: 'without a challenge' }
      }),
    ).toEqual([])
  })

  it('401: accepts none in the query string, a cookie or the body', async () => {
    expect(
      await unlike('401 key_missing', keyRoutes, (route) => {
        const { path, body, ...rest } = sampleRequest(route)
        const inUrl = `${path}${path.includes('?') ? '&' : '?'}api_key=${key}&key=${key}&token=${key}&access_token=${key}`
        const headers = { ...rest.headers, cookie: `api_key=${key}; bowerbird_session=${key}` }
        const inBody = body && JSON.stringify({ ...JSON.parse(body), api_key: key, key })
        return ask({ ...rest, path: inUrl, headers, ...(inBody !== undefined && { body: inBody }) })
      }),
    ).toEqual([])
  })

  it.each([
    ['401 key_malformed', 'mistyped', async () => 'bowerbird_typo'],
    ['401 key_unknown', 'never issued', async () => mintKey(randomBytes).full],
    ['401 key_unknown', 'another with the same prefix', async () => withWrongSecret(key)],
    ['401 key_revoked', 'revoked', () => revokedKey()],
    ['403 account_disabled', 'of a disabled account', () => disabledKey()],
  ])('%s: refuses one that is %s', async (expected, _kind, make) => {
    const wrong = await make()
    expect(await unlike(expected, keyRoutes, (route) => ask(sampleRequest(route), wrong))).toEqual([])
  })

  it('429: refuses every wrong one from a network that has sent too many', async () => {
    const wrong = mintKey(randomBytes).full
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    for (let count = 0; count < 20; count++) await ask({ method: 'GET', path: '/api/v1/key/', headers }, wrong)
    const reply = (withKey: string) => (route: MountedSurface) => {
      const request = sampleRequest(route)
      return ask({ ...request, headers: { ...request.headers, ...headers } }, withKey)
    }
    expect(await unlike('429 wrong_keys_limited', keyRoutes, reply(mintKey(randomBytes).full))).toEqual([])
    expect(await unlike('200', keyRoutes.slice(0, 3), reply(key))).toEqual([])
  })

  it('403: refuses one without its scope', async () => {
    const scoped = keyRoutes.filter(({ scope }) => scope !== undefined)
    expect(new Set(scoped.map(({ scope }) => scope))).toEqual(
      new Set(['search', 'maps', 'translate', 'answers', 'read', 'mine']),
    )
    expect(
      await unlike('403 scope_missing', scoped, (route) =>
        ask(sampleRequest(route), withoutScope.get(route.scope as Scope)),
      ),
    ).toEqual([])
    const free = keyRoutes.filter(({ scope, method }) => scope === undefined && method !== 'HEAD').map(({ url }) => url)
    // Any key may ask what it is, what it has used and what there is. The parts of MCP and of Firecrawl's base address have
    // scopes.
    expect(free.sort()).toEqual([
      '/api/v1/',
      '/api/v1/key/',
      '/api/v1/status/',
      '/api/v1/usage/',
      '/firecrawl',
      '/firecrawl/team/credit-usage',
      '/firecrawl/v1/team/credit-usage',
      '/firecrawl/v2/team/credit-usage',
      '/mcp',
      '/searxng/config',
    ])
  })

  it('429: refuses one over its limit, and says when to come back', async () => {
    expect(
      await unlike('429 rate_limited', keyRoutes, async (route) => {
        const reply = await ask(sampleRequest(route), spent)
        return Number(reply.headers['retry-after']) > 0 ? reply : { ...reply, code: 'without Retry-After' }
      }),
    ).toEqual([])
  })

  it('429: counts a bad request too', async () => {
    const bad = (route: MountedSurface): SurfaceRequest => {
      const request = sampleRequest(route)
      return route.method === 'POST' ? { ...request, body: '{' } : { ...request, path: `${route.url}?page=x&q=` }
    }
    // MCP reads the message first: a refusal has its id.
    const counted = keyRoutes.filter(({ url }) => url !== '/mcp')
    expect(await unlike('429 rate_limited', counted, (route) => ask(bad(route), spent))).toEqual([])
  })

  it('413: refuses a body over its bound, declared or not', async () => {
    const json = { 'content-type': 'application/json' }
    const tooLong = ({ url, method, maxBodyBytes }: MountedSurface, how: 'declaredBytes' | 'undeclaredBytes') =>
      ask({ method, path: url, headers: json, [how]: maxBodyBytes + 1 }, key)
    expect(Math.max(...posts().map(({ maxBodyBytes }) => maxBodyBytes))).toBeLessThanOrEqual(262_144)
    // It has no parameters, so it never looks at a body.
    const read = posts().filter(({ fields, url }) => fields?.length !== 0 || url === '/mcp')
    expect(await unlike('413 body_too_large', read, (route) => tooLong(route, 'declaredBytes'))).toEqual([])
    expect(await unlike('413 body_too_large', read, (route) => tooLong(route, 'undeclaredBytes'))).toEqual([])
  })

  it('415: refuses a body of another type, or compressed', async () => {
    const unreadable = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]
    for (const headers of unreadable) {
      expect(
        await unlike('415 content_type_unsupported', posts(), (route) =>
          ask({ ...sampleRequest(route), headers }, key),
        ),
      ).toEqual([])
    }
  })

  it('400: refuses a text over its bound', async () => {
    const long = 'x'.repeat(2_001)
    const texts = ['q', 'query']
    // A translation may be longer; of an image's caption that is too long, nothing is searched.
    const others = ['/api/v1/translate/', '/api/v1/images/similar/']
    const searching = keyRoutes.filter(
      ({ fields = [], url }) => texts.some((name) => fields.includes(name)) && !others.includes(url),
    )
    expect(searching.length).toBeGreaterThan(25)
    expect(
      await unlike('400 parameter_invalid', searching, (route) => {
        const params = sampleParams(route.fields ?? [])
        for (const name of texts) if (name in params) params[name] = long
        return ask(sampleRequest(route, params), key)
      }),
    ).toEqual([])
  })
})

describe('a key in the path', () => {
  it('403: is refused on every route unless it was made for that, and then searches only', async () => {
    const compat = keyRoutes.filter(({ url }) => !url.startsWith('/api/'))
    expect(compat.length).toBeGreaterThan(10)
    const inPath = (route: MountedSurface, pathKey: string) => {
      const { path, ...rest } = sampleRequest(route)
      return ask({ ...rest, path: `/k/${pathKey}${path}` })
    }
    expect(await unlike('403 key_in_url', compat, (route) => inPath(route, key))).toEqual([])
    const made = await server.createKey({ ...HIGH, scopes: ['search', 'address'] })
    const others = compat.filter(({ scope }) => scope !== undefined && scope !== 'search')
    expect(await unlike('403 scope_missing', others, (route) => inPath(route, made))).toEqual([])
    const api = keyRoutes.filter(({ url }) => url.startsWith('/api/'))
    expect(await unlike('404 not_found', api, (route) => inPath(route, made))).toEqual([])
  })
})

describe('what a body asks of Firecrawl’s base address', () => {
  it.each([
    ['search', { query: 'climate' }],
    ['read', { url: 'https://harbour-gazette.example/stories/tides' }],
  ] as const)('403: needs the scope %s', async (scope, params) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', path: '/firecrawl', headers, body: JSON.stringify(params) }
    const refused = await ask(request, withoutScope.get(scope))
    expect([refused.status, refused.code]).toEqual([403, 'scope_missing'])
    expect((await ask(request, key)).status).toBe(200)
  })
})

describe('every tool of the MCP server', () => {
  interface Tool {
    name: string
    inputSchema: { properties: Record<string, unknown> }
  }
  const call = async (method: string, params: object, withKey?: string) =>
    ask({ method: 'POST', path: '/mcp', headers: MCP_HEADERS, body: mcpMessage(method, params) }, withKey)
  const tools = async (withKey: string): Promise<Tool[]> =>
    JSON.parse((await call('tools/list', {}, withKey)).body).result.tools
  const run = async ({ name, inputSchema }: Tool, withKey?: string) => {
    const given = sampleParams(Object.keys(inputSchema.properties))
    const { status, body } = await call('tools/call', { name, arguments: given }, withKey)
    const { result, error } = JSON.parse(body)
    return { status, isError: result?.isError === true, text: String(result?.content?.[0]?.text ?? error?.message) }
  }

  it('runs for a key that may, and for no other', async () => {
    const all = await tools(key)
    expect(all.length).toBeGreaterThanOrEqual(5)
    for (const tool of all) {
      expect([tool.name, (await run(tool, key)).isError]).toEqual([tool.name, false])
      expect([tool.name, (await run(tool)).status]).toEqual([tool.name, 401])
      expect([tool.name, (await run(tool, mintKey(randomBytes).full)).status]).toEqual([tool.name, 401])
      const overLimit = await run(tool, spent)
      expect([tool.name, overLimit.text]).toEqual([tool.name, expect.stringContaining('Request was throttled')])
    }
  })

  it('is hidden from a key without its scope, and refuses it', async () => {
    const all = await tools(key)
    const refused = new Set<string>()
    for (const [scope, withKey] of withoutScope) {
      const names = new Set((await tools(withKey)).map(({ name }) => name))
      for (const tool of all.filter(({ name }) => !names.has(name))) {
        refused.add(tool.name)
        const { isError, text } = await run(tool, withKey)
        expect([tool.name, isError, text]).toEqual([tool.name, true, `This API key does not have the ${scope} scope.`])
      }
    }
    expect(refused).toEqual(new Set(all.map(({ name }) => name)))
  })
})

describe('every route', () => {
  const served = () => routes.filter(({ access, method }) => access !== 'nobody' && METHODS.includes(method))
  const pathOf = ({ url }: MountedSurface) => url.replace(/:\w+/g, '1')

  it('405, 404: refuses every other method, before it looks at anything else', async () => {
    const methodsOf = Map.groupBy(served(), ({ url }) => url)
    const wrong: string[] = []
    for (const [url, here] of methodsOf) {
      for (const method of METHODS.filter((name) => here.every((route) => route.method !== name))) {
        const { status } = await ask({ method, path: url.replace(/:\w+/g, '1') })
        // A file or a document has no other method at all.
        const expected = OPEN_ROUTES.includes(url) || /^\/(?:assets\/|metrics)/.test(url) ? [404, 405] : [405]
        if (!expected.includes(status)) wrong.push(`${method} ${url}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('405: a method is refused where a path with a parameter or a wildcard serves it', async () => {
    const refused = [
      ['GET', '/settings/account/passkeys/options', 'POST'],
      ['POST', '/firecrawl/team/credit-usage', 'GET, HEAD'],
      ['PUT', '/searxng/search/', 'GET, HEAD, POST'],
    ] as const
    for (const [method, path, allow] of refused) {
      const { status, headers } = await ask({ method, path })
      expect([path, status, headers['allow']]).toEqual([path, 405, allow])
    }
    expect((await ask({ method: 'POST', path: '/firecrawl/team/else' })).status).toBe(404)
  })

  it('414, 400: refuses a URL that is too long, or has too many parameters', async () => {
    const long = `?x=${'x'.repeat(17_000)}`
    const many = `?${Array.from({ length: 101 }, (_, at) => `p${at}=1`).join('&')}`
    const walked = served()
    expect(
      await unlike('414 url_too_long', walked, (route) => ask({ method: route.method, path: pathOf(route) + long })),
    ).toEqual([])
    expect(
      await unlike('400 request_malformed', walked, (route) =>
        ask({ method: route.method, path: pathOf(route) + many }),
      ),
    ).toEqual([])
  })

  it('421: is known by the names of the instance only', async () => {
    const headers = { host: 'elsewhere.example' }
    expect(
      await unlike('421 host_not_allowed', served(), (route) =>
        ask({ method: route.method, path: pathOf(route), headers }),
      ),
    ).toEqual([])
  })

  it('503: is refused under load, except health and metrics', async () => {
    const { load } = server.instance.services
    const before = load.inFlight
    while (!load.isFull) load.enter()
    try {
      const isOperation = ({ url }: MountedSurface) => ['/livez', '/readyz', '/metrics'].includes(url)
      const refused = served().filter((route) => !isOperation(route))
      expect(
        await unlike('503 overloaded', refused, (route) => ask({ method: route.method, path: pathOf(route) })),
      ).toEqual([])
      expect((await ask({ method: 'GET', path: '/livez' })).status).toBe(200)
    } finally {
      while (load.inFlight > before) load.leave()
    }
  })

  it('wraps no reply in a function of the client’s choice', async () => {
    const gets = served().filter(({ method }) => method === 'GET')
    const wrong: string[] = []
    for (const route of gets) {
      const { path, ...rest } = sampleRequest({ ...route, url: pathOf(route) })
      const { headers, body } = await ask(
        { ...rest, path: `${path}${path.includes('?') ? '&' : '?'}callback=hack&jsonp=hack` },
        key,
      )
      const isScript = /javascript/.test(String(headers['content-type'])) && !route.url.startsWith('/assets/')
      if (isScript || body.trimStart().startsWith('hack')) wrong.push(route.url)
    }
    expect(wrong).toEqual([])
  })

  it('forbids browsers to guess the type of its replies, and other sites to frame them', async () => {
    const wrong: string[] = []
    for (const route of served()) {
      const { headers } = await ask({ method: route.method, path: pathOf(route) })
      const policy = String(headers['content-security-policy'])
      const isSafe = headers['x-content-type-options'] === 'nosniff' && policy.includes("frame-ancestors 'none'")
      if (!isSafe) wrong.push(`${route.method} ${route.url}: ${policy}`)
    }
    expect(wrong).toEqual([])
  })

  it('401: the metrics need their token', async () => {
    for (const authorization of [undefined, 'Bearer wrong', `Api-Key ${key}`, `Bearer ${METRICS_TOKEN}x`]) {
      const headers = authorization === undefined ? {} : { authorization }
      const { status, code } = await ask({ method: 'GET', path: '/metrics', headers })
      expect([status, code]).toEqual([401, 'metrics_token_wrong'])
    }
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    expect((await ask({ method: 'GET', path: '/metrics', headers })).status).toBe(200)
  })
})

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A well-formed key with the prefix of this one. */
function withWrongSecret(full: string): string {
  const digits = full.slice('bowerbird_'.length, full.indexOf('.')).split('')
  const prefix = Buffer.from(digits.map((digit) => BASE62.indexOf(digit)))
  const bytes = [prefix]
  const forged = mintKey((size) => bytes.pop() ?? randomBytes(size)).full
  expect(forged.split('.')[0]).toBe(full.split('.')[0])
  return forged
}

async function revokedKey(): Promise<string> {
  const full = await server.createKey({ ...HIGH, scopes: [...PERMISSION_SCOPES] })
  await revokeKey(server.instance.services.access, full)
  return full
}

async function disabledKey(): Promise<string> {
  const { access } = server.instance.services
  await createUser(access, { username: 'linus', password: 'correct horse battery' })
  const full = await server.createKey({ ...HIGH, owner: { username: 'linus' }, scopes: [...PERMISSION_SCOPES] })
  await disableUser(access, 'linus')
  return full
}
