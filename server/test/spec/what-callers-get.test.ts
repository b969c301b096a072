// What clients get besides the body, and when a provider fails: compression, ETags, caching, waits and fallbacks, over
// real HTTP. docs/api/conventions.md has the reasons.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())
afterEach(() => server.sandbox.reset())

describe('compression', () => {
  it.each(['zstd', 'br', 'gzip'])('%s, for cached and uncached searches', async (encoding) => {
    const path = `/api/v1/web/?q=${freshQuery()}`
    const headers = { 'accept-encoding': encoding }
    const first = await server.api.get(path, { headers })
    expect(first.headers.get('content-encoding')).toBe(encoding)
    expect(first.headers.get('vary')).toBe('Accept-Encoding')
    const cached = await server.api.get(path, { headers })
    expect(cached.headers.get('cache-status')).toBe('bowerbird; hit')
    expect(cached.headers.get('content-encoding')).toBe(encoding)
    const plain = await server.api.get(path, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect([first.json, cached.json]).toEqual([plain.json, plain.json])
  })
})

describe('ETag', () => {
  it.each(['/api/v1/openapi.json', '/api/v1/translate/languages/', '/docs'])('304: %s', async (path) => {
    const get = (headers: Record<string, string> = {}) =>
      fetch(server.url + path, { headers: { authorization: `Api-Key ${server.key}`, ...headers } })
    // The page shows a dot for provider status, which may change while the first probes complete.
    const askTwice = async () => {
      const first = await get()
      const etag = first.headers.get('etag') ?? ''
      const again = await get({ 'if-none-match': etag })
      const isSame = again.headers.get('etag') === etag
      return { whole: (await first.text()).length > 100, isSame, status: again.status, body: await again.text() }
    }
    await expect.poll(askTwice).toEqual({ whole: true, isSame: true, status: 304, body: '' })
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200)
  })
})

describe('Cache-Control', () => {
  it.each([
    '/api/v1/web/?q=climate',
    '/api/v1/maps/?q=Paris',
    '/api/v1/translate/?q=hello&target=fr',
    '/api/v1/cards/?q=climate',
    '/api/v1/key/',
    '/api/v1/usage/',
  ])('%s depends on the key: it must not be cached', async (path) => {
    const { status, headers } = await server.api.get(path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  })
})

it('405: a preflight, unless the operator sets CORS_ORIGINS', async () => {
  const reply = await fetch(`${server.url}/api/v1/web/`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
  })
  expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([405, null])
})

it.each([
  ['engine_a', 'brave'],
  ['engine_b', 'mojeek'],
  ['engine_c', 'marginalia'],
])('503: %s has the Retry-After that %s sent', async (engine, slug) => {
  server.sandbox.setFault(slug, { kind: 'throttled', retryAfterSeconds: 37 })
  const { status, headers } = await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=${engine}`)
  expect([status, headers.get('retry-after')]).toEqual([503, '37'])
})

it('if a translator fails, the next one with these languages is used', async () => {
  const parameters = 'q=La+casa+es+roja.&source=es&target=en'
  server.sandbox.setFault('libretranslate', { kind: 'status', status: 500 })
  const { status, json } = await server.api.get(`/api/v1/translate/?${parameters}`)
  expect([status, json.source, json.target]).toEqual([200, 'es', 'en'])
  expect(server.sandbox.callCount('apertium')).toBeGreaterThan(0)
})
