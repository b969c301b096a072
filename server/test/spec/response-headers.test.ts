// What response headers say beyond the bodies, which have exactly the documented keys.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const TIMEOUT_MS = 2_500

const server = useTestInstance({ SEARCH_TIMEOUT_MS: String(TIMEOUT_MS) })

const web = (parameters = '') => server.api.get(`/api/v1/web/?q=${freshQuery()}${parameters}`)

describe('RateLimit-Policy and RateLimit', () => {
  it('are on a response, whatever its status', async () => {
    for (const path of ['/api/v1/status/', '/api/v1/web/']) {
      const { headers } = await server.api.get(path, { key: await server.createKey() })
      expect(headers.get('ratelimit-policy')).toBe('"burst";q=60;w=60, "sustained";q=5000;w=86400')
      expect(headers.get('ratelimit')).toMatch(/^"burst";r=59;t=\d+, "sustained";r=4999;t=\d+$/)
    }
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

  it('no header names a provider', async () => {
    server.sandbox.setFault('marginalia', { kind: 'html' })
    const { headers } = await web()
    server.sandbox.setFault('marginalia', undefined)
    expect(JSON.stringify([...headers])).not.toMatch(/brave|mojeek|marginalia|sandbox/i)
  })
})

// Last, because a provider that sent Retry-After isn't called until then.
describe('Retry-After', () => {
  it.each([
    ['engine_a', 'brave'],
    ['engine_b', 'mojeek'],
  ])('503: %s has the one that %s sent', async (engine, slug) => {
    server.sandbox.setFault(slug, { kind: 'throttled', retryAfterSeconds: 37 })
    const { status, headers } = await web(`&engine=${engine}`)
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('37')
  })
})
