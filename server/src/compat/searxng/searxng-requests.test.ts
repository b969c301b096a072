// What SearXNG's clients send, byte for byte as they were seen to send it; what is counted, and what is refused.
import { describe, expect, it } from 'vitest'
import { setUpApi } from '../../api/api.test-harness.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { callCompat, GOOD_KEY } from '../compat.test-harness.ts'

const PLAIN: SearchRequest = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '' }
const JSON_BODY = { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/json' }

const stage = setUpApi()
const asked = () => stage.asked.filter(([name]) => name === 'search').map(([, tab, request]) => [tab, request])

describe('what clients send', () => {
  it.each([
    ['searxng', 'GET', '/searxng/search?q=climate&lang=auto&format=json', 'web', {}],
    [
      'mcp-searxng',
      'GET',
      '/searxng/search?q=climate&format=json&pageno=2&time_range=month&language=de&safesearch=0',
      'web',
      { page: 2, date: 'm', lang: 'de', safe: false },
    ],
    [
      'LibreChat',
      'GET',
      '/searxng/search?q=climate&format=json&pageno=1&categories=general&language=all&safesearch=1&engines=google,bing,duckduckgo',
      'web',
      {},
    ],
    ['Dify', 'GET', '/search?q=climate&format=json&engines=bing&time_range=None', 'web', {}],
    ['a base whose path was lost', 'GET', '/search?format=json&q=climate', 'web', {}],
    [
      'LangChain JS',
      'POST',
      '/searxng/search?q=climate&numResults=10&pageNumber=3&format=json&imageProxy=true&safesearch=0',
      'web',
      { page: 3, safe: false },
    ],
  ] as const)('%s', async (...row) => {
    const [, method, url, tab, own] = row
    const reply = await callCompat(stage, url, { method, headers: JSON_BODY })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(asked()).toEqual([[tab, { ...PLAIN, ...own }]])
  })

  it('a form in the body, which wins over the query string', async () => {
    const headers = { authorization: `Bearer ${GOOD_KEY}`, 'content-type': 'application/x-www-form-urlencoded' }
    await callCompat(stage, '/searxng/search?q=other', {
      method: 'POST',
      headers,
      body: 'q=climate&categories=news&format=json',
    })
    expect(asked()).toEqual([['news', PLAIN]])
  })

  it('one of our engines, by slot or by name, among names we do not know', async () => {
    await callCompat(stage, '/searxng/search?q=climate&engines=google,engine_b')
    await callCompat(stage, '/searxng/search?q=climate&engines=the+engine+of+engine_c')
    expect(asked()).toEqual([
      ['web', { ...PLAIN, engines: ['engine_b'] }],
      ['web', { ...PLAIN, engines: ['engine_c'] }],
    ])
  })
})

describe('complaints about SearXNG', () => {
  it('engines that only other instances have do not empty a search', async () => {
    await callCompat(stage, '/searxng/search?q=climate&engines=google,bing&categories=files')
    expect(asked()).toEqual([['web', PLAIN]])
  })
})

describe('what is counted', () => {
  it.each([
    ['general', 'web_search'],
    ['images', 'image_search'],
    ['news', 'news_search'],
    ['videos', 'video_search'],
    ['science', 'science_search'],
    ['it', 'code_search'],
  ])('%s counts as %s, as in the API', async (category, endpoint) => {
    await callCompat(stage, `/searxng/search?q=climate&categories=${category}`)
    expect(stage.counted).toEqual([endpoint])
  })

  it('errors, HEAD and the configuration are not counted', async () => {
    await callCompat(stage, '/searxng/search?format=json')
    await callCompat(stage, '/searxng/search?q=climate', { method: 'HEAD' })
    await callCompat(stage, '/searxng/config')
    expect([stage.consumed.length, stage.counted]).toEqual([3, []])
  })
})

describe('what is refused, in the same shape', () => {
  it.each([
    ['/searxng/search?format=json', 'GET', 400, 'No query'],
    ['/searxng/search?q=+&format=json', 'GET', 400, 'No query'],
    [`/searxng/search?q=${'a'.repeat(501)}`, 'GET', 400, 'The query is too long. Send at most 500 characters.'],
    ['/searxng/search?q=a&pageno=x', 'GET', 400, 'Send a whole number from 1 in pageno.'],
    ['/searxng/search?q=a&pageno=-1', 'GET', 400, 'Send a whole number from 1 in pageno.'],
    ['/searxng/search?q=a&time_range=decade', 'GET', 400, 'Send day, week, month or year in time_range.'],
    ['/searxng/search?q=a&safesearch=9', 'GET', 400, 'Send 0, 1 or 2 in safesearch.'],
    ['/search?q=a&format=csv', 'GET', 400, 'Unknown format. Use json, rss or html.'],
    ['/searxng/search?q=a', 'DELETE', 405, 'Method DELETE is not allowed here. Use GET or POST.'],
    ['/searxng/stats', 'GET', 404, 'Not found. Check the URL.'],
    ['/searxng/stats', 'POST', 404, 'Not found. Check the URL.'],
  ] as const)('%s by %s', async (...row) => {
    const [url, method, status, sentence] = row
    const reply = await callCompat(stage, url, { method })
    expect(reply).toMatchObject({ status, json: { error: sentence, detail: sentence } })
    expect(stage.asked).toEqual([])
  })

  it.each([
    ['application/json', '[1]', 400],
    ['application/json', '{"q":', 400],
    ['application/xml', '<q/>', 415],
    ['application/x-www-form-urlencoded', `q=${'a'.repeat(20_000)}`, 413],
    ['multipart/form-data', 'nonsense', 400],
  ])('a body that is %s %#', async (type, body, status) => {
    const reply = await callCompat(stage, '/searxng/search', {
      method: 'POST',
      headers: { authorization: `Bearer ${GOOD_KEY}`, 'content-type': type },
      body,
    })
    expect(reply).toMatchObject({ status, json: { error: expect.any(String) } })
  })
})
