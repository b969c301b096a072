// What is special about some of the documents that ship with Bowerbird: results whose parts lie apart, links that are put
// together, and what a service means by an error. What all of them must do is in engine-rules.test.ts and
// reply-rules.test.ts.
import { describe, expect, it } from 'vitest'
import { QUERY } from '../test/engine-cases.ts'
import { readFixture } from '../test/read-fixture.ts'
import { ALL_ENGINES } from './all.ts'
import type { EngineQuery, ProviderReply } from './engine.ts'
import { UpstreamError } from './upstream-error.ts'

const SETTINGS = {
  baseUrl: 'http://service:8000',
  linkUrl: 'https://service.example/home',
  apiKey: 'key',
  index: 'house',
}

const tabOf = (slug: string) => {
  const tab = ALL_ENGINES.find((engine) => engine.slug === slug)?.tabs.web
  if (!tab) throw new Error(`${slug} has no web tab`)
  return tab
}

const read = (slug: string, reply: ProviderReply, query: Partial<EngineQuery> = {}) =>
  tabOf(slug).parse(reply, { ...QUERY, ...query }, SETTINGS).hits

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

describe('errors', () => {
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
