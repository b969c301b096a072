// Where every endpoint is, under /api/v1/, which methods it takes, and the response to everything else.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

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
const PATHS = [
  '/api/v1/',
  '/api/v1/web/?q=climate',
  '/api/v1/maps/?q=Eiffel+Tower',
  '/api/v1/translate/?q=hello&target=fr',
  '/api/v1/translate/languages/',
  '/api/v1/instant/?q=1%2B1',
  '/api/v1/cards/?q=climate',
  '/api/v1/plan/?q=climate',
  '/api/v1/status/',
  '/api/v1/key/',
  '/api/v1/usage/',
]
const withoutSlash = (path: string) => path.replace(/\/(\?|$)/, '$1')

let server: SharedInstance
beforeAll(async () => {
  server = await shareInstance()
})

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

  it('lists nothing that is deprecated, and nothing is open without a key but the document', async () => {
    const { json } = await server.api.get('/api/v1/')
    for (const [name, url] of Object.entries<string>(json)) {
      const { status, headers } = await fetch(url)
      expect([name, status]).toEqual([name, name === 'openapi' ? 200 : 401])
      expect(headers.get('deprecation') ?? headers.get('sunset')).toBeNull()
    }
  })
})

describe('paths', () => {
  it.each(PATHS)('%s answers with and without the trailing slash, without a redirect', async (path) => {
    for (const form of [path, withoutSlash(path)]) {
      const response = await fetch(server.url + form, {
        headers: { authorization: `Api-Key ${server.key}` },
        redirect: 'manual',
      })
      await response.arrayBuffer()
      expect([form, response.status]).toEqual([form, 200])
    }
  })

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

describe('methods', () => {
  const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

  /** Only translation accepts POST, and has its own tests. */
  const READ_ONLY = PATHS.filter((path) => !path.startsWith('/api/v1/translate/?'))

  it.each([...READ_ONLY, '/api/v1/openapi.json'])('405: %s allows only GET and HEAD, and says so', async (path) => {
    for (const method of METHODS) {
      const { status, headers, json } = await server.api.get(path, { method })
      expect([method, status]).toEqual([method, 405])
      expect(headers.get('allow')).toBe('GET, HEAD')
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(json).toEqual({ detail: expect.stringContaining(method) })
    }
  })
})
