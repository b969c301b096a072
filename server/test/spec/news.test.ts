// The news search response, exactly these fields, and how a provider's values map to them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { describeDate, describeSharedParameters } from './shared-parameter-rules.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

let server: TestInstance
let scripted: ScriptedProvider
beforeAll(async () => {
  scripted = await startScriptedProvider()
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, ...scripted.settings('searxng'), ENGINE_D: 'searxng' })
})
afterAll(async () => {
  await server.close()
  await scripted.close()
})

const news = (parameters = '') => server.api.get(`/api/v1/news/?q=${freshQuery()}${parameters}`)
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS - 60_000).toISOString().slice(0, 19)
const STORY = {
  title: 'Town votes to move',
  url: 'https://www.gazette.example/stories/7',
  content: 'The school goes first.',
  publishedDate: hoursAgo(3),
  source: 'The Harbour Gazette',
  thumbnail: 'https://files.example/7.jpg',
}
const KEYS = ['title', 'url', 'description', 'age', 'source', 'hostname', 'thumbnail']

/** The API result for one story from a provider. */
async function shown(fields: Record<string, unknown>, parameters = '') {
  scripted.show('searxng', [{ ...STORY, ...fields }])
  const { json } = await news(`&engine=engine_d${parameters}`)
  scripted.show('searxng', [])
  return json.results[0]
}

describe('the envelope', () => {
  it('has exactly the documented keys, each of its type', async () => {
    scripted.show('searxng', [STORY])
    const q = freshQuery('whole envelope')
    const { json } = await server.api.get(`/api/v1/news/?q=${q}&page=2&engine=engine_d`)
    scripted.show('searxng', [])
    expect(json).toEqual({
      query: decodeURIComponent(q),
      tab: 'news',
      page: 2,
      engine: ['engine_d'],
      results: [expect.any(Object)],
    })
  })

  it('keeps all its keys if nothing is found', async () => {
    const { status, json, headers } = await news('&engine=engine_d')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['query', 'tab', 'page', 'engine', 'results'])
    expect(json.results).toEqual([])
    expect(headers.get('search-status')).toBe('complete')
  })

  it('engine leaves out a failed slot, and the response is partial', async () => {
    scripted.answer('searxng', 500, {})
    const { status, json, headers } = await news()
    scripted.show('searxng', [])
    expect([status, json.engine]).toEqual([200, ['engine_a', 'engine_c']])
    expect(headers.get('search-status')).toBe('partial')
  })
})

