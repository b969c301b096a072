// What response headers say beyond the bodies, which have exactly the documented keys.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { parseRateLimit } from './parse-rate-limit.ts'

const TIMEOUT_MS = 2_500

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ SEARCH_TIMEOUT_MS: String(TIMEOUT_MS) })
})
afterAll(() => server.close())

const web = (parameters = '') => server.api.get(`/api/v1/web/?q=${freshQuery()}${parameters}`)

describe('X-Request-Id', () => {
  it('is on every response, different each time', async () => {
    const replies = [
      await web(),
      await server.api.get('/api/v1/web/'),
      await server.api.get('/api/v1/key/', { key: undefined }),
      await server.api.get('/api/v1/nowhere/'),
      await server.api.get('/api/v1/key/', { method: 'POST' }),
      await server.api.get('/api/v1/key/', { method: 'HEAD' }),
      await server.api.get('/api/v1/openapi.json'),
      await server.api.get('/livez'),
    ]
    const ids = replies.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("is never the client's: nobody can write into our log", async () => {
    const { headers } = await server.api.get('/api/v1/key/', { headers: { 'x-request-id': 'canary' } })
    expect(headers.get('x-request-id')).not.toBe('canary')
  })

  it('identifies the request in the log', async () => {
    const { headers } = await server.api.get('/api/v1/key/')
    expect(server.logged()).toContain(headers.get('x-request-id'))
  })
})

describe('RateLimit-Policy and RateLimit', () => {
  it.each(['/api/v1/', '/api/v1/web/?q=climate', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/', '/api/v1/web/'])(
    'are on %s, whatever its status',
    async (path) => {
      const { headers } = await server.api.get(path, { key: await server.createKey() })
      expect(headers.get('ratelimit-policy')).toBe('"burst";q=60;w=60, "sustained";q=5000;w=86400')
      expect(headers.get('ratelimit')).toMatch(/^"burst";r=59;t=\d+, "sustained";r=4999;t=\d+$/)
    },
  )

  it('t never exceeds its window by more than one bucket', async () => {
    const { headers } = await server.api.get('/api/v1/status/', { key: await server.createKey() })
    const { burst, sustained } = parseRateLimit(headers.get('ratelimit'))
    expect(burst?.['t']).toBeLessThanOrEqual(60)
    expect(sustained?.['t']).toBeLessThanOrEqual(86_400 + 60)
  })

  it('are absent without a key', async () => {
    for (const path of ['/api/v1/key/', '/api/v1/nowhere/', '/api/v1/openapi.json']) {
      const { headers } = await server.api.get(path, { key: undefined })
      expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([null, null])
    }
  })

  it('Retry-After is never on a successful response', async () => {
    expect((await web()).headers.get('retry-after')).toBeNull()
  })
})

describe('Search-Status and Engine-Status', () => {
  it('complete: every engine called has answered, with its count and time', async () => {
    const { headers } = await web()
    expect(headers.get('search-status')).toBe('complete')
    expect(headers.get('engine-status')).toMatch(
      /^engine_a;ok;n=10;ms=\d+, engine_b;ok;n=10;ms=\d+, engine_c;ok;n=10;ms=\d+$/,
    )
  })

  it('only the selected engines are listed', async () => {
    expect((await web('&engine=engine_b')).headers.get('engine-status')).toMatch(/^engine_b;ok;n=10;ms=\d+$/)
  })

  it.each([
    { fault: { kind: 'status', status: 500 }, word: 'unreachable' },
    { fault: { kind: 'blocked' }, word: 'blocked' },
    { fault: { kind: 'badKey' }, word: 'rejected' },
    { fault: { kind: 'html' }, word: 'malformed' },
    { fault: { kind: 'cut-off' }, word: 'malformed' },
    { fault: { kind: 'refuse' }, word: 'unreachable' },
    { fault: { kind: 'hang' }, word: 'timeout' },
    { fault: { kind: 'drip' }, word: 'timeout' },
    // Last, because a provider that sent Retry-After isn't called until then.
    { fault: { kind: 'throttled' }, word: 'throttled' },
  ] as const)('partial: $fault.kind is reported as $word, and the other engines answer', async ({ fault, word }) => {
    await web()
    server.sandbox.setFault('marginalia', fault)
    const { status, headers, json } = await web()
    server.sandbox.setFault('marginalia', undefined)
    expect(status).toBe(200)
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('engine-status')).toMatch(new RegExp(`engine_c;${word};ms=\\d+$`))
    expect(json.engine).toEqual(['engine_a', 'engine_b'])
    expect(json.results.length).toBeGreaterThanOrEqual(10)
  })

  it('a slow engine does not delay the response past the deadline', async () => {
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: 20_000 })
    const started = performance.now()
    const { headers } = await web()
    const took = performance.now() - started
    server.sandbox.setFault('mojeek', undefined)
    expect(headers.get('engine-status')).toMatch(/engine_b;timeout;ms=\d+/)
    expect(took).toBeLessThan(15_000)
  })

  it('a skipped engine is listed with the reason, and the search is complete', async () => {
    const { headers } = await web('&date=d')
    expect(headers.get('engine-status')).toMatch(/engine_c;skipped;for=date/)
    expect(headers.get('search-status')).toBe('complete')
  })

  it('unsupported: no selected engine supports the parameters', async () => {
    const { headers } = await web('&lang=de&engine=engine_c')
    expect(headers.get('engine-status')).toBe('engine_c;skipped;for=lang')
    expect(headers.get('search-status')).toBe('unsupported')
  })

  it('a query that is too long for an engine is not sent to it', async () => {
    const { headers } = await server.api.get(`/api/v1/web/?q=${'word+'.repeat(90)}&engine=engine_a,engine_b`)
    expect(headers.get('engine-status')).toMatch(/engine_a;skipped;for=length/)
    expect(headers.get('search-status')).toBe('complete')
  })

  it('no header names a provider', async () => {
    server.sandbox.setFault('marginalia', { kind: 'html' })
    const { headers } = await web()
    server.sandbox.setFault('marginalia', undefined)
    expect(JSON.stringify([...headers])).not.toMatch(/brave|mojeek|marginalia|sandbox/i)
  })

  it('endpoints that do not search have neither', async () => {
    const { headers } = await server.api.get('/api/v1/status/')
    expect([headers.get('search-status'), headers.get('engine-status')]).toEqual([null, null])
  })
})

describe('Server-Timing', () => {
  it('reports how long a search waited for upstreams', async () => {
    server.sandbox.setFault('brave', { kind: 'latency', latencyMs: 120 })
    const { headers } = await web()
    server.sandbox.setFault('brave', undefined)
    const [, duration] = /(?:^|, )upstream;dur=([\d.]+)/.exec(headers.get('server-timing') ?? '') ?? []
    expect(Number(duration)).toBeGreaterThanOrEqual(110)
  })
})
