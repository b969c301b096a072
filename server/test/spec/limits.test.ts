// Two limits for each key that apply together, as clients see them. That no window ever admits more is tested with a simulated
// clock in server/src/rate-limit/, and over three nodes in faults/limits.test.ts.
import { expect, it } from 'vitest'
import { useSharedInstance } from '../support/shared-instance.ts'
import { parseRateLimit } from './parse-rate-limit.ts'

const server = useSharedInstance()

const ask = (key: string, path = '/api/v1/status/') => server.api.get(path, { key })

async function statuses(key: string, paths: string[]): Promise<number[]> {
  const seen: number[] = []
  for (const path of paths) seen.push((await ask(key, path)).status)
  return seen
}

it('the limits are 60 a minute and 5000 a day, unless the key has others', async () => {
  const { headers } = await ask(await server.createKey())
  expect(headers.get('ratelimit-policy')).toBe('"burst";q=60;w=60, "sustained";q=5000;w=86400')
})

it.each([
  { limit: 'burst', rates: { burst: '2/min' }, shortest: 1, longest: 60, left: { sustained: 4998 } },
  { limit: 'sustained', rates: { sustained: '2/hour' }, shortest: 3000, longest: 3660, left: { burst: 58 } },
])('429: $limit exceeded; the same number in detail, Retry-After and RateLimit', async (row) => {
  const key = await server.createKey(row.rates)
  expect(await statuses(key, ['/api/v1/status/', '/api/v1/status/'])).toEqual([200, 200])
  const { status, json, headers } = await ask(key)
  expect(status).toBe(429)
  const wait = Number(headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(row.shortest)
  expect(wait).toBeLessThanOrEqual(row.longest)
  expect(json).toEqual({ detail: `Request was throttled. Expected available in ${wait} seconds.` })
  const limits = parseRateLimit(headers.get('ratelimit'))
  expect(limits[row.limit]).toEqual({ r: 0, t: wait })
  for (const [name, left] of Object.entries(row.left)) expect(limits[name]?.['r']).toBe(left)
})

it('a refused request counts towards neither limit', async () => {
  const key = await server.createKey({ burst: '3/min', sustained: '50/day' })
  for (let count = 0; count < 10; count++) await ask(key)
  expect(parseRateLimit((await ask(key)).headers.get('ratelimit'))['sustained']?.['r']).toBe(47)
})

it.each(['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/', '/api/v1/web/?q=climate', '/api/v1/web/'])(
  '%s counts one towards the limits of its own key, also by HEAD',
  async (path) => {
    const [key, other] = [await server.createKey({ burst: '2/min' }), await server.createKey({ burst: '2/min' })]
    await server.api.get(path, { key, method: 'HEAD' })
    await ask(key, path)
    expect((await ask(key)).status).toBe(429)
    expect((await ask(other)).status).toBe(200)
  },
)

it('the OpenAPI document, a 404 and a 405 count nothing', async () => {
  const key = await server.createKey({ burst: '1/min' })
  await ask(key, '/api/v1/openapi.json')
  await ask(key, '/api/v1/nowhere/')
  await server.api.get('/api/v1/status/', { key, method: 'POST' })
  expect(await statuses(key, ['/api/v1/status/', '/api/v1/status/'])).toEqual([200, 429])
})
