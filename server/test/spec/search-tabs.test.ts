// What the search tabs promise over HTTP: the envelope, the fields of a result, and each shared parameter down to the
// provider. How a field is computed, and the message for each wrong value: `src/api/endpoints/`.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const THREE_HOURS_AGO = new Date(Date.now() - 3 * 3_600_000 - 60_000).toISOString().slice(0, 19)
const [PAGE, THUMBNAIL] = ['https://www.site.example/7', 'https://files.example/7.jpg']
const TEXT = { title: 'A page', url: PAGE }
/** What SearXNG sends of any result: a picture without an address is none. */
const LEAST = { url: PAGE, thumbnail_src: THUMBNAIL }

/**
 * For each tab: the providers of engine_a to engine_c, what SearXNG sends as engine_d, the result that this becomes, and
 * what is left of it if SearXNG sends nothing but the URL.
 */
const TABS = {
  web: {
    providers: { engine_a: 'brave', engine_b: 'mojeek', engine_c: 'marginalia' },
    sent: { title: '<b>A</b> page', content: 'Fish &amp; chips', publishedDate: THREE_HOURS_AGO },
    result: {
      ...TEXT,
      description: 'Fish & chips',
      display_url: 'site.example',
      favicon_url: 'https://site.example/favicon.ico',
      age: '3 hours ago',
      source: 'engine_d',
      source_label: 'SearXNG',
      sitelinks: [],
    },
    empty: { title: '', description: '', age: '' },
  },
  images: {
    providers: { engine_a: 'brave', engine_c: 'openverse' },
    sent: { title: 'A page' },
    result: { ...TEXT, source: 'site.example', thumbnail: THUMBNAIL },
    empty: { title: '' },
  },
  news: {
    providers: { engine_a: 'brave', engine_c: 'hackernews' },
    sent: {
      title: 'A page',
      content: 'It moves.',
      publishedDate: THREE_HOURS_AGO,
      source: 'The Gazette',
      thumbnail: THUMBNAIL,
    },
    result: {
      ...TEXT,
      description: 'It moves.',
      age: '3 hours ago',
      source: 'The Gazette',
      hostname: 'site.example',
      thumbnail: THUMBNAIL,
    },
    empty: { title: '', description: '', age: '', source: 'site.example', thumbnail: '' },
  },
  videos: {
    providers: { engine_a: 'brave', engine_c: 'sepiasearch' },
    sent: {
      title: 'A page',
      publishedDate: THREE_HOURS_AGO,
      author: 'Bird Channel',
      length: 253,
      thumbnail: THUMBNAIL,
    },
    result: {
      ...TEXT,
      age: '3 hours ago',
      source: 'Bird Channel',
      duration: '4:13',
      hostname: 'site.example',
      thumbnail: THUMBNAIL,
    },
    empty: { title: '', age: '', source: '', duration: '', thumbnail: '' },
  },
}

let server: TestInstance
let scripted: ScriptedProvider
beforeAll(async () => {
  scripted = await startScriptedProvider()
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, ...scripted.settings('searxng'), ENGINE_D: 'searxng' })
})
afterEach(() => {
  scripted.show('searxng', [])
  server.sandbox.reset()
})
afterAll(async () => {
  await server.close()
  await scripted.close()
})

const search = (tab: string, parameters = '', q = freshQuery()) => server.api.get(`/api/v1/${tab}/?q=${q}${parameters}`)
const lastAsked = (slug: string) => server.sandbox.calls(slug).at(-1)?.query
const urlsIn = ({ results }: { results: { url: string }[] }) => results.map(({ url }) => url)

