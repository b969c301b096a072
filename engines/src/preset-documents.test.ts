// What is special about some of the documents that ship with Bowerbird: results whose parts lie apart, links that are put
// together, and what a service means by an error. What all of them must do is in engine-rules.test.ts and
// reply-rules.test.ts.
import { describe, expect, it } from 'vitest'
import { QUERY } from '../test/engine-cases.ts'
import { ANY, BOUNDS } from '../test/engine-query.ts'
import { readFixture } from '../test/read-fixture.ts'
import { ALL_ENGINES } from './all.ts'
import type { EngineQuery, ProviderReply, WebHit } from './engine.ts'
import { UpstreamError } from './upstream-error.ts'

const SETTINGS = {
  baseUrl: 'http://service:8000',
  linkUrl: 'https://service.example/home',
  apiKey: 'key',
  index: 'house',
}

const tabOf = (slug: string) => {
  const tab = Object.values(ALL_ENGINES.find((engine) => engine.slug === slug)?.tabs ?? {})[0]
  if (!tab) throw new Error(`${slug} has no tab`)
  return tab
}

const read = (slug: string, reply: ProviderReply, query: Partial<EngineQuery> = {}) =>
  // The engines of these tests find pages.
  tabOf(slug).parse(reply, { ...QUERY, ...query }, SETTINGS).hits as WebHit[]

const readPage = (slug: string) => read(slug, readFixture(`${slug}-web-page`))

