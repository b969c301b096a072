// The video search response, exactly these fields, and how a provider's values map to them.
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

const videos = (parameters = '') => server.api.get(`/api/v1/videos/?q=${freshQuery()}${parameters}`)
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS - 60_000).toISOString().slice(0, 19)
const VIDEO = {
  title: 'How bowers are built',
  url: 'https://www.tube.example/watch/7',
  publishedDate: hoursAgo(3),
  author: 'Bird Channel',
  length: 253,
  thumbnail: 'https://files.example/7.jpg',
}
const KEYS = ['title', 'url', 'age', 'source', 'duration', 'hostname', 'thumbnail']

/** The API result for one video from a provider. */
async function shown(fields: Record<string, unknown>, parameters = '') {
  scripted.show('searxng', [{ ...VIDEO, ...fields }])
  const { json } = await videos(`&engine=engine_d${parameters}`)
  scripted.show('searxng', [])
  return json.results[0]
}

describe('the envelope', () => {
  it('has exactly the documented keys, each of its type', async () => {
    scripted.show('searxng', [VIDEO])
    const q = freshQuery('whole envelope')
    const { json } = await server.api.get(`/api/v1/videos/?q=${q}&page=2&engine=engine_d`)
    scripted.show('searxng', [])
    expect(json).toEqual({
      query: decodeURIComponent(q),
      tab: 'videos',
      page: 2,
      engine: ['engine_d'],
      results: [expect.any(Object)],
    })
  })

  it('keeps all its keys if nothing is found', async () => {
    const { status, json, headers } = await videos('&engine=engine_d')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['query', 'tab', 'page', 'engine', 'results'])
    expect(json.results).toEqual([])
    expect(headers.get('search-status')).toBe('complete')
  })

  it('engine leaves out a failed slot, and the response is partial', async () => {
    scripted.answer('searxng', 500, {})
    const { status, json, headers } = await videos()
    scripted.show('searxng', [])
    expect([status, json.engine]).toEqual([200, ['engine_a', 'engine_c']])
    expect(headers.get('search-status')).toBe('partial')
  })
})

describe('a result', () => {
  it('has exactly the documented keys, filled from the provider', async () => {
    expect(await shown({})).toEqual({
      title: 'How bowers are built',
      url: 'https://www.tube.example/watch/7',
      age: '3 hours ago',
      source: 'Bird Channel',
      duration: '4:13',
      hostname: 'tube.example',
      thumbnail: 'https://files.example/7.jpg',
    })
  })

  it.each([
    [253, '4:13'],
    [9, '0:09'],
    [60, '1:00'],
    [599.6, '10:00'],
    [3600, '1:00:00'],
    [3723, '1:02:03'],
    [360_000, '100:00:00'],
    ['4:13', '4:13'],
    ['00:04:13', '4:13'],
    ['75:00', '1:15:00'],
    ['1:02:03', '1:02:03'],
  ])('duration is a clock time: %j is %s', async (length, duration) => {
    expect((await shown({ length })).duration).toBe(duration)
  })

  it.each([undefined, null, '', 0, -5, '0:00', 'live', 'PT4M13S', '4 minutes', true])(
    'duration is empty if the provider sends %j',
    async (length) => {
      expect((await shown({ length })).duration).toBe('')
    },
  )

  it('source is the publisher, in plain text', async () => {
    expect((await shown({ author: ' The <i>Bird</i> &amp; Tree Channel ' })).source).toBe('The Bird & Tree Channel')
  })

  it.each([
    ['https://www.tube.example/watch/7', 'tube.example'],
    ['http://video.tube.example:8080/', 'video.tube.example'],
    ['https://WWW.Tube.Example/A', 'tube.example'],
  ])('hostname is the host of the URL, which is shown unchanged: %s', async (url, host) => {
    const result = await shown({ url })
    expect([result.url, result.hostname]).toEqual([url, host])
  })

  it.each([
    ['', 2, '2 hours ago'],
    ['&lang=de', 2, 'vor 2 Stunden'],
    ['&lang=ja', 24 * 400, '1 年前'],
    ['&lang=fr', 24 * 8, 'il y a 1 semaine'],
  ])('age is in the language requested: "%s"', async (parameter, hours, age) => {
    expect((await shown({ publishedDate: hoursAgo(hours) }, parameter)).age).toBe(age)
  })

  it('what the provider omits, or sends as null or nonsense, is the empty string', async () => {
    for (const nothing of [undefined, null, '', 0, {}]) {
      const [title, publishedDate, author, length, thumbnail] = Array<unknown>(5).fill(nothing)
      const result = await shown({ title, publishedDate, author, length, thumbnail })
      const empty = { title: '', age: '', source: '', duration: '', thumbnail: '' }
      expect(result).toEqual({ url: VIDEO.url, hostname: 'tube.example', ...empty })
    }
  })

  it('is left out if its URL is not http', async () => {
    scripted.show('searxng', [{ ...VIDEO, url: 'ftp://tube.example/7' }, VIDEO])
    const { json } = await videos('&engine=engine_d')
    scripted.show('searxng', [])
    expect(json.results.map(({ url }: { url: string }) => url)).toEqual([VIDEO.url])
  })

  it('of every default engine has these fields, all filled', async () => {
    for (const engine of ['engine_a', 'engine_c']) {
      const { json } = await videos(`&engine=${engine}`)
      expect(json.results).toHaveLength(10)
      for (const result of json.results) {
        expect(Object.keys(result)).toEqual(KEYS)
        expect(new URL(result.url).hostname.replace(/^www\./, '')).toBe(result.hostname)
        expect(result.age).toMatch(/ ago$|^now$/)
        expect(result.duration).toMatch(/^(\d+:[0-5]\d:[0-5]\d|[1-5]?\d:[0-5]\d)$/)
        expect(result.source).not.toBe('')
        expect(result.thumbnail).toMatch(/^https?:\/\/./)
      }
    }
  })
})

describe('several engines', () => {
  it('what the better-ranked engine omits of a video is taken from the other', async () => {
    const q = freshQuery()
    server.sandbox.setFault('brave', { kind: 'omit-optional' })
    const [first] = (await server.api.get(`/api/v1/videos/?q=${q}&engine=engine_a`)).json.results
    server.sandbox.setFault('brave', undefined)
    expect(first).toMatchObject({ age: '', source: '', duration: '', thumbnail: '' })
    scripted.show('searxng', [
      { ...VIDEO, url: 'https://another.example/' },
      { ...VIDEO, url: first.url },
    ])
    const { json } = await server.api.get(`/api/v1/videos/?q=${q}&engine=engine_a,engine_d`)
    scripted.show('searxng', [])
    const merged = json.results.filter(({ url }: { url: string }) => url === first.url)
    const filled = { age: '3 hours ago', source: VIDEO.author, duration: '4:13', thumbnail: VIDEO.thumbnail }
    expect(merged).toEqual([{ ...first, ...filled }])
  })
})

describe('shared parameters', () => {
  describeSharedParameters({
    tab: 'videos',
    server: () => server,
    other: { slug: 'sepiasearch', q: 'search' },
    asks: {
      safe: { on: [{ safesearch: 'strict' }, { nsfw: 'false' }], off: [{ safesearch: 'off' }, { nsfw: 'both' }] },
      page2: [{ offset: '1' }, { start: '10' }],
      german: [{ search_lang: 'de' }, { 'languageOneOf[]': 'de' }],
    },
    endBefore50: ['engine_a'],
  })

  describe('date', () => {
    describeDate({ tab: 'videos', server: () => server, since: ({ startDate }) => Date.parse(startDate ?? '') })
  })
})
