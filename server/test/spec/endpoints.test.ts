// Where every endpoint is, under /api/v1/, which methods it takes, and the response to everything else.
import { describe, expect, it } from 'vitest'
import { useSharedInstance } from '../support/shared-instance.ts'

/** Every endpoint: its name in the root, and its path. */
const BUILT = {
  web_search: '/api/v1/web/',
  image_search: '/api/v1/images/',
  similar_image_search: '/api/v1/images/similar/',
  news_search: '/api/v1/news/',
  video_search: '/api/v1/videos/',
  maps: '/api/v1/maps/',
  translate: '/api/v1/translate/',
  translate_languages: '/api/v1/translate/languages/',
  instant: '/api/v1/instant/',
  cards: '/api/v1/cards/',
  suggest: '/api/v1/suggest/',
  plan: '/api/v1/plan/',
  status: '/api/v1/status/',
  key: '/api/v1/key/',
  usage: '/api/v1/usage/',
  openapi: '/api/v1/openapi.json',
}
const server = useSharedInstance()

describe('the root', () => {
  it('lists every endpoint with its absolute URL, whatever its parameters', async () => {
    const { json } = await server.api.get('/api/v1/?q=&page=zero')
    const built = Object.entries(BUILT).map(([name, path]) => [name, server.url + path])
    expect(json).toMatchObject(Object.fromEntries(built))
    for (const url of Object.values<string>(json)) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/./)
      expect((await server.api.get(url.slice(server.url.length))).status).not.toBe(404)
    }
  })
})

describe('paths', () => {
  it.each([
    '/api/v1/nowhere/',
    '/api/v1/web/deeper/',
    '/api/v1/webs',
    '/api/v1/WEB/',
    '/api/',
    '/web/?q=climate',
    '/api/web/?q=climate',
    '/api/v0/web/?q=climate',
    '/api/v2/web/?q=climate',
    '/API/V1/web/?q=climate',
  ])('404: %s is answered in JSON, with or without a key', async (path) => {
    for (const key of [server.key, undefined]) {
      const { status, headers, json } = await server.api.get(path, { key })
      expect(status).toBe(404)
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(json).toEqual({ detail: expect.stringMatching(/\w/) })
    }
  })

  it('404: the body never echoes the URL', async () => {
    const { text } = await server.api.get('/api/v1/canary-path/?q=canary-query')
    expect(text).not.toMatch(/canary/)
  })
})

it('405: an endpoint allows only GET and HEAD, and says so', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, headers, json } = await server.api.get('/api/v1/web/?q=climate', { method })
    expect([method, status]).toEqual([method, 405])
    expect(headers.get('allow')).toBe('GET, HEAD')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(json).toEqual({ detail: expect.stringContaining(method) })
  }
})
