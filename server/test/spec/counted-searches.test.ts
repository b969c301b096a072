// What counts as usage, and what only counts towards the rate limit. Each endpoint's name in the record:
// `src/api/pipeline/serve-endpoint.test.ts`.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'
import { freshQuery } from './fresh-query.ts'

const SEARCHES = {
  web_search: '/api/v1/web/',
  image_search: '/api/v1/images/',
  similar_image_search: '/api/v1/images/similar/',
  news_search: '/api/v1/news/',
  video_search: '/api/v1/videos/',
  suggest: '/api/v1/suggest/',
}
const UNCOUNTED = ['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/']

let server: SharedInstance
beforeAll(async () => {
  server = await shareInstance()
})

const usageOf = async (key: string) => (await server.api.get('/api/v1/usage/', { key })).json
const today = () => new Date().toISOString().slice(0, 10)

describe('usage', () => {
  it.each(Object.entries(SEARCHES))('%s counts 1 each time, cached, empty or not', async (name, path) => {
    const key = await server.createKey()
    const query = freshQuery('oak')
    for (const q of [query, query, 'nothingtofind']) await server.api.get(`${path}?q=${q}`, { key })
    const by_endpoint = { [name]: 3 }
    expect(await usageOf(key)).toMatchObject({
      searches: 3,
      by_endpoint,
      by_day: [{ day: today(), searches: 3, by_endpoint }],
    })
  })

  it('of a month is the sum of all searches, and neither the root, the status nor the key is one', async () => {
    const key = await server.createKey()
    for (const path of Object.values(SEARCHES)) await server.api.get(`${path}?q=climate`, { key })
    for (const path of UNCOUNTED) await server.api.get(path, { key })
    const searches = Object.keys(SEARCHES).length
    expect((await usageOf(key)).searches).toBe(searches)
    const { usage } = (await server.api.get('/api/v1/key/', { key })).json
    expect(usage).toEqual({ month: today().slice(0, 7), searches })
  })

  it.each([
    [400, '/api/v1/web/', 'GET'],
    [404, '/api/v1/web/deeper/?q=oak', 'GET'],
    [405, '/api/v1/web/?q=oak', 'POST'],
    [200, '/api/v1/web/?q=oak', 'HEAD'],
    [503, '/api/v1/news/?q=oak&engine=engine_b', 'GET'],
  ])('is not a %i: %s by %s', async (expected, path, method) => {
    const key = await server.createKey()
    expect((await server.api.get(path, { key, method })).status).toBe(expected)
    expect((await usageOf(key)).searches).toBe(0)
  })

  it('is not a 429', async () => {
    const key = await server.createKey({ sustained: '3/day' })
    for (const status of [200, 200]) expect((await server.api.get('/api/v1/web/?q=oak', { key })).status).toBe(status)
    expect((await usageOf(key)).searches).toBe(2)
    expect((await server.api.get('/api/v1/web/?q=oak', { key })).status).toBe(429)
    const verdict = await server.instance.services.api.keys.verify(key, '127.0.0.1')
    const { counts } = await server.instance.services.api.readUsage(verdict.ok ? verdict.key.keyId : '', today())
    expect(counts).toEqual([{ day: today(), endpoint: 'web_search', count: 2 }])
  })
})

it.each([...UNCOUNTED, '/api/v1/suggest/?q=clim', '/api/v1/suggest/'])(
  '%s counts towards the raw rate limit',
  async (path) => {
    const key = await server.createKey({ burst: '10/min' })
    await server.api.get(path, { key })
    const { headers } = await server.api.get(path, { key })
    expect(headers.get('ratelimit')).toMatch(/^"burst";r=8;/)
  },
)
