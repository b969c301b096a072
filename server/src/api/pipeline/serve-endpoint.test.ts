import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import type { Scope } from '../../keys/scopes.ts'
import { LIMITS, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()

/** A valid request to each endpoint, the scope it needs, and the name its usage is counted under. */
const ENDPOINTS: [path: string, scope: Scope | undefined, usage: string | undefined][] = [
  ['/api/v1/', undefined, undefined],
  ['/api/v1/web/?q=climate', 'search', 'web_search'],
  ['/api/v1/images/?q=climate', 'search', 'image_search'],
  ['/api/v1/images/similar/?q=climate', 'search', 'similar_image_search'],
  ['/api/v1/news/?q=climate', 'search', 'news_search'],
  ['/api/v1/videos/?q=climate', 'search', 'video_search'],
  ['/api/v1/science/?q=climate', 'search', 'science_search'],
  ['/api/v1/code/?q=climate', 'search', 'code_search'],
  ['/api/v1/maps/?q=paris', 'maps', 'maps'],
  ['/api/v1/translate/?q=hello&target=fr', 'translate', 'translate'],
  ['/api/v1/translate/languages/', 'translate', undefined],
  ['/api/v1/instant/?q=1', 'answers', 'instant'],
  ['/api/v1/cards/?q=paris', 'answers', 'cards'],
  ['/api/v1/suggest/?q=cli', 'search', 'suggest'],
  ['/api/v1/plan/?q=climate', 'search', undefined],
  ['/api/v1/status/', undefined, undefined],
  ['/api/v1/key/', undefined, undefined],
  ['/api/v1/usage/', undefined, undefined],
]
const PATHS = ENDPOINTS.map(([path]) => path)
const SCOPED = ENDPOINTS.flatMap(([path, scope]) => (scope ? [[path, scope] as const] : []))
const pathOf = (path: string) => path.split('?')[0] ?? ''
const withoutSlash = (path: string) => path.replace(/\/(\?|$)/, '$1')

describe('every endpoint', () => {
  it('is in the list above', () => {
    // `read/` and `mine/` have their own tests: no key has their scopes by default.
    const apart = ['/api/v1/openapi.json', '/api/v1/read/', '/api/v1/mine/']
    const paths = Object.keys(stage.document.paths).filter((path) => !apart.includes(path))
    expect(PATHS.map(pathOf).toSorted()).toEqual(paths.toSorted())
  })

  it.each(ENDPOINTS)('200: %s, with the scope %s, is counted as %s', async (path, _scope, usage) => {
    const { status, headers } = await stage.get(path)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['ratelimit']).toMatch(/^"burst";r=\d+;t=\d+, "sustained";r=\d+;t=\d+$/)
    expect(stage.consumed).toMatchObject([{ subject: 'bowerbird_good.key', counts: usage !== undefined }])
    expect(stage.counted).toEqual(usage === undefined ? [] : [usage])
  })

  it.each(PATHS)('%s without its trailing slash gets the same reply', async (path) => {
    const slash = await stage.get(path)
    stage.reset(LIMITS)
    const none = await stage.get(withoutSlash(path))
    expect(none.status).toBe(200)
    expect(none.text).toBe(slash.text)
  })

  it.each(PATHS)('HEAD %s: the status and headers, without a body', async (path) => {
    const [get, head] = [await stage.get(path), await stage.get(path, { method: 'HEAD' })]
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it.each(SCOPED)('200: %s for a key with only the scope %s', async (path, scope) => {
    expect((await stage.get(path, { key: stage.addKey({ scopes: new Set([scope]) }) })).status).toBe(200)
  })
})

describe('a request', () => {
  it('401, 403: that is refused costs nothing, and no service is asked', async () => {
    expect((await stage.get('/api/v1/web/?q=climate', { key: null })).status).toBe(401)
    const key = stage.addKey({ scopes: new Set(['maps']) })
    expect((await stage.get('/api/v1/web/?q=climate', { key })).status).toBe(403)
    expect(stage.asked).toEqual([])
    expect(stage.consumed).toEqual([])
  })

  it('400: with a bad parameter counts against the rate limit, but not as usage, and shows what remains', async () => {
    const { status, headers } = await stage.get('/api/v1/suggest/')
    expect(status).toBe(400)
    expect(headers['ratelimit']).toBeDefined()
    expect(stage.consumed).toMatchObject([{ counts: false }])
    expect(stage.counted).toEqual([])
  })

  it('503: refused by a service keeps the text and headers of the refusal, and is not counted', async () => {
    stage.says.suggest = () => Promise.reject(new Refusal('suggestions_failed', 'Not now.', { 'Retry-After': '7' }))
    const { status, json, headers } = await stage.get('/api/v1/suggest/?q=climate')
    expect({ status, json }).toEqual({ status: 503, json: { detail: 'Not now.' } })
    expect(headers['retry-after']).toBe('7')
    expect(headers['ratelimit']).toBeDefined()
    expect(stage.counted).toEqual([])
  })

  it('500: that hits a bug shows only the request ID, and is not counted', async () => {
    stage.says.suggest = () => Promise.reject(new TypeError('canary is not a function'))
    const { status, json, text, headers } = await stage.get('/api/v1/suggest/?q=climate')
    expect(status).toBe(500)
    expect(json.detail).toBe(`Internal server error, logged under request ID ${headers['x-request-id']}.`)
    expect(text).not.toContain('canary')
    expect(stage.logged()).toContain('canary is not a function')
    expect(stage.logged()).toContain(headers['x-request-id'])
    expect(stage.counted).toEqual([])
  })

  it('gets an id of ours, whatever id it comes with', async () => {
    const ids = new Set<string | undefined>()
    for (let i = 0; i < 3; i++) {
      const { headers } = await stage.get('/api/v1/key/', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
      ids.add(headers['x-request-id'])
    }
    expect(ids.size).toBe(3)
    expect(ids).not.toContain('mine')
  })

  it('repeated word for word is parsed once and answered again', async () => {
    stage.says.suggest = async ({ text }) => ({ suggestions: [`${text} ${stage.asked.length}`], status: 'complete' })
    const [first, second] = [await stage.get('/api/v1/suggest/?q=same'), await stage.get('/api/v1/suggest/?q=same')]
    expect([first.json.suggestions, second.json.suggestions]).toEqual([['same 1'], ['same 2']])
  })

  it('400: that is invalid is refused again when repeated', async () => {
    for (let i = 0; i < 2; i++) expect((await stage.get('/api/v1/suggest/?q=+')).status).toBe(400)
  })
})
