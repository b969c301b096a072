// Holds for every response of the API, the website and everything else: it states its type, a browser that opens it
// directly can run nothing, and it reveals nothing about the server.
import { beforeAll, describe, expect, it } from 'vitest'
import { LOGO_PATH, SCRIPT_PATH, STYLESHEET_PATH } from '../../src/site/assets.ts'
import { requireCode } from '../support/api-client.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestInstance, useTestInstance } from '../support/test-instance.ts'

const TOKEN = 'a token for the collector'

const server = useTestInstance({ SITE_ACCESS: 'public', METRICS_TOKEN: TOKEN })

const OF_THE_API = [
  '/api/v1/',
  '/api/v1/openapi.json',
  '/api/v1/web/?q=climate',
  '/api/v1/web/',
  '/api/v1/status/',
  '/api/v1/key/',
  '/api/v1/nowhere/',
  '/api/v1/web/%zz',
]
const OF_THE_SITE = [
  '/',
  '/search?q=climate',
  '/maps',
  '/translate',
  '/docs',
  '/status',
  '/login',
  '/settings/account',
  '/admin/users',
  '/opensearch.xml',
  '/llms.txt',
  '/suggest?q=cli',
  '/pictures/icon?u=x&s=x',
  '/robots.txt',
  '/favicon.ico',
  STYLESHEET_PATH,
  SCRIPT_PATH,
  LOGO_PATH,
  '/nowhere',
]
const OF_OPERATION = ['/livez', '/readyz', '/metrics']

interface Reply {
  path: string
  response: Response
  /** Of an instance whose PUBLIC_URL is https. */
  secure: Response
  isEmpty: boolean
}

const ask = (path: string, authorization?: string, url = server.url) =>
  fetch(url + path, {
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      origin: 'https://elsewhere.example',
      ...(authorization !== undefined && { authorization }),
    },
  })

let replies: Reply[]
beforeAll(async () => {
  const secure = await startTestInstance({ PUBLIC_URL: 'https://search.example.org', SITE_ACCESS: 'public' })
  const cases: [path: string, authorization?: string][] = [
    ...[...OF_THE_API, ...OF_THE_SITE, ...OF_OPERATION].map((path): [string] => [path]),
    ...OF_THE_API.map((path): [string, string] => [path, `Api-Key ${server.key}`]),
    ...OF_OPERATION.map((path): [string, string] => [path, `Bearer ${TOKEN}`]),
  ]
  replies = []
  for (const [path, authorization] of cases) {
    const response = await ask(path, authorization)
    const isEmpty = (await response.bytes()).length === 0
    const other = await ask(path, authorization, secure.url)
    await other.bytes()
    replies.push({ path, response, secure: other, isEmpty })
  }
  await secure.close()
})

/** The paths whose replies are wrong. */
const wrong = (isRight: (headers: Headers, reply: Reply) => boolean) =>
  replies.filter((reply) => !isRight(reply.response.headers, reply)).map(({ path }) => path)

describe('every response', () => {
  it('states the type and character set of its body', () => {
    const TYPE = /^(?:text|application|image)\/[\w.+-]+;(?: version=[\d.]+;)? charset=utf-8$/
    const bodies = replies.filter(({ isEmpty }) => !isEmpty)
    // A bitmap has no character set.
    const typed = bodies.filter(({ response }) => TYPE.test(response.headers.get('content-type') ?? ''))
    const others = bodies.filter((reply) => !typed.includes(reply))
    expect(others.map(({ path, response }) => [path, response.headers.get('content-type')])).toEqual([
      ['/favicon.ico', 'image/x-icon'],
    ])
  })

  it('has a CSP that blocks foreign code and framing', async () => {
    const isClosed = (policy: string | null | undefined) =>
      policy?.includes("default-src 'none'") === true && policy.includes("frame-ancestors 'none'")
    expect(wrong((headers) => isClosed(headers.get('content-security-policy')))).toEqual([])
    const unreadable = await rawRequest(server.url, 'nonsense\r\n\r\n')
    expect(unreadable.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('over https sets HSTS for a year, including subdomains; over http it does not', () => {
    expect(wrong((headers) => !headers.has('strict-transport-security'))).toEqual([])
    const YEAR = 'max-age=31536000; includeSubDomains'
    expect(wrong((_, { secure }) => secure.headers.get('strict-transport-security') === YEAR)).toEqual([])
  })

  it('has a documented code if it is an error', () => {
    for (const { response } of replies) requireCode(response)
  })

  it('has an id of its own', () => {
    const ids = replies.map(({ response }) => response.headers.get('x-request-id'))
    expect(wrong((headers) => /^[\da-f-]{36}$/.test(headers.get('x-request-id') ?? ''))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('forbids browsers to guess its type', () => {
    expect(wrong((headers) => headers.get('x-content-type-options') === 'nosniff')).toEqual([])
  })

  it('cannot be read by other sites, except the API document', () => {
    const open = wrong((headers) => !headers.has('access-control-allow-origin'))
    expect(new Set(open)).toEqual(new Set(['/api/v1/openapi.json']))
    expect(wrong((headers) => !headers.has('access-control-allow-credentials'))).toEqual([])
  })

  it('reveals neither the server software nor its version', () => {
    const TELLING = ['server', 'x-powered-by', 'via', 'x-aspnet-version']
    expect(wrong((headers) => !TELLING.some((name) => headers.has(name)))).toEqual([])
  })
})

describe('what is not exposed', () => {
  it.each([
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/server/src/bowerbird.ts',
    '/assets',
    '/assets/',
    '/assets/site.js',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fetc%2fpasswd',
    '/data/bowerbird.db',
    '/debug',
    '/_next/',
    '/swagger',
    '/graphql',
    '/api/v1/users/',
  ])('404: %s', async (path) => {
    const { status, body } = await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect([path, status]).toEqual([path, 404])
    expect(body).not.toMatch(/bowerbird-workspace|root:|\[core\]/)
  })

  it.each(['/', '/search', '/api/v1/', '/livez', '/nowhere'])('TRACE %s echoes nothing', async (path) => {
    const request = `TRACE ${path} HTTP/1.1\r\nHost: x\r\nX-Canary: canary\r\n\r\n`
    const { status, headers, body } = await rawRequest(server.url, request)
    expect([path, [404, 405].includes(status)]).toEqual([path, true])
    expect(JSON.stringify([headers, body])).not.toContain('canary')
  })

  it('401: metrics without the token, and none are shown', async () => {
    for (const authorization of [undefined, 'Bearer ', 'Bearer wrong', `Basic ${TOKEN}`]) {
      const reply = await ask('/metrics', authorization)
      expect(reply.status).toBe(401)
      expect(await reply.text()).not.toContain('bowerbird_')
    }
  })
})
