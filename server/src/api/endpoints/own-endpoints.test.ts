// Endpoints about the instance and the client's key: the root, the status, the key and its usage.
import { describe, expect, it } from 'vitest'
import { NOW, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()

describe('the root', () => {
  it('200: lists every endpoint and the OpenAPI document, with the host that the client used', async () => {
    const { json } = await stage.get('/api/v1/', { headers: { host: 'search.example:8443' } })
    const paths = Object.keys(stage.document.paths).filter((path) => path !== '/api/v1/')
    expect(Object.values<string>(json).sort()).toEqual(paths.map((path) => `http://search.example:8443${path}`).sort())
    expect(json).toMatchObject({
      web_search: 'http://search.example:8443/api/v1/web/',
      openapi: 'http://search.example:8443/api/v1/openapi.json',
    })
  })

  it('200: does not repeat an invalid host', async () => {
    const { text } = await stage.get('/api/v1/', { headers: { host: 'evil.example/"><script>' } })
    expect(text).not.toContain('evil')
  })
})

describe('the root behind PUBLIC_URL', () => {
  const behind = setUpApi({ publicUrl: 'https://search.example' })

  it('200: uses that address, whatever the Host header', async () => {
    const { json } = await behind.get('/api/v1/', { headers: { host: '10.0.0.7' } })
    expect(json.maps).toBe('https://search.example/api/v1/maps/')
  })
})

describe('the OpenAPI document', () => {
  it('200: is public, without a key and without limits, with the address that the client used', async () => {
    const { status, json, headers } = await stage.get('/api/v1/openapi.json', {
      key: null,
      headers: { host: 'a.example' },
    })
    expect({ status, servers: json.servers }).toEqual({ status: 200, servers: [{ url: 'http://a.example' }] })
    expect(headers).not.toHaveProperty('ratelimit')
    expect(stage.consumed).toEqual([])
  })
})

describe('the key', () => {
  it('200: shows its scopes, with the limits of the instance', async () => {
    stage.says.usage = async () => ({
      counts: [
        { day: '2026-11-01', endpoint: 'maps', count: 2 },
        { day: '2026-11-15', endpoint: 'web_search', count: 5 },
      ],
      isComplete: true,
    })
    const key = stage.addKey({ name: 'laptop', scopes: new Set(['maps', 'search']) })
    expect((await stage.get('/api/v1/key/', { key })).json).toEqual({
      name: 'laptop',
      prefix: '1',
      created_at: '2026-11-14T12:00:00.000Z',
      last_used_at: '2026-11-15T12:00:00.000Z',
      expires_at: null,
      revoked: false,
      scopes: ['search', 'maps'],
      limits: { burst: '60/min', sustained: '5000/day', monthly_cap: null },
      usage: { month: '2026-11', searches: 7 },
    })
    expect(stage.asked).toEqual([['usage', key, '2026-11-01']])
  })

  it('200: shows when it expires, and its own limits', async () => {
    const key = stage.addKey({
      expiresAt: new Date(NOW + 1_000),
      lastUsedAt: undefined,
      burst: { count: 7, windowMs: 1_000 },
    })
    expect((await stage.get('/api/v1/key/', { key })).json).toMatchObject({
      expires_at: '2026-11-15T12:00:01.000Z',
      last_used_at: null,
      limits: { burst: '7/s', sustained: '5000/day' },
    })
  })

  it('200: shows nothing secret', async () => {
    const key = stage.addKey()
    expect((await stage.get('/api/v1/key/', { key })).text).not.toMatch(/secret|hash|\.key/)
  })
})

describe('the usage', () => {
  it('200: is listed by day and by endpoint, days in order', async () => {
    stage.says.usage = async () => ({
      counts: [
        { day: '2026-11-15', endpoint: 'web_search', count: 5 },
        { day: '2026-11-02', endpoint: 'maps', count: 2 },
        { day: '2026-11-15', endpoint: 'maps', count: 1 },
      ],
      isComplete: true,
    })
    const key = stage.addKey()
    const { json } = await stage.get('/api/v1/usage/', { key })
    expect(json).toEqual({
      month: '2026-11',
      searches: 8,
      complete: true,
      by_endpoint: { web_search: 5, maps: 3 },
      by_day: [
        { day: '2026-11-02', searches: 2, by_endpoint: { maps: 2 } },
        { day: '2026-11-15', searches: 6, by_endpoint: { web_search: 5, maps: 1 } },
      ],
      limits: {
        burst: { limit: 60, window_seconds: 60, remaining: 59, reset_seconds: 60 },
        sustained: { limit: 5_000, window_seconds: 86_400, remaining: 4_999, reset_seconds: expect.any(Number) },
        monthly_cap: null,
      },
    })
  })

  it('200: shows what remains after this request, as the header does', async () => {
    const key = stage.addKey()
    await stage.get('/api/v1/status/', { key })
    const { json, headers } = await stage.get('/api/v1/usage/', { key })
    expect(json.limits.burst.remaining).toBe(58)
    expect(headers['ratelimit']).toMatch(/^"burst";r=58;/)
  })

  it('200: is marked incomplete while the history cannot be read', async () => {
    stage.says.usage = async () => ({ counts: [], isComplete: false })
    expect((await stage.get('/api/v1/usage/')).json).toMatchObject({ complete: false, searches: 0, by_day: [] })
  })

  it('200: starts over with the month in UTC', async () => {
    stage.now = Date.UTC(2026, 11, 1)
    expect((await stage.get('/api/v1/usage/')).json.month).toBe('2026-12')
    expect(stage.asked).toMatchObject([['usage', {}, '2026-12-01']])
  })
})

describe('the usage with a monthly cap', () => {
  const capped = setUpApi({ limits: { monthlyCap: 9_000 } })

  it.each(['key', 'usage'])('200: %s names it', async (name) => {
    expect((await capped.get(`/api/v1/${name}/`)).json.limits.monthly_cap).toBe(9_000)
  })
})
