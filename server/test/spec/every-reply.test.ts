// Holds for every response of the API, the website and everything else: it states its type, a browser that opens it
// directly can run nothing, and it reveals nothing about the server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOGO_PATH, SCRIPT_PATH, STYLESHEET_PATH } from '../../src/site/assets.ts'
import { requireCode } from '../support/api-client.ts'
import { rawRequest } from '../support/raw-request.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const TOKEN = 'a token for the collector'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ SITE_ACCESS: 'public', METRICS_TOKEN: TOKEN })
})
afterAll(() => server.close())

const OF_THE_API = [
  '/api/v1/',
  '/api/v1/openapi.json',
  '/api/v1/web/?q=climate',
  '/api/v1/web/',
  '/api/v1/status/',
  '/api/v1/key/',
  '/api/v1/nowhere/',
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

interface Case {
  path: string
  authorization?: string
}

const everyCase = (): Case[] => [
  ...OF_THE_API.flatMap((path) => [{ path }, { path, authorization: `Api-Key ${server.key}` }]),
  ...OF_THE_SITE.map((path) => ({ path })),
  ...OF_OPERATION.flatMap((path) => [{ path }, { path, authorization: `Bearer ${TOKEN}` }]),
]

const ask = ({ path, authorization }: Case) =>
  fetch(server.url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...(authorization !== undefined && { authorization }) },
  })

describe('every response', () => {
  it('states the type and character set of its body', async () => {
    for (const one of everyCase()) {
      const reply = await ask(one)
      if ((await reply.bytes()).length === 0) continue
      // A bitmap has no character set.
      if (one.path === '/favicon.ico') {
        expect(reply.headers.get('content-type')).toBe('image/x-icon')
        continue
      }
      expect([one.path, reply.headers.get('content-type')]).toEqual([
        one.path,
        expect.stringMatching(/^(?:text|application|image)\/[\w.+-]+;(?: version=[\d.]+;)? charset=utf-8$/),
      ])
    }
  })

  it('has a CSP that blocks foreign code and framing', async () => {
    for (const one of everyCase()) {
      const reply = await ask(one)
      await reply.bytes()
      const policy = reply.headers.get('content-security-policy')
      expect([one.path, policy]).toEqual([one.path, expect.stringContaining("default-src 'none'")])
      expect([one.path, policy]).toEqual([one.path, expect.stringContaining("frame-ancestors 'none'")])
    }
    const unreadable = await rawRequest(server.url, 'nonsense\r\n\r\n')
    expect(unreadable.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('over https sets HSTS for a year, including subdomains; over http it does not', async () => {
    const secure = await startTestInstance({ PUBLIC_URL: 'https://search.example.org', SITE_ACCESS: 'public' })
    for (const { path } of everyCase()) {
      const headers = await Promise.all(
        [server.url, secure.url].map(async (url) => {
          const reply = await fetch(url + path, { redirect: 'manual' })
          await reply.bytes()
          return reply.headers
        }),
      )
      expect([path, ...headers.map((of) => of.get('strict-transport-security'))]).toEqual([
        path,
        null,
        'max-age=31536000; includeSubDomains',
      ])
    }
    await secure.close()
  })

  it('has a documented code if it is an error', async () => {
    for (const one of everyCase()) {
      const reply = await ask(one)
      await reply.bytes()
      requireCode(reply)
    }
  })

  it('forbids browsers to guess its type', async () => {
    for (const one of everyCase()) {
      const reply = await ask(one)
      await reply.bytes()
      expect([one.path, reply.headers.get('x-content-type-options')]).toEqual([one.path, 'nosniff'])
    }
  })

  it('cannot be read by other sites, except the API document', async () => {
    for (const { path, authorization } of everyCase()) {
      const reply = await fetch(server.url + path, {
        redirect: 'manual',
        headers: { origin: 'https://elsewhere.example', ...(authorization !== undefined && { authorization }) },
      })
      await reply.bytes()
      if (path !== '/api/v1/openapi.json')
        expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, null])
      expect([path, reply.headers.get('access-control-allow-credentials')]).toEqual([path, null])
    }
  })

  it('reveals neither the server software nor its version', async () => {
    for (const one of everyCase()) {
      const reply = await ask(one)
      await reply.bytes()
      const telling = ['server', 'x-powered-by', 'via', 'x-aspnet-version'].filter((name) => reply.headers.has(name))
      expect([one.path, telling]).toEqual([one.path, []])
    }
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
      const reply = await ask({ path: '/metrics', ...(authorization !== undefined && { authorization }) })
      expect([reply.status, (await reply.text()).includes('bowerbird_')]).toEqual([401, false])
    }
    const reply = await ask({ path: '/metrics', authorization: `Bearer ${TOKEN}` })
    expect([reply.status, (await reply.text()).includes('bowerbird_http_request_seconds')]).toEqual([200, true])
  })
})
