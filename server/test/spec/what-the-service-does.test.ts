// One JSON API in front of several engines, where the request states everything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())

const ENGINES = { engine_a: 'brave', engine_b: 'mojeek', engine_c: 'marginalia' } as const
const RESULT_KEYS = [
  'age',
  'description',
  'display_url',
  'favicon_url',
  'sitelinks',
  'source',
  'source_label',
  'title',
  'url',
]

describe('a metasearch API', () => {
  it('a query is forwarded to the provider of each engine', async () => {
    const q = freshQuery('forwarded')
    const text = decodeURIComponent(q)
    const { json } = await server.api.get(`/api/v1/web/?q=${q}`)
    expect(json.engine).toEqual(['engine_a', 'engine_b', 'engine_c'])
    expect(server.sandbox.calls('brave').at(-1)?.query['q']).toBe(text)
    expect(server.sandbox.calls('mojeek').at(-1)?.query['q']).toBe(text)
    expect(server.sandbox.calls('marginalia').at(-1)?.query['query']).toBe(text)
  })

  it.each(Object.keys(ENGINES))('results of %s have the same shape as those of any other engine', async (engine) => {
    const { json } = await server.api.get(`/api/v1/web/?q=climate&engine=${engine}`)
    expect(json.results.length).toBeGreaterThan(0)
    for (const result of json.results) expect(Object.keys(result).sort()).toEqual(RESULT_KEYS)
  })

  it.each(Object.entries(ENGINES))('%s alone calls only %s', async (engine, slug) => {
    server.sandbox.reset()
    await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=${engine}`)
    for (const other of Object.values(ENGINES)) expect(server.sandbox.callCount(other)).toBe(other === slug ? 1 : 0)
  })

  it('every endpoint in the root needs a key, except the OpenAPI document', async () => {
    const { json: root } = await server.api.get('/api/v1/')
    for (const [name, url] of Object.entries<string>(root)) {
      const { status } = await fetch(url)
      expect([name, status]).toEqual([name, name === 'openapi' ? 200 : 401])
    }
  })

  it.each([
    ['200', '/api/v1/web/?q=climate', 200],
    ['200 without results', '/api/v1/web/?q=nothingtofind', 200],
    ['400', '/api/v1/web/', 400],
    ['404', '/api/v1/nowhere/', 404],
    ['200 of status', '/api/v1/status/', 200],
    ['200 of the document', '/api/v1/openapi.json', 200],
  ])('the body of a %s is JSON in UTF-8', async (_name, path, expected) => {
    const { status, headers } = await server.api.get(path)
    expect(status).toBe(expected)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('a preferences cookie changes nothing: every option is in the URL', async () => {
    const cookie = 'engine=engine_b; safe=off; lang=de; page=3; date=d; preferences=engine_b'
    const path = '/api/v1/web/?q=lighthouses'
    const plain = await server.api.get(path)
    const withCookie = await server.api.get(path, { headers: { cookie } })
    expect(withCookie.json).toEqual(plain.json)
    expect(withCookie.headers.get('set-cookie')).toBeNull()
  })
})