describe.each(Object.entries(TABS))('%s', (tab, { providers, sent, result, empty }) => {
  it('the envelope and a result have exactly the documented keys', async () => {
    scripted.show('searxng', [
      { ...LEAST, url: 'javascript:alert(1)' },
      { ...LEAST, ...sent },
    ])
    const q = freshQuery('whole envelope')
    const { json } = await search(tab, '&page=2&engine=engine_d', q)
    expect(json).toEqual({
      query: decodeURIComponent(q),
      tab,
      page: 2,
      engine: ['engine_d'],
      ...(tab === 'web' && { correction: '' }),
      results: [result],
    })
  })

  it('what a provider omits, or sends as null or nonsense, is an empty string', async () => {
    for (const nothing of [undefined, null, 0, {}]) {
      scripted.show('searxng', [{ ...LEAST, ...Object.fromEntries(Object.keys(sent).map((name) => [name, nothing])) }])
      expect((await search(tab, '&engine=engine_d')).json.results).toEqual([{ ...result, ...empty }])
    }
  })

  it.each(Object.entries(providers))('results of %s have the same keys', async (engine, slug) => {
    for (const kind of ['omit-optional', 'nulls', undefined] as const) {
      server.sandbox.setFault(slug, kind && { kind })
      const { json } = await search(tab, `&engine=${engine}`)
      expect(json.results).toHaveLength(10)
      for (const found of json.results) expect(Object.keys(found)).toEqual(Object.keys(result))
    }
  })

  it('keeps all its keys if nothing is found', async () => {
    const { status, json, headers } = await search(tab, '&engine=engine_d')
    expect(status).toBe(200)
    expect(json).toMatchObject({ tab, page: 1, engine: ['engine_d'], results: [] })
    expect(headers.get('search-status')).toBe('complete')
  })

  it('leaves a failed engine out of engine, and is partial', async () => {
    scripted.answer('searxng', 500, {})
    const { status, json, headers } = await search(tab)
    expect(status).toBe(200)
    expect(json.engine).toEqual(Object.keys(providers))
    expect(headers.get('search-status')).toBe('partial')
  })

  it('hides adult content unless safe is off', async () => {
    const titles = async (parameters: string) => JSON.stringify((await search(tab, parameters)).json.results)
    expect(await titles('')).not.toContain('adults only')
    expect(lastAsked('brave')).toMatchObject({ safesearch: 'strict' })
    expect(await titles('&safe=off')).toContain('adults only')
    expect(lastAsked('brave')).toMatchObject({ safesearch: 'off' })
  })

  it('sends an engine its query and language, and no language unless there is one', async () => {
    const text = 'c++ & c# = 50 % "off" naïve 鳥 🐦 <b>'
    const { json } = await search(tab, '&lang=de', encodeURIComponent(` ${text} `))
    expect(json.query).toBe(text)
    expect(lastAsked('brave')).toMatchObject({ q: text, search_lang: 'de' })
    await search(tab, '&lang=')
    expect(lastAsked('brave')).not.toHaveProperty('search_lang')
  })

  it('has pages: 2 continues where 1 ended, and 50 is answered', async () => {
    const q = freshQuery()
    const first = await search(tab, '&engine=engine_a', q)
    const second = await search(tab, '&engine=engine_a&page=2', q)
    expect((await search(tab, '&engine=engine_a&page=1', q)).json).toEqual({ ...first.json, page: 1 })
    expect(second.json.results).toHaveLength(10)
    expect(urlsIn(second.json).filter((url) => urlsIn(first.json).includes(url))).toEqual([])
    const last = await search(tab, '&page=50')
    expect(last).toMatchObject({ status: 200, json: { page: 50 } })
    expect(last.headers.get('engine-status')).toContain('engine_a;skipped;for=page')
  })

  it('a page that two engines return is one result, and what the better-ranked one omits is the other’s', async () => {
    server.sandbox.setFault('brave', { kind: 'omit-optional' })
    const q = freshQuery()
    const alone = (await search(tab, '&engine=engine_a', q)).json.results[0]
    const url = `${alone.url}${alone.url.includes('?') ? '&' : '?'}utm_source=mail#top`
    scripted.show('searxng', [
      { ...LEAST, ...sent, url: 'https://another.example/' },
      { ...LEAST, ...sent, url },
    ])
    const { json } = await search(tab, '&engine=engine_a,engine_d', q)
    const merged = json.results.filter((found: { url: string }) => found.url === alone.url)
    expect(merged).toHaveLength(1)
    if ('age' in result) expect(merged[0]).toMatchObject({ age: '3 hours ago' })
    expect(urlsIn(json)).not.toContain(url)
  })
})

describe('engine', () => {
  it('503: only an engine whose provider does not serve this tab is selected', async () => {
    const { status, json } = await search('news', '&engine=engine_b')
    expect(status).toBe(503)
    expect(json).toEqual({ detail: expect.stringContaining('engine_b') })
  })
})

describe('an engine that cannot do what is asked', () => {
  it.each([
    ['web', '&date=w', 'engine_c;skipped;for=date'],
    ['web', '&lang=de', 'engine_c;skipped;for=lang'],
    ['web', '&lang=xx', 'engine_a;skipped;for=lang'],
    ['images', '&page=21', 'engine_a;skipped;for=page'],
    ['web', `+${'word+'.repeat(85)}`, 'engine_a;skipped;for=length'],
  ])('is skipped and reported, and the others answer: %s%s', async (tab, parameters, report) => {
    const { json, headers } = await search(tab, parameters)
    expect(headers.get('engine-status')).toContain(report)
    expect(headers.get('search-status')).toBe('complete')
    expect(json.engine).not.toContain(report.slice(0, 'engine_a'.length))
    expect(json.engine.length).toBeGreaterThan(0)
  })

  it('if it is the only one, the response is empty and unsupported, and no provider is called', async () => {
    const { status, json, headers } = await search('web', '&date=w&engine=engine_c')
    expect(status).toBe(200)
    expect(json).toMatchObject({ engine: [], results: [] })
    expect(headers.get('search-status')).toBe('unsupported')
    expect(server.sandbox.callCount('marginalia')).toBe(0)
  })
})

it('unknown parameters and cookies change nothing', async () => {
  const plain = await search('web', '', 'climate')
  const odd = await server.api.get('/api/v1/web/?q=climate&format=xml&foo=1&foo=2&__proto__=x&Q=no', {
    headers: { cookie: 'engine=engine_b; safe=off; lang=de; page=3; preferences=engine_b' },
  })
  expect(odd).toMatchObject({ status: 200, json: plain.json })
  expect(odd.headers.get('set-cookie')).toBeNull()
})