const errorFor = (slug: string, reply: ProviderReply): UpstreamError => {
  try {
    read(slug, reply)
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
  throw new Error('read as results')
}

const reply = (status: number, body: unknown): ProviderReply => ({ status, headers: {}, body: JSON.stringify(body) })

describe('links lead to the address for readers', () => {
  it.each([
    ['paperless', 'https://service.example/home/documents/123/details'],
    ['wikijs', 'https://service.example/home/en/house/heat-pump'],
    ['dokuwiki', 'https://service.example/home/doku.php?id=house%3Aheat_pump'],
    ['mediawiki', 'https://service.example/home/index.php?title=Heat_pump'],
    ['trilium', 'https://service.example/home/#root/evnnmvHTCgIn'],
    ['zimi', 'https://service.example/home/w/house_en/A/Heat_pump'],
    // They send the whole path themselves, so it belongs to the host.
    ['nextcloud', 'https://service.example/index.php/f/12'],
    ['outline', 'https://service.example/doc/page-a1b2c3d4'],
    ['kiwix', 'https://service.example/content/house_en/Heat_pump'],
  ])('%s', (slug, url) => {
    expect(readPage(slug)[0]?.url).toBe(url)
  })
})

describe('parts of a result that lie elsewhere in the reply', () => {
  it('Discourse: the title is that of the topic', () => {
    expect(readPage('discourse').map(({ title }) => title)).toEqual([
      'Draining a heat pump',
      'Noises in the cellar',
      'Draining a heat pump',
    ])
  })

  it('Solr: the snippet is found by id, Quickwit: by position; what has none gets its description', () => {
    for (const slug of ['solr', 'quickwit']) {
      const [first, second] = readPage(slug)
      expect([slug, first?.description.toLowerCase()]).toEqual([slug, 'how the pump is drained'])
      expect([slug, second?.description]).toEqual([slug, 'Rules & rooms'])
    }
  })
})

describe('Parallel', () => {
  const results = [{ url: 'https://lamps.example/', title: 'Lamps', publish_date: null, excerpts: ['Old ones'] }]
  const sent = (result: unknown) => reply(200, { jsonrpc: '2.0', id: 1, result })
  const text = (value: unknown) => [{ type: 'text', text: JSON.stringify(value) }]

  it('sends results apart, as text, as both, or in an event stream', () => {
    const both = { content: text({ results }), structuredContent: { results } }
    for (const result of [{ content: [], structuredContent: { results } }, { content: text({ results }) }, both]) {
      const { body } = sent(result)
      for (const each of [body, `event: message\ndata: ${body}\n\n`])
        expect(read('parallelfree', { ...sent(result), body: each }).map(({ url }) => url)).toEqual([
          'https://lamps.example/',
        ])
    }
  })

  it('a failure is one, whatever its text is', () => {
    for (const content of [text({ results: [] }), [{ type: 'text', text: 'Out of order' }]])
      expect(errorFor('parallelfree', sent({ isError: true, content })).kind).toBe('unreachable')
    expect(errorFor('parallelfree', sent({ content: text(7) })).kind).toBe('malformed')
  })
})

describe('packages', () => {
  const packages = (...kinds: number[]) => ({
    packages: kinds.map((kind) => ({ normalized_name: 'dig', ts: 1_790_000_000, repository: { kind, name: 'north' } })),
  })

  it('Artifact Hub: every kind has a page of its own, and a kind that is not known a search for it', () => {
    const addresses = (...kinds: number[]) => read('artifacthub', reply(200, packages(...kinds))).map(({ url }) => url)
    expect(addresses(0, 12, 26)).toEqual([
      'https://service.example/home/packages/helm/north/dig',
      'https://service.example/home/packages/container/north/dig',
      'https://service.example/home/packages/radius/north/dig',
    ])
    const known = addresses(...Array.from({ length: 27 }, (_, kind) => kind))
    expect([known.length, known.filter((url) => url.includes('/search?')).length]).toEqual([27, 0])
    expect(addresses(99)).toEqual(['https://service.example/home/packages/search?repo=north&ts_query_web=dig'])
  })

  it('Docker Hub: an image that was never updated has the date of its creation', () => {
    const image = { slug: 'dig', created_at: '2024-01-01T00:00:00Z', updated_at: null }
    expect(read('dockerhub', reply(200, { results: [image] }))[0]?.publishedAt).toBe(Date.UTC(2024, 0, 1))
  })
})

describe('domains and dates', () => {
  const bodyFor = (slug: string, bounds: object) =>
    JSON.parse(tabOf(slug).request({ ...ANY, ...bounds }, SETTINGS).body ?? '')

  it('Linkup takes lists of domains, a first and a last day', () => {
    expect(bodyFor('linkup', BOUNDS)).toMatchObject({
      fromDate: '2026-11-01',
      toDate: '2026-11-09',
      includeDomains: ['example.org'],
      excludeDomains: ['old.example.org'],
    })
  })

  it('Keenable takes one domain, and none of several', () => {
    expect(bodyFor('keenable', BOUNDS)).toEqual({
      query: 'oak tree',
      site: 'example.org',
      published_after: '2026-11-01',
      published_before: '2026-11-09',
      snippet_max_length: 400,
    })
    expect(bodyFor('keenable', { includeDomains: ['a.org', 'b.org'] })).not.toHaveProperty('site')
  })

  it('GitHub is asked for what was pushed since, in the text of the query', () => {
    const { path } = tabOf('github').request({ ...ANY, date: 'w' }, SETTINGS)
    expect(path).toBe('/search/repositories?q=oak%20tree%20pushed%3A%3E%3D2026-11-08&per_page=10&page=1')
  })
})

describe('code', () => {
  it.each([
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['zh-Hant-TW', 'zh-TW'],
    ['zh', 'zh-CN'],
  ])('MDN is asked in %s as %s', (lang, locale) => {
    expect(tabOf('mdn').request({ ...ANY, lang }, SETTINGS).path).toContain(`&locale=${locale}&`)
  })

  it('npm: a package of a scope keeps its name in the address', () => {
    expect(read('npm', readFixture('npm-code-page'))[1]?.url).toBe('https://www.npmjs.com/package/@trees/ash')
  })

  it('Hugging Face: task and library stand for a description', () => {
    const [first] = read('huggingface', readFixture('huggingface-code-page'))
    expect(first).toMatchObject({ description: 'text-generation · transformers' })
  })

  it.each(['codeberg', 'github'])('%s: what is tagged as adult is left out with safe, and only then', (slug) => {
    const page = readFixture(`${slug}-code-page`)
    expect([read(slug, page, { safe: true }).length, read(slug, page, { safe: false }).length]).toEqual([3, 4])
  })

  it('Hugging Face: what is left out on one page moves nothing to it from the next', () => {
    const page = readFixture('huggingface-code-page')
    const titles = (safe: boolean) => read('huggingface', page, { page: 2, safe }).map(({ title }) => title)
    expect(titles(false)).toEqual(['trees/oak-7b-11', 'someone/adults'])
    expect(titles(true)).toEqual(['trees/oak-7b-11'])
  })
})

describe('pictures', () => {
  const parametersFor = (slug: string, query: object) => {
    const { path } = tabOf(slug).request({ ...ANY, ...query }, SETTINGS)
    return Object.fromEntries(new URL(path, SETTINGS.baseUrl).searchParams)
  }

  it('Openverse: a use is asked for by licence or by kind of licence', () => {
    const asked = (licence: 'public' | 'modify' | 'share') => parametersFor('openverse', { image: { licence } })
    expect(asked('public')).toMatchObject({ license: 'cc0,pdm' })
    expect(asked('modify')).toMatchObject({ license_type: 'modification' })
    expect(asked('share')).toEqual(parametersFor('openverse', {}))
  })

  it('Openverse: how long to wait is in a sentence', () => {
    expect(errorFor('openverse', readFixture('openverse-images-refusal'))).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 2913,
    })
    expect(errorFor('openverse', reply(429, { detail: 'Request was throttled.' })).retryAfterSeconds).toBe(undefined)
  })

  it.each([
    ['de-AT', 'de'],
    ['nb', 'no'],
    ['nn-NO', 'no'],
    ['', undefined],
  ])('Pixabay takes %j for the language %s', (lang, language) => {
    expect(parametersFor('pixabay', { lang })['lang']).toBe(language)
  })

  it('Pixabay: a page past the last is empty, but the first one is never', () => {
    const past = { status: 400, headers: {}, body: '[ERROR 400] "page" is out of valid range.' }
    expect(read('pixabay', past, { page: 2 })).toEqual([])
    expect(errorFor('pixabay', past).kind).toBe('rejected')
  })

  it('Unsplash: colours and shapes have other names', () => {
    expect(parametersFor('unsplash', { image: { color: 'mono', shape: 'square' } })).toMatchObject({
      color: 'black_and_white',
      orientation: 'squarish',
    })
  })
})

