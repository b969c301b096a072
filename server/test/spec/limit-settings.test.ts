// The limits as the operator sets them, and the monthly cap, which is off by default.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { parseRateLimit } from './parse-rate-limit.ts'

const server = useTestInstance({
  API_THROTTLE_BURST: '8/min',
  API_THROTTLE_SUSTAINED: '20/hour',
  API_MONTHLY_CAP: '3',
})

const ask = (key: string, path: string) => server.api.get(path, { key })
const WEB = '/api/v1/web/?q=climate'

describe('API_THROTTLE_BURST and API_THROTTLE_SUSTAINED', () => {
  it('are the limits of a key without custom ones', async () => {
    const { headers, json } = await ask(await server.createKey(), '/api/v1/key/')
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=8;w=60, "sustained";q=20;w=3600')
    expect(json.limits).toEqual({ burst: '8/min', sustained: '20/hour', monthly_cap: 3 })
  })

  it('a key may have higher or lower limits', async () => {
    const { headers } = await ask(await server.createKey({ burst: '30/min', sustained: '2/day' }), '/api/v1/key/')
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=30;w=60, "sustained";q=2;w=86400')
  })
})

describe('API_MONTHLY_CAP', () => {
  const useUp = async (key: string) => {
    for (let count = 0; count < 3; count++) expect((await ask(key, WEB)).status).toBe(200)
  }

  it('429: searches beyond it, with a specific detail and the wait until the next UTC month', async () => {
    const key = await server.createKey()
    await useUp(key)
    const { status, json, headers } = await ask(key, WEB)
    const now = new Date()
    const untilNextMonth = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000
    expect(status).toBe(429)
    const wait = Number(headers.get('retry-after'))
    expect(Math.abs(wait - untilNextMonth)).toBeLessThanOrEqual(2)
    expect(Object.keys(json)).toEqual(['detail'])
    expect(json.detail).toMatch(/month/)
    expect(json.detail).toContain(String(wait))
    expect(json.detail).not.toMatch(/Request was throttled/)
    expect(Object.values(parseRateLimit(headers.get('ratelimit')))[0]).toEqual({ r: 0, t: wait })
  })

  it('applies to searches alone: bad parameters do not count, and other requests still work beyond it', async () => {
    const key = await server.createKey({ burst: '100/min' })
    for (let count = 0; count < 4; count++) expect((await ask(key, '/api/v1/web/')).status).toBe(400)
    await useUp(key)
    for (const path of ['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/'])
      expect((await ask(key, path)).status, path).toBe(200)
  })

  it('a refused search does not count towards the rate limit either', async () => {
    const key = await server.createKey()
    await useUp(key)
    for (let count = 0; count < 10; count++) expect((await ask(key, WEB)).json.detail).toMatch(/month/)
    expect((await ask(key, '/api/v1/usage/')).json).toMatchObject({
      searches: 3,
      limits: { burst: { remaining: 4 }, monthly_cap: 3 },
    })
  })

  it('concurrent searches do not exceed it', async () => {
    const key = await server.createKey({ burst: '100/min' })
    const seen = await Promise.all(Array.from({ length: 15 }, () => ask(key, WEB)))
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(3)
  })
})
