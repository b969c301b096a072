// The image search response, exactly these fields, and how a provider's values map to them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { describeRefusals, describeSharedParameters } from './shared-parameter-rules.ts'
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

const images = (parameters = '') => server.api.get(`/api/v1/images/?q=${freshQuery()}${parameters}`)
const PICTURE = {
  title: 'Oak bark',
  url: 'https://www.album.example/photos/7',
  thumbnail_src: 'https://thumbs.example/7.jpg',
  img_src: 'https://files.example/7.jpg',
}

/** The API result for one image from a provider. */
async function shown(fields: Record<string, unknown>) {
  scripted.show('searxng', [{ ...PICTURE, ...fields }])
  const { json } = await images('&engine=engine_d')
  scripted.show('searxng', [])
  return json.results[0]
}

describe('the envelope', () => {
  it('has exactly the documented keys, each of its type', async () => {
    scripted.show('searxng', [PICTURE])
    const q = freshQuery('whole envelope')
    const { json } = await server.api.get(`/api/v1/images/?q=${q}&page=3&engine=engine_d`)
    scripted.show('searxng', [])
    expect(json).toEqual({
      query: decodeURIComponent(q),
      tab: 'images',
      page: 3,
      engine: ['engine_d'],
      results: [expect.any(Object)],
    })
  })

  it('keeps all its keys if nothing is found', async () => {
    const { status, json, headers } = await images('&engine=engine_d')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['query', 'tab', 'page', 'engine', 'results'])
    expect(json.results).toEqual([])
    expect(headers.get('search-status')).toBe('complete')
  })

  it('engine leaves out a failed slot, and the response is partial', async () => {
    scripted.answer('searxng', 500, {})
    const { status, json, headers } = await images()
    scripted.show('searxng', [])
    expect([status, json.engine]).toEqual([200, ['engine_a', 'engine_c']])
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('engine-status')).toMatch(/engine_d;unreachable;ms=\d+/)
  })

  it('503: no engine answered', async () => {
    scripted.answer('searxng', 500, {})
    const { status, json, headers } = await images('&engine=engine_d')
    scripted.show('searxng', [])
    expect(status).toBe(503)
    expect(json).toEqual({ detail: expect.stringMatching(/\w/) })
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })
})

describe('a result', () => {
  it('has exactly the documented keys, filled from the provider', async () => {
    expect(await shown({})).toEqual({
      title: 'Oak bark',
      url: 'https://www.album.example/photos/7',
      source: 'album.example',
      thumbnail: 'https://thumbs.example/7.jpg',
    })
  })

  it.each([
    ['https://www.album.example/photos/7', 'album.example'],
    ['http://deep.album.example:8080/7', 'deep.album.example'],
    ['https://WWW.Album.Example/', 'album.example'],
  ])('source is the host of the page, whatever the provider calls itself or the site: %s', async (url, host) => {
    const result = await shown({ url, source: 'Some Album', engine: 'other' })
    expect([result.url, result.source]).toEqual([url, host])
  })

  it.each([
    ['markup is stripped', '<b>Oak</b> bark', 'Oak bark'],
    ['entities are decoded once', 'Fish &amp; chips &amp;lt;', 'Fish & chips &lt;'],
    ['white space is collapsed', '  two\n\t words  ', 'two words'],
  ])('title is plain text: %s', async (_name, given, expected) => {
    expect((await shown({ title: given })).title).toBe(expected)
  })

  it.each([undefined, null, '', 7, ['x']])('title is empty if the provider sends %j', async (title) => {
    expect((await shown({ title })).title).toBe('')
  })

  it('thumbnail is the image itself if there is no small one', async () => {
    for (const thumbnail_src of [undefined, null, '', 'data:image/png;base64,AAAA', 'ftp://x.example/a.png']) {
      expect((await shown({ thumbnail_src })).thumbnail).toBe('https://files.example/7.jpg')
    }
  })

  it('thumbnail is a URL that a browser can load by itself', async () => {
    const { thumbnail } = await shown({ thumbnail_src: '//thumbs.example/8.jpg' })
    expect(thumbnail).toBe('https://thumbs.example/8.jpg')
  })

  it('an image that cannot be shown, or whose page is not http, is left out', async () => {
    scripted.show('searxng', [
      { ...PICTURE, url: 'https://a.example/1', thumbnail_src: '', img_src: '' },
      { ...PICTURE, url: 'javascript:alert(1)' },
      PICTURE,
    ])
    const { json } = await images('&engine=engine_d')
    scripted.show('searxng', [])
    expect(json.results.map(({ url }: { url: string }) => url)).toEqual([PICTURE.url])
  })

  it('of every default engine has these fields, all filled', async () => {
    for (const engine of ['engine_a', 'engine_c']) {
      const { json } = await images(`&engine=${engine}`)
      expect(json.results).toHaveLength(10)
      for (const result of json.results) {
        expect(Object.keys(result)).toEqual(['title', 'url', 'source', 'thumbnail'])
        expect(new URL(result.url).hostname.replace(/^www\./, '')).toBe(result.source)
        expect(result.thumbnail).toMatch(/^https?:\/\/./)
        expect(typeof result.title).toBe('string')
      }
    }
  })
})

describe('several engines', () => {
  it('the same page at slightly different URLs is one result', async () => {
    const q = freshQuery()
    const first = await server.api.get(`/api/v1/images/?q=${q}&engine=engine_a`)
    const { url, thumbnail } = first.json.results[0]
    scripted.show('searxng', [{ ...PICTURE, url: `${url}${url.includes('?') ? '&' : '?'}utm_source=mail#top` }])
    const { json } = await server.api.get(`/api/v1/images/?q=${q}&engine=engine_a,engine_d`)
    scripted.show('searxng', [])
    expect(json.results).toHaveLength(10)
    expect(json.results[0]).toMatchObject({ url, thumbnail })
  })

  it('both providers of one slot are called, and both appear under its name', async () => {
    const both = await startTestInstance({
      ...WITHOUT_RATE_LIMIT,
      ENGINE_A: 'brave images:openverse images:pixabay',
      ENGINE_C: 'marginalia',
    })
    try {
      const { json } = await both.api.get(`/api/v1/images/?q=${freshQuery()}`)
      expect(json.engine).toEqual(['engine_a'])
      expect(json.results.length).toBeGreaterThan(10)
      expect([both.sandbox.callCount('openverse'), both.sandbox.callCount('pixabay')]).toEqual([1, 1])
      expect(both.sandbox.callCount('brave')).toBe(0)
    } finally {
      await both.close()
    }
  })
})

describe('shared parameters', () => {
  describe('rejected', () => describeRefusals({ tab: 'images', server: () => server }))
  describeSharedParameters({
    tab: 'images',
    server: () => server,
    other: { slug: 'openverse', q: 'q' },
    asks: {
      safe: {
        on: [{ safesearch: 'strict' }, { mature: 'false' }],
        off: [{ safesearch: 'off' }, { mature: 'true' }],
      },
      page2: [{ count: '20' }, { page: '2' }],
      german: [{ search_lang: 'de' }, {}],
    },
    endBefore50: ['engine_a', 'engine_c'],
  })

  it('date is not a parameter here, and is ignored like any unknown one', async () => {
    const path = `/api/v1/images/?q=${freshQuery()}`
    const plain = await server.api.get(path)
    for (const date of ['d', 'never', '']) {
      const { status, json } = await server.api.get(`${path}&date=${date}`)
      expect([status, json]).toEqual([200, plain.json])
    }
    expect(server.sandbox.calls('brave').at(-1)?.query).not.toHaveProperty('freshness')
  })
})
