import { describe, expect, it } from 'vitest'
import { found, setUpApi } from '../../api/api.test-harness.ts'
import { callCompat, GOOD_KEY } from '../compat.test-harness.ts'

const stage = setUpApi()
const HEADERS = { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers = HEADERS) =>
  callCompat(stage, path, { method: 'POST', headers, body: JSON.stringify(body) })

describe('the tool server', () => {
  it('serves a public document of seven operations that take a bearer token', async () => {
    const { status, json, text } = await callCompat(stage, '/tools/openapi.json', { headers: {} })
    expect(status).toBe(200)
    expect(Object.keys(json.paths)).toEqual([
      '/tools/search',
      '/tools/answer',
      '/tools/cards',
      '/tools/find_place',
      '/tools/translate',
      '/tools/suggest',
      '/tools/read',
    ])
    expect(json.components.securitySchemes.bearer).toEqual({ type: 'http', scheme: 'bearer' })
    expect(json.servers).toEqual([{ url: 'http://localhost:80' }])
    expect(text.length).toBeLessThan(9_600)
  })

  it('each operation replies as its schema says, and counts as in the API', async () => {
    stage.says.search = async (tab, request) => found(tab, request)
    stage.says.suggest = async () => ({ suggestions: ['climate change'], status: 'complete' })
    expect((await post('/tools/search', { query: 'climate', tab: 'news', page: '2' })).json).toEqual({
      query: 'climate',
      tab: 'news',
      page: 2,
      status: 'complete',
      correction: '',
      results: [],
      engines_failed: [],
    })
    expect((await post('/tools/answer', { query: 'climate' })).json).toEqual({
      query: 'climate',
      answer: null,
      type: null,
    })
    expect((await post('/tools/find_place', { query: 'Paris' })).json).toEqual({
      query: 'Paris',
      places: [],
      attribution: '',
    })
    expect((await post('/tools/translate', { text: 'hello', target: 'fr' })).json).toMatchObject({
      text: 'hello',
      target: 'fr',
    })
    expect((await post('/tools/suggest', { query: 'climate' })).json).toEqual({
      query: 'climate',
      suggestions: ['climate change'],
    })
    expect(stage.counted).toEqual(['news_search', 'instant', 'maps', 'translate', 'suggest'])
  })

  it('400: names the error of each member', async () => {
    const { status, json } = await post('/tools/search', { query: '', page: 51 })
    expect([status, json]).toEqual([400, { detail: 'query: Send a query. page: Send a whole number from 1 to 50.' }])
  })
})