describe('a result', () => {
  it('has exactly the documented keys, filled from the provider', async () => {
    expect(await shown({})).toEqual({
      title: 'Town votes to move',
      url: 'https://www.gazette.example/stories/7',
      description: 'The school goes first.',
      age: '3 hours ago',
      source: 'The Harbour Gazette',
      hostname: 'gazette.example',
      thumbnail: 'https://files.example/7.jpg',
    })
  })

  it('source is the publisher, or the site if the provider names none', async () => {
    expect((await shown({ source: 'The <b>Post</b> &amp; Sons' })).source).toBe('The Post & Sons')
    expect((await shown({ source: undefined, author: 'Post Editors' })).source).toBe('Post Editors')
    for (const source of [undefined, null, '', 7]) expect((await shown({ source })).source).toBe('gazette.example')
  })

  it.each([
    ['https://www.gazette.example/7', 'gazette.example'],
    ['http://news.gazette.example:8080/', 'news.gazette.example'],
    ['https://WWW.Gazette.Example/A', 'gazette.example'],
  ])('hostname is the host of the URL, which is shown unchanged: %s', async (url, host) => {
    const result = await shown({ url })
    expect([result.url, result.hostname]).toEqual([url, host])
  })

  it.each([
    ['markup is stripped', '<em>Town</em> votes', 'Town votes'],
    ['entities are decoded once', 'Fish &amp; chips &amp;lt;', 'Fish & chips &lt;'],
    ['white space is collapsed', '  two\n\t words  ', 'two words'],
  ])('title and description are plain text: %s', async (_name, given, expected) => {
    const result = await shown({ title: given, content: given })
    expect([result.title, result.description]).toEqual([expected, expected])
  })

  it.each([
    ['', 2, '2 hours ago'],
    ['&lang=en', 26, '1 day ago'],
    ['&lang=de', 2, 'vor 2 Stunden'],
    ['&lang=pt-BR', 2, 'há 2 horas'],
    ['&lang=fr', 24 * 8, 'il y a 1 semaine'],
    ['&lang=xx', 2, '2 hours ago'],
  ])('age is in the language requested: "%s"', async (parameter, hours, age) => {
    expect((await shown({ publishedDate: hoursAgo(hours) }, parameter)).age).toBe(age)
  })

  it('what the provider omits, or sends as null or nonsense, is the empty string', async () => {
    const empty = { title: '', description: '', age: '', source: 'gazette.example', thumbnail: '' }
    for (const nothing of [undefined, null, '', 0, {}]) {
      const [title, content, publishedDate, source, thumbnail] = Array<unknown>(5).fill(nothing)
      const result = await shown({ title, content, publishedDate, source, thumbnail })
      expect(result).toEqual({ url: STORY.url, hostname: 'gazette.example', ...empty })
    }
  })

  it('thumbnail is an absolute URL or empty', async () => {
    expect((await shown({ thumbnail: '//files.example/8.jpg' })).thumbnail).toBe('https://files.example/8.jpg')
    for (const thumbnail of ['data:image/png;base64,AAAA', '/relative.jpg', 'javascript:alert(1)']) {
      expect((await shown({ thumbnail })).thumbnail).toBe('')
    }
  })

  it('is left out if its URL is not http', async () => {
    scripted.show('searxng', [{ ...STORY, url: 'javascript:alert(1)' }, STORY])
    const { json } = await news('&engine=engine_d')
    scripted.show('searxng', [])
    expect(json.results.map(({ url }: { url: string }) => url)).toEqual([STORY.url])
  })

  it('of every default engine has these fields, with host, publisher and age filled', async () => {
    for (const engine of ['engine_a', 'engine_c']) {
      const { json } = await news(`&engine=${engine}`)
      expect(json.results).toHaveLength(10)
      for (const result of json.results) {
        expect(Object.keys(result)).toEqual(KEYS)
        expect(new URL(result.url).hostname.replace(/^www\./, '')).toBe(result.hostname)
        expect(result.age).toMatch(/ ago$|^now$/)
        expect(result.source).not.toBe('')
        expect(result.thumbnail).toMatch(/^(https?:\/\/.+)?$/)
      }
    }
  })
})

describe('several engines', () => {
  it('what the better-ranked engine omits of a story is taken from the other', async () => {
    const q = freshQuery()
    const [first] = (await server.api.get(`/api/v1/news/?q=${q}&engine=engine_c`)).json.results
    expect(first.thumbnail).toBe('')
    scripted.show('searxng', [
      { ...STORY, url: 'https://another.example/' },
      { ...STORY, url: first.url },
    ])
    const { json } = await server.api.get(`/api/v1/news/?q=${q}&engine=engine_c,engine_d`)
    scripted.show('searxng', [])
    const merged = json.results.filter(({ url }: { url: string }) => url === first.url)
    expect(merged).toHaveLength(1)
    expect(merged[0]).toEqual({ ...first, description: first.description || STORY.content, thumbnail: STORY.thumbnail })
  })
})

describe('shared parameters', () => {
  describeSharedParameters({
    tab: 'news',
    server: () => server,
    other: { slug: 'hackernews', q: 'query' },
    asks: {
      // Its index has nothing to filter.
      safe: { on: [{ safesearch: 'strict' }, {}], off: [{ safesearch: 'off' }, {}] },
      page2: [{ offset: '1' }, { page: '1' }],
      german: [{ search_lang: 'de' }, 'skipped'],
    },
    endBefore50: ['engine_a'],
  })

  describe('date', () => {
    describeDate({
      tab: 'news',
      server: () => server,
      since: ({ numericFilters }) => Number(numericFilters?.replace('created_at_i>', '')) * 1000,
    })
  })
})
