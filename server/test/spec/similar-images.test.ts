// Similar images: the seed, what is
// excluded from the results, and that nothing is searched or counted without a seed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
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

const PATH = '/api/v1/images/similar/'
const similar = (parameters: Record<string, string>) =>
  server.api.get(`${PATH}?${new URLSearchParams(parameters).toString()}`)
const caption = (words: string) => decodeURIComponent(freshQuery(words))
const urlsOf = (json: { results: { url: string }[] }) => json.results.map(({ url }) => url)

describe('the response', () => {
  it('has exactly query, engine and results: no tab and no page', async () => {
    const q = caption('oak bark')
    const { status, json } = await similar({ q })
    expect(status).toBe(200)
    expect(json).toEqual({ query: q, engine: ['engine_a', 'engine_c', 'engine_d'], results: expect.any(Array) })
    expect(json.results.length).toBeGreaterThan(0)
  })

  it('has the results of an image search for the seed, field by field', async () => {
    const q = caption('oak bark')
    const [found, searched] = [await similar({ q }), await server.api.get(`/api/v1/images/?q=${encodeURIComponent(q)}`)]
    expect(found.json.results).toEqual(searched.json.results)
    for (const result of found.json.results) {
      expect(Object.keys(result)).toEqual(['title', 'url', 'source', 'thumbnail'])
    }
  })

  it('keeps all its keys if nothing is found', async () => {
    const { status, json } = await similar({ q: 'nothingtofind' })
    expect(status).toBe(200)
    expect(json).toEqual({ query: 'nothingtofind', engine: ['engine_a', 'engine_c', 'engine_d'], results: [] })
  })

  it('reports the engines in its headers, and names only those that answered', async () => {
    scripted.answer('searxng', 500, {})
    const { json, headers } = await similar({ q: caption('oak bark') })
    scripted.show('searxng', [])
    expect(json.engine).toEqual(['engine_a', 'engine_c'])
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('engine-status')).toMatch(/^engine_a;ok;.*engine_c;ok;.*engine_d;unreachable/)
    expect(headers.get('cache-status')).toBe('bowerbird; fwd=miss')
  })

  it('is a safe search unless the client says otherwise', async () => {
    await similar({ q: caption('oak bark') })
    expect(server.sandbox.calls('brave').at(-1)?.query['safesearch']).toBe('strict')
    expect(server.sandbox.calls('openverse').at(-1)?.query['mature']).toBe('false')
    await similar({ q: caption('oak bark'), safe: 'off' })
    expect(server.sandbox.calls('brave').at(-1)?.query['safesearch']).toBe('off')
  })

  it('takes engine and lang like an image search, and rejects the same values', async () => {
    const { json } = await similar({ q: caption('oak bark'), engine: 'engine_c', lang: 'de' })
    expect(json.engine).toEqual(['engine_c'])
    const refused = await similar({ q: 'oak', engine: 'nosuch', safe: 'maybe', lang: '?' })
    expect([refused.status, Object.keys(refused.json).sort()]).toEqual([400, ['engine', 'lang', 'safe']])
  })

  it('has one page: page and date are ignored', async () => {
    const q = caption('oak bark')
    const [plain, odd] = [await similar({ q }), await similar({ q, page: 'zero', date: 'x' })]
    expect([odd.status, odd.json]).toEqual([200, plain.json])
  })
})

describe('the seed', () => {
  it.each([
    ['a caption', 'Oak bark', '', 'Oak bark'],
    ['a caption rather than the query', 'Oak bark', 'trees', 'Oak bark'],
    ['a caption with its white space collapsed', '  Oak \n\t bark ', '', 'Oak bark'],
    ['a caption with what looks like a site name', 'Spider-Man - Far From Home', 'films', 'Spider-Man - Far From Home'],
    ['a caption of one character', 'x', 'trees', 'x'],
    ['a caption of one ideograph', '猫', 'cat', '猫'],
    ['the query when there is no caption', '', ' trees  in autumn ', 'trees in autumn'],
    ['the query when the caption is white space', ' \t ', 'trees', 'trees'],
    ['the query when the caption is punctuation', '---', 'trees', 'trees'],
    ['the query when the caption is longer than 500 characters', 'x'.repeat(501), 'trees', 'trees'],
    ['the query as it is, with what looks like a site name', '', 'trees - Some site', 'trees - Some site'],
  ])('is %s', async (_name, ...[q, query, seed]) => {
    const { status, json } = await similar({ q, query })
    expect([status, json.query]).toEqual([200, seed])
  })

  it('is the caption without a site name that matches the host of exclude_url', async () => {
    const exclude_url = 'https://commons.wikimedia.org/wiki/File:Oak_bark.jpg'
    const cut = await similar({ q: 'Oak bark - Wikimedia Commons', exclude_url })
    const kept = await similar({ q: 'Oak bark - Flickr', exclude_url })
    expect([cut.json.query, kept.json.query]).toEqual(['Oak bark', 'Oak bark - Flickr'])
  })

  it('is sent to the engines', async () => {
    const q = caption('oak bark')
    await similar({ q: ` ${q}  | Album`, query: 'trees', exclude_url: 'https://album.example/7' })
    expect(server.sandbox.calls('brave').at(-1)?.query['q']).toBe(q)
    expect(server.sandbox.calls('openverse').at(-1)?.query['q']).toBe(q)
  })

  it.each([
    ['neither is given', {}],
    ['both are empty', { q: '', query: '' }],
    ['both are white space', { q: ' ', query: '\t' }],
    ['only exclude_url is given', { exclude_url: 'https://album.example/' }],
    ['neither holds a letter or a digit', { q: '---', query: '…' }],
    ['both are too long', { q: 'x'.repeat(501), query: 'y'.repeat(501) }],
    ['a caption of punctuation alone', { q: '---' }],
  ])('400, keyed q and query: %s, and no provider is called', async (_name, parameters: Record<string, string>) => {
    server.sandbox.reset()
    const { status, json } = await similar(parameters)
    expect(status).toBe(400)
    expect(Object.keys(json).sort()).toEqual(['q', 'query'])
    for (const [message] of Object.values<string[]>(json)) expect(message).toMatch(/\w.*\.$/)
    expect(server.sandbox.callCount('brave') + server.sandbox.callCount('openverse')).toBe(0)
  })

  it.each(['q', 'query'])('400: %s sent twice', async (name) => {
    const twice = await server.api.get(`${PATH}?${name}=oak&${name}=bark`)
    expect([twice.status, Object.keys(twice.json)]).toEqual([400, [name]])
  })
})

