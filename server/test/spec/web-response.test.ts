// The web search response: exactly these fields, and how a provider's
// values map to them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'

let server: TestInstance
let scripted: ScriptedProvider
beforeAll(async () => {
  scripted = await startScriptedProvider()
  const slugs = ['brave', 'mojeek', 'marginalia', 'searxng'] as const
  server = await startTestInstance({ ...scripted.settings(...slugs), ENGINE_D: 'searxng' })
})
afterAll(async () => {
  await server.close()
  await scripted.close()
})

const web = (parameters = '') => server.api.get(`/api/v1/web/?q=${freshQuery()}${parameters}`)
const PAGE = { title: 'A page', url: 'https://www.site.example/page', description: 'About it.' }
const HOUR_MS = 3_600_000

/** The API result for one Brave result. */
async function fromBrave(fields: Record<string, unknown>, parameters = '') {
  scripted.show('brave', [{ ...PAGE, ...fields }])
  const { json } = await web(`&engine=engine_a${parameters}`)
  return json.results[0]
}

describe('the envelope', () => {
  it('has exactly the documented keys, each of its type', async () => {
    scripted.show('brave', [PAGE])
    const q = freshQuery('whole envelope')
    const { json } = await server.api.get(`/api/v1/web/?q=${q}&page=2&engine=engine_a`)
    expect(json).toEqual({
      query: decodeURIComponent(q),
      tab: 'web',
      page: 2,
      engine: ['engine_a'],
      correction: '',
      results: [expect.any(Object)],
    })
  })

  it('keeps all its keys if nothing is found', async () => {
    scripted.show('brave', [])
    const { status, json, headers } = await web('&engine=engine_a')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['query', 'tab', 'page', 'engine', 'correction', 'results'])
    expect(json.results).toEqual([])
    expect(headers.get('search-status')).toBe('complete')
  })

  it('engine lists the slots in slot order, however they were sent', async () => {
    expect((await web('&engine=engine_d,engine_b,engine_a')).json.engine).toEqual(['engine_a', 'engine_b', 'engine_d'])
  })

  it('engine leaves out a failed slot', async () => {
    scripted.answer('mojeek', 500, {})
    const { status, json } = await web('&engine=engine_a,engine_b')
    scripted.show('mojeek', [])
    expect([status, json.engine]).toEqual([200, ['engine_a']])
  })
})

describe('correction', () => {
  const answerAltered = (query: Record<string, unknown>) =>
    scripted.answer('brave', 200, { type: 'search', query, web: { results: [PAGE] } })

  it('is the spelling an engine suggests', async () => {
    answerAltered({ original: 'clmate', altered: 'climate' })
    expect((await web('&engine=engine_a')).json.correction).toBe('climate')
  })

  it('is empty if it equals the query', async () => {
    const q = freshQuery()
    answerAltered({ original: 'something else', altered: decodeURIComponent(q).toUpperCase() })
    expect((await server.api.get(`/api/v1/web/?q=${q}&engine=engine_a`)).json.correction).toBe('')
  })

  it('is empty, never null, if no engine has one', async () => {
    answerAltered({ original: 'x', altered: null })
    expect((await web('&engine=engine_a')).json.correction).toBe('')
  })
})

