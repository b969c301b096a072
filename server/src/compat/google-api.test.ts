import { describe, expect, it } from 'vitest'
import { found, setUpApi, webHit } from '../api/api.test-harness.ts'
import { Refusal } from '../errors.ts'
import { callCompat, GOOD_KEY } from './compat.test-harness.ts'

const PLAIN = { text: 'climate', page: 1, engines: [], safe: true, date: undefined, lang: '', limit: 10 }
const hit = (at: number) =>
  webHit({ title: `Result <${at}>`, url: `https://www.example.org/${at}`, description: 'A & B.' })

const stage = setUpApi({ areUrlKeysOn: true })
const get = (query: string, headers: Record<string, string> = { 'x-goog-api-key': GOOD_KEY }) =>
  callCompat(stage, `/google/customsearch/v1?${query}`, { headers })
const asked = () => stage.asked.filter(([name]) => name === 'search').map(([, tab, request]) => [tab, request])
const answerWith = (count: number) => {
  stage.says.search = async (tab, request) => {
    const hits = Array.from({ length: Math.min(count, request.limit ?? count) }, (_, at) => hit(at + 1))
    return found(tab, request, { hits, correction: 'climates' })
  }
}

describe('GET /google/customsearch/v1', () => {
  it('every member that programs read, with Google’s types', async () => {
    answerWith(1)
    const { status, json } = await get('q=climate&cx=0123&num=1')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      kind: 'customsearch#search',
      queries: {
        request: [{ searchTerms: 'climate', count: 1, startIndex: 1, totalResults: '2', safe: 'active' }],
        nextPage: [{ startIndex: 2, count: 1 }],
      },
      searchInformation: { searchTime: 0.012, formattedSearchTime: '0.01', totalResults: '2' },
      spelling: { correctedQuery: 'climates' },
    })
    expect(json.items).toEqual([
      {
        kind: 'customsearch#result',
        title: 'Result <1>',
        htmlTitle: 'Result &lt;1&gt;',
        link: 'https://www.example.org/1',
        displayLink: 'example.org',
        snippet: 'A & B.',
        htmlSnippet: 'A &amp; B.',
        formattedUrl: 'https://www.example.org/1',
        htmlFormattedUrl: 'https://www.example.org/1',
      },
    ])
  })

  it.each([
    ['q=climate&lr=lang_de&gl=at&hl=en', 'web', { lang: 'de', region: 'AT' }],
    ['q=climate&dateRestrict=w1', 'web', { date: 'w' }],
    ['q=climate&dateRestrict=d10', 'web', { dateFrom: expect.any(Number) }],
    ['q=climate&siteSearch=example.org', 'web', { includeDomains: ['example.org'] }],
    ['q=climate&siteSearch=example.org&siteSearchFilter=e', 'web', { excludeDomains: ['example.org'] }],
    ['q=climate&safe=off&num=3', 'web', { safe: false, limit: 3 }],
    ['q=climate&start=11', 'web', { page: 2 }],
    ['q=climate&start=16&num=5', 'web', { page: 2, limit: 10 }],
    ['q=climate&start=0', 'web', {}],
    ['q=climate&searchType=image', 'images', {}],
    ['q=climate&exactTerms=&sort=', 'web', {}],
  ])('%s', async (query, tab, own) => {
    const { status } = await get(query)
    expect([status, asked()]).toEqual([200, [[tab, expect.objectContaining({ ...PLAIN, ...own })]]])
  })

  it('pages of five share a page of ten, and past the end there are no items', async () => {
    answerWith(10)
    const links = async (query: string) =>
      (await get(`q=climate&num=5&${query}`)).json.items?.map(({ link }: { link: string }) => link.slice(24))
    expect([await links('start=1'), await links('start=6')]).toEqual([
      ['1', '2', '3', '4', '5'],
      ['6', '7', '8', '9', '10'],
    ])
    answerWith(0)
    const { json } = await get('q=climate&start=91')
    expect(json).not.toHaveProperty('items')
    expect(json.queries).not.toHaveProperty('nextPage')
  })

  it('a key in the path or a header, but never in the query', async () => {
    const key = stage.addKey({ scopes: new Set(['search', 'address']) })
    const inPath = await callCompat(stage, `/k/${key}/google/customsearch/v1?q=climate&key=x&cx=y`, { headers: {} })
    expect([inPath.status, inPath.headers['ignored-parameters']]).toEqual([200, 'key, cx'])
    const inQuery = await get(`q=climate&cx=y&key=${GOOD_KEY}`, {})
    expect(inQuery).toMatchObject({ status: 401, json: { error: { code: 401, status: 'UNAUTHENTICATED' } } })
    expect(inQuery.text).not.toContain(GOOD_KEY)
  })

  it.each([
    ['q=', 'q: Send a query.'],
    ['q=a&num=0', 'num: Send 1 or more.'],
    ['q=a&start=101', 'start: Send at most 100.'],
    ['q=a&dateRestrict=decade', 'dateRestrict: Send d, w, m or y and a number, such as d7.'],
    ['q=a&lr=lang_de|lang_fr', 'lr: Send a language such as de or pt-BR.'],
    ['q=a&siteSearch=a+b', 'siteSearch: Send a domain such as example.org.'],
    ['q=a&searchType=video', 'searchType: Send image, or leave it out.'],
    ...['cr', 'exactTerms', 'excludeTerms', 'orTerms', 'fileType', 'rights', 'sort', 'imgSize'].map((name) => [
      `q=a&${name}=x`,
      `${name}: This is not offered here. Leave it out.`,
    ]),
  ])('400 in Google’s shape: %s', async (query, message) => {
    expect(await get(query)).toMatchObject({
      status: 400,
      json: { error: { code: 400, message, errors: [{ reason: 'badRequest' }], status: 'INVALID_ARGUMENT' } },
    })
    expect(stage.asked).toEqual([])
  })

  it('404, 429 and 503 in the same shape', async () => {
    const shape = (code: number, status: string) => ({ status: code, json: { error: { code, status } } })
    const elsewhere = await callCompat(stage, '/google/customsearch/v2', { headers: {} })
    expect(elsewhere).toMatchObject(shape(404, 'NOT_FOUND'))
    const headers = { 'x-goog-api-key': stage.addKey({ burst: { count: 1, windowMs: 60_000 } }) }
    await get('q=a', headers)
    expect(await get('q=a', headers)).toMatchObject(shape(429, 'RESOURCE_EXHAUSTED'))
    stage.says.search = async () => {
      throw new Refusal('no_engine_responded', 'No search engine responded.', { 'Retry-After': '5' })
    }
    expect(await get('q=a')).toMatchObject(shape(503, 'UNAVAILABLE'))
  })
})
