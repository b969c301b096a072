import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { setUpApi } from '../api.test-harness.ts'

const PAGE = 'https://app.example'
const PREFLIGHT = {
  origin: PAGE,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
}

const corsOf = (headers: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'))

describe('with a list of origins', () => {
  const stage = setUpApi({ corsOrigins: new Set([PAGE]) })
  const ask = (options: InjectOptions) => stage.http.inject(options)

  it('204: a preflight, without a key and without cost', async () => {
    const { statusCode, body, headers } = await ask({ method: 'OPTIONS', url: '/api/v1/web/?q=a', headers: PREFLIGHT })
    expect([statusCode, body]).toEqual([204, ''])
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringContaining('Authorization, Content-Type, If-None-Match'),
      'access-control-max-age': '7200',
      vary: 'Origin',
    })
    expect(stage.consumed).toEqual([])
  })

  it('200: the page may read the reply and its headers, and sends no cookies', async () => {
    const { status, headers } = await stage.get('/api/v1/key/', { headers: { origin: PAGE } })
    expect(status).toBe(200)
    expect(headers['access-control-allow-origin']).toBe(PAGE)
    for (const name of ['Retry-After', 'X-Request-Id', 'Cache-Status', 'Engine-Status', 'RateLimit', 'ETag']) {
      expect(headers['access-control-expose-headers']?.split(', ')).toContain(name)
    }
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it.each([
    ['401', '/api/v1/web/?q=a', 'GET'],
    ['404', '/api/v1/nothing/', 'GET'],
    ['405', '/api/v1/web/', 'PUT'],
  ] as const)('%s: the page may read why', async (status, url, method) => {
    const { statusCode, headers } = await ask({ method, url, headers: { origin: PAGE } })
    expect([String(statusCode), headers['access-control-allow-origin']]).toEqual([status, PAGE])
  })

  it('another origin gets no permission, and the reply varies by origin', async () => {
    for (const origin of ['https://other.example', 'https://app.example.other.example', 'null', undefined]) {
      const { status, headers } = await stage.get('/api/v1/key/', { headers: origin === undefined ? {} : { origin } })
      expect([status, corsOf(headers)]).toEqual([200, { vary: 'Origin' }])
    }
    const refused = await ask({
      method: 'OPTIONS',
      url: '/api/v1/web/',
      headers: { ...PREFLIGHT, origin: 'https://other.example' },
    })
    expect([refused.statusCode, corsOf(refused.headers)]).toEqual([405, { vary: 'Origin' }])
  })

  it('varies by encoding too', async () => {
    const { headers } = await ask({ url: '/api/v1/openapi.json' })
    expect(headers['vary']).toBe('Accept-Encoding')
    const suggestions = Array.from({ length: 200 }, (_, index) => `straw ${index}`)
    stage.says.suggest = async () => ({ suggestions, status: 'complete' })
    const long = await stage.get('/api/v1/suggest/?q=straw', { headers: { origin: PAGE } })
    expect(long.headers['vary']).toBe('Origin, Accept-Encoding')
  })
})

describe('with *', () => {
  const stage = setUpApi({ corsOrigins: '*' })

  it('every page may call, and the reply is the same for all', async () => {
    const { headers } = await stage.get('/api/v1/key/', { headers: { origin: 'https://any.example' } })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('vary')
    const preflight = await stage.http.inject({ method: 'OPTIONS', url: '/api/v1/web/', headers: PREFLIGHT })
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
  })
})

describe('without the setting', () => {
  const stage = setUpApi()

  it('no page may call the API', async () => {
    expect(corsOf((await stage.get('/api/v1/key/', { headers: { origin: PAGE } })).headers)).toEqual({})
    const preflight = await stage.http.inject({ method: 'OPTIONS', url: '/api/v1/web/', headers: PREFLIGHT })
    expect([preflight.statusCode, corsOf(preflight.headers)]).toEqual([405, {}])
  })

  it.each(['/api/v1/openapi.json', '/api/v1/openapi.json?v=1', '/api/v1/openapi.json/'])(
    '%s is open to every page, with a preflight and without',
    async (url) => {
      const { headers } = await stage.http.inject({ url, headers: { origin: PAGE } })
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toContain('ETag')
      const preflight = await stage.http.inject({ method: 'OPTIONS', url, headers: PREFLIGHT })
      expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    },
  )
})

describe('the MCP server', () => {
  const stage = setUpApi({ corsOrigins: new Set([PAGE]) })

  it('204: a page on an allowed origin may call it, with the headers of the protocol', async () => {
    const { statusCode, headers } = await stage.http.inject({ method: 'OPTIONS', url: '/mcp', headers: PREFLIGHT })
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, PAGE])
    expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
  })

  it('a page on another origin may not, and a compatible API is for programs', async () => {
    for (const [url, origin] of [
      ['/mcp', 'https://other.example'],
      ['/tavily/search', PAGE],
    ] as const) {
      const { statusCode, headers } = await stage.http.inject({
        method: 'OPTIONS',
        url,
        headers: { ...PREFLIGHT, origin },
      })
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([405, undefined])
    }
  })
})
