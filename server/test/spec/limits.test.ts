// Two limits for each key that apply together.
// That no window of 60 s ever admits more than 60 is tested with a simulated clock in server/src/rate-limit/; these tests cover what
// clients see.
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'
import { parseRateLimit } from './parse-rate-limit.ts'

let server: SharedInstance
beforeAll(async () => {
  server = await shareInstance()
})

const ask = (key: string, path = '/api/v1/status/') => server.api.get(path, { key })

async function statuses(key: string, paths: string[]): Promise<number[]> {
  const seen: number[] = []
  for (const path of paths) seen.push((await ask(key, path)).status)
  return seen
}

describe('the defaults', () => {
  it('are 60 a minute and 5000 a day', async () => {
    const { headers } = await ask(await server.createKey())
    expect(headers.get('ratelimit-policy')).toBe('"burst";q=60;w=60, "sustained";q=5000;w=86400')
  })

  it('429: of 80 concurrent requests exactly 60 pass', async () => {
    const key = await server.createKey()
    const replies = await Promise.all(Array.from({ length: 80 }, () => ask(key)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

describe('a request must satisfy both limits', () => {
  it('429: burst exceeded; the same number in detail, Retry-After and RateLimit', async () => {
    const key = await server.createKey({ burst: '2/min' })
    expect(await statuses(key, ['/api/v1/status/', '/api/v1/status/'])).toEqual([200, 200])
    const { status, json, headers } = await ask(key)
    expect(status).toBe(429)
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
    expect(json).toEqual({ detail: `Request was throttled. Expected available in ${wait} seconds.` })
    expect(parseRateLimit(headers.get('ratelimit'))['burst']).toEqual({ r: 0, t: wait })
    expect(headers.get('ratelimit')).toMatch(/^"burst"/)
  })

  it('429: sustained exceeded, while burst has plenty left', async () => {
    const key = await server.createKey({ sustained: '2/hour' })
    expect(await statuses(key, ['/api/v1/status/', '/api/v1/status/'])).toEqual([200, 200])
    const { status, json, headers } = await ask(key)
    expect(status).toBe(429)
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThan(3000)
    expect(json).toEqual({ detail: `Request was throttled. Expected available in ${wait} seconds.` })
    const limits = parseRateLimit(headers.get('ratelimit'))
    expect(limits['sustained']).toEqual({ r: 0, t: wait })
    expect(limits['burst']?.['r']).toBe(58)
  })

  it('a refused request counts towards neither limit', async () => {
    const key = await server.createKey({ burst: '3/min', sustained: '50/day' })
    for (let count = 0; count < 10; count++) await ask(key)
    expect(parseRateLimit((await ask(key)).headers.get('ratelimit'))['sustained']?.['r']).toBe(47)
  })

  it('waiting as told works, and refused requests do not extend the wait', async () => {
    const key = await server.createKey({ burst: '2/s' })
    expect((await Promise.all([ask(key), ask(key)])).map(({ status }) => status)).toEqual([200, 200])
    let refused = await ask(key)
    for (let count = 0; count < 5; count++) refused = await ask(key)
    expect(refused.status).toBe(429)
    await sleep(Number(refused.headers.get('retry-after')) * 1000)
    expect((await ask(key)).status).toBe(200)
  })

  it('remaining falls by one with each request, in both limits', async () => {
    const key = await server.createKey()
    for (let count = 1; count <= 3; count++) {
      const limits = parseRateLimit((await ask(key)).headers.get('ratelimit'))
      expect([limits['burst']?.['r'], limits['sustained']?.['r']]).toEqual([60 - count, 5000 - count])
    }
  })
})

describe('what counts towards the rate limit', () => {
  it.each(['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/', '/api/v1/web/?q=climate'])(
    '%s counts one',
    async (path) => {
      const key = await server.createKey({ burst: '1/min' })
      expect(await statuses(key, [path, path])).toEqual([200, 429])
    },
  )

  it('a 400 counts one, although it is not a search', async () => {
    const key = await server.createKey({ burst: '2/min' })
    const paths = ['/api/v1/web/', '/api/v1/web/?q=climate&page=0', '/api/v1/web/?q=climate']
    expect(await statuses(key, paths)).toEqual([400, 400, 429])
  })

  it('429 comes before 400: a throttled request is not validated', async () => {
    const key = await server.createKey({ burst: '1/min' })
    expect(await statuses(key, ['/api/v1/status/', '/api/v1/web/'])).toEqual([200, 429])
  })

  it('the OpenAPI document, a 404 and a 405 count nothing', async () => {
    const key = await server.createKey({ burst: '1/min' })
    await ask(key, '/api/v1/openapi.json')
    await ask(key, '/api/v1/nowhere/')
    await server.api.get('/api/v1/status/', { key, method: 'POST' })
    expect(await statuses(key, ['/api/v1/status/', '/api/v1/status/'])).toEqual([200, 429])
  })

  it('HEAD counts like GET', async () => {
    const key = await server.createKey({ burst: '1/min' })
    await server.api.get('/api/v1/status/', { key, method: 'HEAD' })
    expect((await ask(key)).status).toBe(429)
  })
})

describe('each key has its own limits', () => {
  it('two keys of one user do not share limits', async () => {
    const keys = [await server.createKey({ burst: '1/min' }), await server.createKey({ burst: '1/min' })]
    for (const key of keys) expect(await statuses(key, ['/api/v1/', '/api/v1/'])).toEqual([200, 429])
  })

  it('nor do keys of two users', async () => {
    await createUser(server.instance.services.access, { username: 'grace', password: 'correct horse battery' })
    const theirs = await server.createKey({ burst: '1/min', owner: { username: 'grace' } })
    const ours = await server.createKey({ burst: '1/min' })
    for (const key of [theirs, ours]) expect(await statuses(key, ['/api/v1/', '/api/v1/'])).toEqual([200, 429])
  })

  it.each([
    ['5/s', 5, 1],
    ['5/sec', 5, 1],
    ['5/second', 5, 1],
    ['7/m', 7, 60],
    ['7/min', 7, 60],
    ['7/minute', 7, 60],
    ['9/h', 9, 3600],
    ['9/hour', 9, 3600],
    ['11/d', 11, 86400],
    ['11/day', 11, 86400],
    ['13 / Min', 13, 60],
  ])('the rate %s is %i in %i seconds', async (rate, count, seconds) => {
    const { headers } = await ask(await server.createKey({ burst: rate }))
    expect(parseRateLimit(headers.get('ratelimit-policy'))['burst']).toEqual({ q: count, w: seconds })
  })
})
