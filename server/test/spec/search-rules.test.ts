// The search endpoints besides web: where they are, what they need and reject, and what counts as usage.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

/** Name in the root and in the usage record, path, and the providers called. */
const ENDPOINTS = [
  ['image_search', '/api/v1/images/', ['brave', 'openverse']],
  ['similar_image_search', '/api/v1/images/similar/', ['brave', 'openverse']],
  ['news_search', '/api/v1/news/', ['brave', 'hackernews']],
  ['video_search', '/api/v1/videos/', ['brave', 'sepiasearch']],
  ['suggest', '/api/v1/suggest/', ['wikipedia', 'duckduckgo']],
] as const
const UNCOUNTED = ['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/usage/', '/api/v1/openapi.json']

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance(WITHOUT_RATE_LIMIT)
})
afterAll(() => server.close())

const usageOf = async (key: string) => (await server.api.get('/api/v1/usage/', { key })).json
const today = () => new Date().toISOString().slice(0, 10)

/** What a request adds to the usage of a new key. */
async function countOf(path: string, expectedStatus: number, method = 'GET'): Promise<Record<string, number>> {
  const key = await server.createKey()
  const { status } = await server.api.get(path, { key, method })
  expect([path, status]).toEqual([path, expectedStatus])
  const usage = await usageOf(key)
  expect(usage.searches).toBe(Object.values<number>(usage.by_endpoint).reduce((sum, count) => sum + count, 0))
  return usage.by_endpoint
}

async function whileFailing<T>(slugs: readonly string[], work: () => Promise<T>): Promise<T> {
  for (const slug of slugs) server.sandbox.setFault(slug, { kind: 'status', status: 500 })
  try {
    return await work()
  } finally {
    for (const slug of slugs) server.sandbox.setFault(slug, undefined)
  }
}

describe.each(ENDPOINTS)('%s', (name, path, providers) => {
  const ask = () => `${path}?q=${freshQuery('oak')}`

  it('is listed in the root, works with and without the trailing slash, and supports HEAD', async () => {
    expect((await server.api.get('/api/v1/')).json[name]).toBe(server.url + path)
    const [slash, none, head] = await Promise.all([
      server.api.get(`${path}?q=climate`),
      server.api.get(`${path.slice(0, -1)}?q=climate`),
      server.api.get(`${path}?q=climate`, { method: 'HEAD' }),
    ])
    expect([slash.status, none.status, head.status, head.text]).toEqual([200, 200, 200, ''])
    expect(none.json).toEqual(slash.json)
  })

  it('405: any other method; the response says which to use', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await server.api.get(ask(), { method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
  })

  it('401 without a key, 403 without the scope, and no provider is called', async () => {
    server.sandbox.reset()
    expect((await server.api.get(ask(), { key: undefined })).status).toBe(401)
    const key = await server.createKey({ scopes: ['maps'] })
    expect((await server.api.get(ask(), { key })).status).toBe(403)
    for (const slug of providers) expect(server.sandbox.callCount(slug)).toBe(0)
    expect((await usageOf(key)).searches).toBe(0)
  })

  it('an answered request counts 1, under this name', async () => {
    expect(await countOf(ask(), 200)).toEqual({ [name]: 1 })
  })

  it('counts 1 each time, cached or not', async () => {
    const key = await server.createKey()
    const path = ask()
    for (let round = 0; round < 3; round++) await server.api.get(path, { key })
    const by_endpoint = { [name]: 3 }
    expect(await usageOf(key)).toMatchObject({
      searches: 3,
      by_endpoint,
      by_day: [{ day: today(), searches: 3, by_endpoint }],
    })
  })

  it('counts 1 without any results', async () => {
    expect(await countOf(`${path}?q=nothingtofind`, 200)).toEqual({ [name]: 1 })
  })

  it('counts 1 if partial', async () => {
    expect(await whileFailing(providers.slice(0, 1), () => countOf(ask(), 200))).toEqual({ [name]: 1 })
  })

  it('a 503 counts 0', async () => {
    expect(await whileFailing(providers, () => countOf(ask(), 503))).toEqual({})
  })

  it('a 400, a 404 and a 405 count 0', async () => {
    expect(await countOf(path, 400)).toEqual({})
    expect(await countOf(`${path}?q=oak&lang=?`, 400)).toEqual({})
    expect(await countOf(`${path}deeper/?q=oak`, 404)).toEqual({})
    expect(await countOf(ask(), 405, 'POST')).toEqual({})
  })

  it('HEAD counts 0', async () => {
    expect(await countOf(ask(), 200, 'HEAD')).toEqual({})
  })

  it('a 429 counts 0', async () => {
    const key = await server.createKey({ sustained: '3/day' })
    const statuses = []
    for (let round = 0; round < 2; round++) statuses.push((await server.api.get(ask(), { key })).status)
    expect(await usageOf(key)).toMatchObject({ searches: 2 })
    statuses.push((await server.api.get(ask(), { key })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await server.api.get('/api/v1/usage/', { key })).status).toBe(429)
    const verdict = await server.instance.services.api.keys.verify(key, '127.0.0.1')
    const keyId = verdict.ok ? verdict.key.keyId : ''
    const { counts } = await server.instance.services.api.readUsage(keyId, today())
    expect(counts).toEqual([{ day: today(), endpoint: name, count: 2 }])
  })
})

describe('rule 2: similar images', () => {
  const PATH = '/api/v1/images/similar/'

  it('either q or query is enough, and q takes precedence', async () => {
    const seedFor = async (parameters: string) => (await server.api.get(`${PATH}?${parameters}`)).json.query
    expect(await seedFor('q=oak+bark')).toBe('oak bark')
    expect(await seedFor('query=trees')).toBe('trees')
    expect(await seedFor('q=oak+bark&query=trees')).toBe('oak bark')
    expect(await seedFor('q=+&query=trees')).toBe('trees')
  })

  it('without a usable seed nothing is searched or counted', async () => {
    server.sandbox.reset()
    for (const parameters of ['', '?q=', '?q=+&query=+', '?q=---', '?exclude_url=https://a.example/']) {
      expect(await countOf(PATH + parameters, 400)).toEqual({})
    }
    expect(server.sandbox.callCount('brave') + server.sandbox.callCount('openverse')).toBe(0)
  })
})

describe('rule 5: what counts where', () => {
  it('the monthly total is the sum of all searches', async () => {
    const key = await server.createKey()
    for (const [, path] of ENDPOINTS) await server.api.get(`${path}?q=${freshQuery()}`, { key })
    await server.api.get(`/api/v1/web/?q=${freshQuery()}`, { key })
    for (const path of UNCOUNTED) await server.api.get(path, { key })
    const names = [...ENDPOINTS.map(([name]) => name), 'web_search']
    const usage = await usageOf(key)
    expect(usage.by_endpoint).toEqual(Object.fromEntries(names.map((name) => [name, 1])))
    expect(usage.searches).toBe(6)
    expect((await server.api.get('/api/v1/key/', { key })).json.usage).toEqual({
      month: today().slice(0, 7),
      searches: 6,
    })
  })

  it.each(['/api/v1/', '/api/v1/status/', '/api/v1/key/', '/api/v1/suggest/?q=clim', '/api/v1/suggest/'])(
    '%s counts towards the raw rate limit',
    async (path) => {
      const key = await server.createKey({ burst: '10/min' })
      const remaining: string[] = []
      for (let round = 0; round < 2; round++) {
        const { headers } = await server.api.get(path, { key })
        remaining.push(/^"burst";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? '')
      }
      expect(remaining).toEqual(['9', '8'])
    },
  )
})
