import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { found, setUpApi, webHit } from '../api.test-harness.ts'

const stage = setUpApi()

const hit = (index: number) =>
  webHit({ url: `https://bower.example/${index}`, description: 'Blue things on a floor of straw. '.repeat(3) })

const withResults = (count: number) => {
  const hits = Array.from({ length: count }, (_, index) => hit(index))
  stage.says.search = async (_tab, request) => found('web', request, { hits })
}

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  stage.http.inject({ method, url, headers: { authorization: 'Api-Key bowerbird_good.key', ...headers } })

const WEB = '/api/v1/web/?q=straw'

describe('compression', () => {
  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ])('Accept-Encoding: %s gets %s, which unpacks to the plain reply', async (accepted, encoding, unpack) => {
    withResults(10)
    const plain = await ask(WEB)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.headers['vary']).toBe('Accept-Encoding')
    const packed = await ask(WEB, { 'accept-encoding': accepted })
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'Accept-Encoding',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(packed.rawPayload.length),
    })
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body)
  })

  it('a reply of 1 KB or less is not compressed', async () => {
    const { headers, body } = await ask(WEB, { 'accept-encoding': 'gzip' })
    expect(body.length).toBeLessThan(1_024)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('vary')
  })

  it('applies to every endpoint with long replies, and to HEAD as to GET', async () => {
    const suggestions = Array.from({ length: 200 }, (_, index) => `straw ${index}`)
    stage.says.suggest = async () => ({ suggestions, status: 'complete' })
    const reply = await ask('/api/v1/suggest/?q=straw', { 'accept-encoding': 'gzip' })
    expect(JSON.parse(gunzipSync(reply.rawPayload).toString())).toEqual({ query: 'straw', suggestions })
    const head = await ask('/api/v1/suggest/?q=straw', { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.body, head.headers['content-encoding']]).toEqual(['', 'gzip'])
    expect(head.headers['content-length']).toBe(reply.headers['content-length'])
  })
})

describe('ETag', () => {
  const LANGUAGES = '/api/v1/translate/languages/'

  it('304: languages that the client already has, and 200 once they have changed', async () => {
    stage.says.languages = async () => [{ code: 'en', name: 'English' }]
    const first = await ask(LANGUAGES)
    const etag = String(first.headers['etag'])
    expect([first.statusCode, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]+"$/)])
    const known = await ask(LANGUAGES, { 'if-none-match': etag })
    expect([known.statusCode, known.body, known.headers['etag']]).toEqual([304, '', etag])
    expect(known.headers['ratelimit']).toBeDefined()
    stage.says.languages = async () => [{ code: 'de', name: 'German' }]
    const changed = await ask(LANGUAGES, { 'if-none-match': etag })
    expect([changed.statusCode, changed.json()]).toEqual([200, { languages: [{ code: 'de', name: 'German' }] }])
  })

  it('401: knowing the tag does not replace the key', async () => {
    const { headers } = await ask(LANGUAGES)
    const { status } = await stage.get(LANGUAGES, { key: null, headers: { 'if-none-match': String(headers['etag']) } })
    expect(status).toBe(401)
  })

  it('304: the OpenAPI document, with a different tag per address', async () => {
    const get = (host: string, headers = {}) =>
      stage.http.inject({ url: '/api/v1/openapi.json', headers: { host, ...headers } })
    const one = await get('one.test')
    const other = await get('other.test')
    expect([one.json().servers, other.json().servers]).toEqual([
      [{ url: 'http://one.test' }],
      [{ url: 'http://other.test' }],
    ])
    const known = { 'if-none-match': `"x", ${String(one.headers['etag'])}` }
    expect((await get('one.test', known)).statusCode).toBe(304)
    expect((await get('other.test', known)).statusCode).toBe(200)
  })
})

describe('Cache-Control', () => {
  it.each([
    '/api/v1/',
    WEB,
    '/api/v1/suggest/?q=straw',
    '/api/v1/instant/?q=straw',
    '/api/v1/translate/?q=straw&target=de',
    '/api/v1/status/',
    '/api/v1/key/',
    '/api/v1/usage/',
  ])('%s must not be stored, whether it succeeds or not', async (url) => {
    const { status, headers } = await stage.get(url)
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store'])
    const refused = await stage.get(url, { key: null })
    expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'private, no-store'])
  })

  it('what has an ETag may be stored, but must be revalidated', async () => {
    const languages = await stage.get('/api/v1/translate/languages/')
    expect(languages.headers['cache-control']).toBe('private, no-cache')
    const document = await stage.http.inject('/api/v1/openapi.json')
    expect(document.headers['cache-control']).toBe('no-cache')
  })
})