describe('a result', () => {
  it('has exactly the documented keys, filled from the provider', async () => {
    const result = await fromBrave({
      page_age: new Date(Date.now() - 3 * HOUR_MS).toISOString().slice(0, 19),
      meta_url: { favicon: 'https://icons.example/site.png' },
      deep_results: { buttons: [{ title: 'Contact', url: 'https://www.site.example/contact' }] },
    })
    expect(result).toEqual({
      title: 'A page',
      url: 'https://www.site.example/page',
      description: 'About it.',
      display_url: 'site.example',
      favicon_url: 'https://icons.example/site.png',
      age: '3 hours ago',
      source: 'engine_a',
      source_label: 'Brave',
      sitelinks: [{ title: 'Contact', url: 'https://www.site.example/contact' }],
    })
  })

  it.each([
    ['markup is stripped', '<strong>Bower</strong> <i>birds</i>', 'Bower birds'],
    ['entities are decoded', 'Fish &amp; chips &quot;here&quot; &#233;', 'Fish & chips "here" é'],
    ['entities are decoded once, so that text about markup stays', '&lt;b&gt; is bold', '<b> is bold'],
    ['entities are not decoded twice', '&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['white space is collapsed', '  two\n\t words  ', 'two words'],
  ])('title and description are plain text: %s', async (_name, given, expected) => {
    const result = await fromBrave({ title: given, description: given })
    expect([result.title, result.description]).toEqual([expected, expected])
  })

  it.each([
    ['https://www.site.example/a?utm_source=x#top', 'site.example'],
    ['http://site.example:8080/', 'site.example'],
    ['https://deep.www.site.example/', 'deep.www.site.example'],
    ['https://WWW.Site.Example/A', 'site.example'],
  ])('the URL %s is shown as it is, and display_url is a host', async (url, host) => {
    const result = await fromBrave({ url })
    expect(result.url).toBe(url)
    expect(result.display_url.replace(/:\d+$/, '')).toBe(host)
  })

  it("favicon_url is the site's own if the provider has none", async () => {
    expect((await fromBrave({})).favicon_url).toBe('https://site.example/favicon.ico')
  })

  it.each([
    ['', 2, '2 hours ago'],
    ['&lang=en', 26, '1 day ago'],
    ['&lang=de', 2, 'vor 2 Stunden'],
    ['&lang=pt-BR', 2, 'há 2 horas'],
    ['&lang=fr', 24 * 8, 'il y a 1 semaine'],
  ])('age is in the language requested: "%s"', async (parameter, hours, age) => {
    const page_age = new Date(Date.now() - hours * HOUR_MS - 60_000).toISOString().slice(0, 19)
    expect((await fromBrave({ page_age }, parameter)).age).toBe(age)
  })

  it('age is empty if the provider has no date or a nonsensical one', async () => {
    for (const page_age of [undefined, null, '', 'long ago', 0]) expect((await fromBrave({ page_age })).age).toBe('')
  })

  it('a sitelink is a title and a URL, and one without both is left out', async () => {
    const buttons = [
      { title: 'Good', url: 'https://site.example/good' },
      { title: 'No address' },
      { url: 'https://x.example/' },
    ]
    const { sitelinks } = await fromBrave({ deep_results: { buttons } })
    expect(sitelinks).toEqual([{ title: 'Good', url: 'https://site.example/good' }])
  })

  it('a result whose URL is not http is left out', async () => {
    const urls = ['javascript:alert(1)', 'ftp://site.example/', 'data:text/html,x', '']
    scripted.show('brave', [...urls.map((url) => ({ ...PAGE, url })), PAGE])
    const { json } = await web('&engine=engine_a')
    expect(json.results.map(({ url }: { url: string }) => url)).toEqual([PAGE.url])
  })
})

describe('source', () => {
  const show = (slugs: readonly ('brave' | 'mojeek' | 'marginalia' | 'searxng')[]) => {
    for (const slug of ['brave', 'mojeek', 'marginalia', 'searxng'] as const) {
      scripted.show(slug, slugs.includes(slug) ? [PAGE] : [])
    }
  }

  it.each([
    [['brave'], 'engine_a', 'Brave'],
    [['mojeek'], 'engine_b', 'Mojeek'],
    [['marginalia'], 'engine_c', 'Marginalia'],
    [['searxng'], 'engine_d', 'SearXNG'],
    [['brave', 'mojeek'], 'both', 'Brave, Mojeek'],
    [['marginalia', 'mojeek'], 'both', 'Mojeek, Marginalia'],
    [['brave', 'searxng'], 'both', 'Brave, SearXNG'],
    [['marginalia', 'mojeek', 'brave'], 'all', 'Brave, Mojeek, Marginalia'],
    [['brave', 'mojeek', 'marginalia', 'searxng'], 'all', 'Brave, Mojeek, Marginalia, SearXNG'],
  ] as const)('of a page found by %j is %s, labelled %s', async (slugs, source, label) => {
    show(slugs)
    const { json } = await web()
    expect(json.results).toHaveLength(1)
    expect(json.results[0]).toMatchObject({ source, source_label: label })
  })

  it('the same page at slightly different URLs is one result, with a URL that an engine returned', async () => {
    show([])
    scripted.show('brave', [{ ...PAGE, url: 'https://www.site.example/page/?utm_source=mail#top' }])
    scripted.show('mojeek', [{ ...PAGE, url: 'http://site.example/page' }])
    const { json } = await web()
    expect(json.results).toHaveLength(1)
    expect(json.results[0]).toMatchObject({ source: 'both', url: 'https://www.site.example/page/?utm_source=mail#top' })
  })

  it('pages that differ in path, query or client-side route stay apart', async () => {
    const urls = ['', '?id=2', '#/route', '/deeper'].map((end) => `https://site.example/page${end}`)
    show([])
    scripted.show(
      'brave',
      urls.map((url) => ({ ...PAGE, url })),
    )
    const { json } = await web()
    expect(json.results.map(({ url }: { url: string }) => url).sort()).toEqual(urls.toSorted())
  })

  it('an engine that lists a page twice does not count as agreement', async () => {
    show([])
    scripted.show('brave', [PAGE, { ...PAGE, url: `${PAGE.url}#again` }])
    expect((await web()).json.results).toEqual([expect.objectContaining({ source: 'engine_a' })])
  })

  it('results that engines agree on come before equally ranked results of one engine', async () => {
    const at = (path: string) => ({ ...PAGE, url: `https://site.example/${path}` })
    show([])
    scripted.show('brave', [at('only-a'), at('shared')])
    scripted.show('mojeek', [at('only-b'), at('shared')])
    const { json } = await web()
    expect(json.results.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual([
      '/shared',
      '/only-a',
      '/only-b',
    ])
  })
})
