// What counts as a search, and
// usage/, where a key reads its own counts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())

const usageOf = async (key: string) => (await server.api.get('/api/v1/usage/', { key })).json
const today = () => new Date().toISOString().slice(0, 10)

/** How many searches a request adds to a new key. */
async function countOf(path: string, expectedStatus: number, method = 'GET'): Promise<number> {
  const key = await server.createKey()
  const { status } = await server.api.get(path, { key, method })
  expect(status).toBe(expectedStatus)
  return (await usageOf(key)).searches
}

describe('what counts', () => {
  it('an answered web search counts 1', async () => {
    expect(await countOf('/api/v1/web/?q=climate', 200)).toBe(1)
  })

  it('counts 1 however many engines are called, even without results', async () => {
    expect(await countOf('/api/v1/web/?q=climate&engine=engine_a', 200)).toBe(1)
    expect(await countOf('/api/v1/web/?q=nothingtofind', 200)).toBe(1)
    expect(await countOf('/api/v1/web/?q=climate&page=50', 200)).toBe(1)
  })

  it('HEAD counts 0', async () => {
    expect(await countOf(`/api/v1/web/?q=${freshQuery()}`, 200, 'HEAD')).toBe(0)
  })

  it('counts 1 if partial', async () => {
    server.sandbox.setFault('brave', { kind: 'status', status: 500 })
    expect(await countOf(`/api/v1/web/?q=${freshQuery()}`, 200)).toBe(1)
    server.sandbox.setFault('brave', undefined)
  })

  it.each([
    '/api/v1/',
    '/api/v1/status/',
    '/api/v1/key/',
    '/api/v1/usage/',
    '/api/v1/openapi.json',
    '/api/v1/translate/languages/',
  ])('%s counts 0', async (path) => {
    expect(await countOf(path, 200)).toBe(0)
  })

  it.each([
    [400, '/api/v1/web/', 'GET'],
    [400, '/api/v1/web/?q=climate&page=0', 'GET'],
    [404, '/api/v1/nowhere/', 'GET'],
    [405, '/api/v1/web/?q=climate', 'POST'],
  ])('a %i counts 0: %s', async (status, path, method) => {
    expect(await countOf(path, status, method)).toBe(0)
  })

  it('a 503 counts 0', async () => {
    const slugs = ['brave', 'mojeek', 'marginalia']
    for (const slug of slugs) server.sandbox.setFault(slug, { kind: 'status', status: 500 })
    const count = await countOf(`/api/v1/web/?q=${freshQuery()}`, 503)
    for (const slug of slugs) server.sandbox.setFault(slug, undefined)
    expect(count).toBe(0)
  })

  it('a 429 counts 0', async () => {
    const key = await server.createKey({ sustained: '2/day' })
    const statuses = []
    for (let request = 0; request < 4; request++) {
      statuses.push((await server.api.get('/api/v1/web/?q=climate', { key })).status)
    }
    expect(statuses).toEqual([200, 200, 429, 429])
    const usage = await server.instance.services.api.readUsage(await idOf(key), today())
    expect(usage.counts).toEqual([{ day: today(), endpoint: 'web_search', count: 2 }])
  })

  it('a 403 for a missing scope counts 0', async () => {
    const key = await server.createKey({ scopes: ['maps'] })
    expect((await server.api.get('/api/v1/web/?q=climate', { key })).status).toBe(403)
    expect((await usageOf(key)).searches).toBe(0)
  })
})

/** Keys are identified by id internally; the access layer resolves it. */
async function idOf(key: string): Promise<string> {
  const verdict = await server.instance.services.api.keys.verify(key, '127.0.0.1')
  if (!verdict.ok) throw new Error(verdict.reason)
  return verdict.key.keyId
}

describe('usage/', () => {
  it('has exactly these keys', async () => {
    const key = await server.createKey({ burst: '50/min', sustained: '70/hour' })
    await server.api.get('/api/v1/web/?q=climate', { key })
    await server.api.get('/api/v1/web/?q=bowerbird', { key })
    expect(await usageOf(key)).toEqual({
      month: today().slice(0, 7),
      searches: 2,
      complete: true,
      by_endpoint: { web_search: 2 },
      by_day: [{ day: today(), searches: 2, by_endpoint: { web_search: 2 } }],
      limits: {
        burst: { limit: 50, window_seconds: 60, remaining: 47, reset_seconds: expect.any(Number) },
        sustained: { limit: 70, window_seconds: 3600, remaining: 67, reset_seconds: expect.any(Number) },
        monthly_cap: null,
      },
    })
  })

  it('is empty for a key without searches', async () => {
    expect(await usageOf(await server.createKey())).toMatchObject({ searches: 0, by_endpoint: {}, by_day: [] })
  })

  it("is the key's own: no other key, of the same user or another, sees it", async () => {
    const access = server.instance.services.access
    await createUser(access, { username: 'grace', password: 'correct horse battery' })
    const keys = [
      await server.createKey(),
      await server.createKey(),
      await server.createKey({ owner: { username: 'grace' } }),
    ]
    await server.api.get('/api/v1/web/?q=climate', { key: keys[0] })
    const counts = []
    for (const key of keys) counts.push((await usageOf(key)).searches)
    expect(counts).toEqual([1, 0, 0])
  })

  it('is exact after concurrent requests', async () => {
    const key = await server.createKey({ burst: '1000/min' })
    await Promise.all(Array.from({ length: 50 }, () => server.api.get('/api/v1/web/?q=climate', { key })))
    expect((await usageOf(key)).searches).toBe(50)
  })
})