describe('errors', () => {
  it('The Guardian: a page past the last is empty, and any other mistake is one', () => {
    const refused = (message: string) => reply(400, { response: { status: 'error', message } })
    expect(read('guardian', refused('requested page is beyond the number of available pages'))).toEqual([])
    expect(errorFor('guardian', refused('bad date')).kind).toBe('rejected')
  })

  it('Linkup: nothing found is status 400, and so is a mistake', () => {
    expect(read('linkup', reply(400, { error: { code: 'SEARCH_QUERY_NO_RESULT' } }))).toEqual([])
    expect(errorFor('linkup', reply(400, { error: { code: 'VALIDATION_ERROR' } })).kind).toBe('rejected')
  })

  it('Codeberg: what is not ok is an error, although its status is 200', () => {
    expect(errorFor('codeberg', reply(200, { ok: false, error: 'nope', data: [] })).kind).toBe('rejected')
  })

  it('NewsData.io: a query that is too long is not its fault', () => {
    expect(errorFor('newsdata', reply(422, { results: { code: 'UnsupportedQueryLength' } })).isQueryFault).toBe(true)
  })

  it('GitHub: the end of the window is waited for', () => {
    const spent = readFixture('github-code-refusal')
    expect(errorFor('github', spent)).toMatchObject({ kind: 'throttled', retryAfterSeconds: expect.any(Number) })
  })

  it('Paperless-ngx: a page past the last is empty, but the first one is never missing', () => {
    const missing = reply(404, { detail: 'Invalid page.' })
    expect(read('paperless', missing, { page: 2 })).toEqual([])
    expect(errorFor('paperless', missing).kind).toBe('rejected')
  })

  it('Discourse: overload is not an empty page', () => {
    const overloaded = reply(200, { posts: [], topics: [], grouped_search_result: { error: 'Too busy' } })
    expect(errorFor('discourse', overloaded).kind).toBe('unreachable')
  })

  it('Meilisearch: too many searches at once means to wait ten seconds', () => {
    expect(errorFor('meilisearch', reply(503, { code: 'too_many_search_requests' }))).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 10,
    })
  })

  it('OpenSearch: a search that timed out is not a page, although its status is 200', () => {
    expect(errorFor('opensearch', reply(200, { timed_out: true, hits: { hits: [] } })).kind).toBe('unreachable')
  })

  it('Kiwix, Discourse: a query that they refuse is not their fault', () => {
    for (const slug of ['kiwix', 'discourse']) expect(errorFor(slug, reply(400, {})).isQueryFault).toBe(true)
  })
})

it('Elasticsearch is asked as OpenSearch is, with an API key', () => {
  const [elastic, open] = ['elasticsearch', 'opensearch'].map((slug) => tabOf(slug).request(QUERY, SETTINGS))
  expect(elastic?.body).toBe(open?.body)
  expect(elastic?.headers?.['authorization']).toBe('ApiKey key')
})

it('Lemmy: posts that are not safe for work are left out', () => {
  expect(readPage('lemmy').map(({ title }) => title)).not.toContain('Left out')
})
