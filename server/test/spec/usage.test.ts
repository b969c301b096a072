// What counts as a search, and usage/, where a key reads its own counts.
import { describe, expect, it } from 'vitest'
import { rotateKey } from '../../src/keys/keys.ts'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const server = useTestInstance()

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
  it.each([
    [1, 200, '/api/v1/web/?q=climate'],
    [1, 200, '/api/v1/web/?q=climate&engine=engine_a'],
    [1, 200, '/api/v1/web/?q=nothingtofind'],
    [1, 200, '/api/v1/web/?q=climate&page=50'],
    [0, 200, '/api/v1/'],
    [0, 200, '/api/v1/status/'],
    [0, 200, '/api/v1/key/'],
    [0, 200, '/api/v1/usage/'],
    [0, 200, '/api/v1/openapi.json'],
    [0, 200, '/api/v1/translate/languages/'],
    [0, 400, '/api/v1/web/'],
    [0, 404, '/api/v1/nowhere/'],
  ])('a request counts %i if it gets %i from %s', async (count, status, path) => {
    expect(await countOf(path, status)).toBe(count)
  })

  it('HEAD and a wrong method count 0', async () => {
    expect(await countOf('/api/v1/web/?q=climate', 200, 'HEAD')).toBe(0)
    expect(await countOf('/api/v1/web/?q=climate', 405, 'POST')).toBe(0)
  })

  it('a partial reply counts 1, and a 503 counts 0', async () => {
    const slugs = ['brave', 'mojeek', 'marginalia']
    server.sandbox.setFault('brave', { kind: 'status', status: 500 })
    expect(await countOf(`/api/v1/web/?q=${freshQuery()}`, 200)).toBe(1)
    for (const slug of slugs) server.sandbox.setFault(slug, { kind: 'status', status: 500 })
    const count = await countOf(`/api/v1/web/?q=${freshQuery()}`, 503)
    for (const slug of slugs) server.sandbox.setFault(slug, undefined)
    expect(count).toBe(0)
  })

  it('a 429 and a 403 count 0', async () => {
    const key = await server.createKey({ sustained: '2/day' })
    const statuses = []
    for (let request = 0; request < 4; request++) {
      statuses.push((await server.api.get('/api/v1/web/?q=climate', { key })).status)
    }
    expect(statuses).toEqual([200, 200, 429, 429])
    const usage = await server.instance.services.readUsage(await idOf(key), today())
    expect(usage.counts).toEqual([{ day: today(), endpoint: 'web_search', count: 2 }])
    const withoutScope = await server.createKey({ scopes: ['maps'] })
    expect((await server.api.get('/api/v1/web/?q=climate', { key: withoutScope })).status).toBe(403)
    expect((await usageOf(withoutScope)).searches).toBe(0)
  })
})

/** Keys are identified by id internally; the access layer resolves it. */
async function idOf(key: string): Promise<string> {
  const verdict = await server.instance.services.keys.verify(key, '127.0.0.1')
  if (!verdict.ok) throw new Error(verdict.reason)
  return verdict.key.keyId
}

describe('usage/', () => {
  it('is read in usage/ and key/ immediately, and goes on under a new secret of the key', async () => {
    const key = await server.createKey({ burst: '50/min', sustained: '70/hour' })
    await server.api.get('/api/v1/web/?q=climate', { key })
    const { full } = await rotateKey(server.instance.services.access, { key })
    await server.api.get('/api/v1/web/?q=bowerbird', { key: full })
    expect(await usageOf(full)).toMatchObject({
      month: today().slice(0, 7),
      searches: 2,
      complete: true,
      by_day: [{ day: today(), searches: 2, by_endpoint: { web_search: 2 } }],
      limits: { burst: { limit: 50, remaining: 47 }, sustained: { limit: 70, window_seconds: 3600, remaining: 67 } },
    })
    const { json } = await server.api.get('/api/v1/key/', { key: full })
    expect(json).toMatchObject({ prefix: full.slice(10, 18), usage: { searches: 2 } })
    expect(Math.abs(Date.now() - Date.parse(json.last_used_at))).toBeLessThanOrEqual(120_000)
  })

  it("is the key's own: no other key of the same user sees it", async () => {
    const [key, other] = [await server.createKey(), await server.createKey()]
    await server.api.get('/api/v1/web/?q=climate', { key })
    expect((await usageOf(key)).searches).toBe(1)
    expect(await usageOf(other)).toMatchObject({ searches: 0, by_endpoint: {}, by_day: [] })
  })

  it('is exact after concurrent requests', async () => {
    const key = await server.createKey({ burst: '1000/min' })
    await Promise.all(Array.from({ length: 50 }, () => server.api.get('/api/v1/web/?q=climate', { key })))
    expect((await usageOf(key)).searches).toBe(50)
  })
})