describe('exclude_url', () => {
  const PAGE = 'https://www.album.example/photos/7'
  const picture = (url: string) => ({ title: 'Oak', url, img_src: 'https://files.example/7.jpg' })

  /** The pages shown out of three, one of which is to be excluded. */
  async function keptWithout(exclude_url: string): Promise<string[]> {
    const pages = [PAGE, 'https://album.example/photos/8', 'https://album.example/photos/7?size=2']
    scripted.show('searxng', pages.map(picture))
    const { status, json } = await similar({ q: caption('oak nothingtofind'), exclude_url })
    scripted.show('searxng', [])
    expect(status).toBe(200)
    return urlsOf(json)
  }

  it.each([
    'https://www.album.example/photos/7',
    'http://album.example/photos/7/',
    'https://ALBUM.example:443/photos/7',
    'https://album.example/photos/7?utm_source=mail&fbclid=1#top',
    'https://album.example/photos/./6/../7',
  ])('%s excludes the page: its canonical URL is the same', async (exclude) => {
    const kept = await keptWithout(exclude)
    expect(kept).toHaveLength(2)
    expect(kept).not.toContain(PAGE)
  })

  it.each([
    '',
    'https://album.example/photos/9',
    'https://album.example/photos/7?size=3',
    'https://album.example/photos/7#/gallery',
    'https://other.example/photos/7',
    'not an address',
    'javascript:alert(1)',
  ])('"%s" excludes nothing', async (exclude) => {
    expect(await keptWithout(exclude)).toHaveLength(3)
  })

  it('excludes the page of every engine that found it', async () => {
    const q = caption('oak bark')
    const all = urlsOf((await similar({ q })).json)
    const [excluded = ''] = all
    const kept = urlsOf((await similar({ q, exclude_url: excluded })).json)
    expect(kept).toEqual(all.filter((url) => url !== excluded))
  })

  it('400: sent twice', async () => {
    const { status, json } = await server.api.get(`${PATH}?q=oak&exclude_url=a&exclude_url=b`)
    expect([status, Object.keys(json)]).toEqual([400, ['exclude_url']])
  })
})

describe('usage', () => {
  it('counts 1 if a search ran, under its own name', async () => {
    const key = await server.createKey()
    await server.api.get(`${PATH}?q=${freshQuery('oak')}`, { key })
    await server.api.get(`${PATH}?query=${freshQuery('oak')}&exclude_url=https://album.example/`, { key })
    await server.api.get(`${PATH}?q=nothingtofind`, { key })
    expect((await server.api.get('/api/v1/usage/', { key })).json).toMatchObject({
      searches: 3,
      by_endpoint: { similar_image_search: 3 },
    })
  })

  it('counts nothing if no search ran', async () => {
    const key = await server.createKey()
    expect((await server.api.get(`${PATH}?q=---`, { key })).status).toBe(400)
    expect((await server.api.get('/api/v1/usage/', { key })).json).toMatchObject({ searches: 0, by_endpoint: {} })
  })

  it('a 400 does not count as usage, but towards the rate limit', async () => {
    const key = await server.createKey()
    for (const parameters of ['', '?q=', '?q=+', '?exclude_url=https://album.example/']) {
      expect((await server.api.get(PATH + parameters, { key })).status).toBe(400)
    }
    const { json, headers } = await server.api.get('/api/v1/usage/', { key })
    expect(json.searches).toBe(0)
    expect(headers.get('ratelimit')).toMatch(/^"burst";r=55;/)
  })
})
