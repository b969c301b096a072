// The knowledge cards. The client validates every response against the OpenAPI
// document; these tests cover what each kind shows, when it shows nothing, and what happens if a source fails.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PATH = '/api/v1/cards/'
const KINDS = ['wikipedia', 'dictionary', 'stackexchange', 'book', 'map']
const SOURCES = ['wikipedia', 'wikidata', 'wiktionary', 'stackexchange', 'openlibrary', 'nominatim', 'photon']

let server: TestInstance
beforeAll(async () => {
  // Nothing is cached, so that a fault takes effect immediately.
  server = await startTestInstance({ SEARCH_CACHE_SECONDS: '0', SEARCH_TIMEOUT_MS: '2000' })
})
afterEach(() => server.sandbox.reset())
afterAll(() => server.close())

const cards = (q: string, more = '') => server.api.get(`${PATH}?q=${encodeURIComponent(q)}${more}`)
const shown = (json: Record<string, unknown>) => KINDS.filter((kind) => json[kind] !== null)

describe('what is shown', () => {
  it('200: query, then every kind, an object or null', async () => {
    const { status, json, headers } = await cards('  zxqv vwxz  ')
    expect([status, json]).toEqual([
      200,
      { query: 'zxqv vwxz', ...Object.fromEntries(KINDS.map((kind) => [kind, null])) },
    ])
    expect(Object.keys(json)).toEqual(['query', ...KINDS])
    expect(headers.get('search-status')).toBe('complete')
    expect(headers.get('card-status')).toMatch(
      /^wikipedia;none;ms=\d+, dictionary;skipped, stackexchange;skipped, book;/,
    )
  })

  it('Eiffel Tower: the article with its facts, and its location', async () => {
    const { json } = await cards('Eiffel Tower')
    expect(shown(json)).toEqual(['wikipedia', 'map'])
    expect(json.wikipedia).toMatchObject({ title: 'Eiffel Tower', lang: 'en', image: { width: 330 } })
    const facts = json.wikipedia.facts.map(({ label, values }: { label: string; values: { text: string }[] }) => [
      label,
      values.map(({ text }) => text).join(', '),
    ])
    expect(facts).toEqual(
      expect.arrayContaining([
        ['height', '330 m'],
        ['country', 'France'],
        ['date of official opening', 'March 31, 1889'],
      ]),
    )
    expect(json.map).toMatchObject({
      name: 'Eiffel Tower',
      lat: expect.closeTo(48.858, 2),
      lon: expect.closeTo(2.294, 2),
    })
  })

  it('in another language: its own article, facts and place names', async () => {
    const { json } = await cards('eiffel tower', '&lang=fr')
    expect([json.wikipedia.title, json.wikipedia.lang, json.map.name]).toEqual(['Tour Eiffel', 'fr', 'Tour Eiffel'])
    expect(JSON.stringify(json.wikipedia.facts)).toContain('"label":"hauteur"')
    expect(JSON.stringify(json.wikipedia.facts)).toContain('31 mars 1889')
  })

  it('inception: the film with the facts that matter for films, and the word', async () => {
    const { json } = await cards('inception')
    expect(shown(json)).toEqual(['wikipedia', 'dictionary'])
    expect(json.wikipedia.facts.map(({ property }: { property: string }) => property)).toEqual(
      expect.arrayContaining(['P57', 'P161', 'P577', 'P2047']),
    )
    expect(json.dictionary).toMatchObject({ word: 'inception', lang: 'en', entries: [{ part_of_speech: 'Noun' }] })
  })

  it('a word', async () => {
    const { json } = await cards('what does ephemeral mean?')
    expect(shown(json)).toEqual(['dictionary'])
    expect(json.dictionary.entries[0]).toEqual({
      part_of_speech: 'Adjective',
      senses: expect.arrayContaining([
        { definition: 'Lasting only for a short time.', examples: ['The ephemeral beauty of cherry blossom.'] },
      ]),
    })
  })

  it('a programming question, with the accepted answer and its code line by line', async () => {
    const { json } = await cards('javascript remove duplicates from array')
    expect(shown(json)).toEqual(['stackexchange'])
    expect(json.stackexchange).toMatchObject({
      tags: ['javascript', 'arrays'],
      answer: { text: expect.stringMatching(/^A set/) },
    })
    expect(json.stackexchange.answer.code).toContain(
      'if (unique.length < values.length) {\n  console.log("there were some")\n}',
    )
  })

  it.each(['dune by frank herbert', 'Dune book', '978-1-0000-3001-3'])('a book: %s', async (q) => {
    const { json } = await cards(q)
    expect(shown(json)).toEqual(['book'])
    expect(json.book).toMatchObject({ title: 'Dune', authors: [{ name: 'Frank Herbert' }], first_published: 1965 })
  })

  it('a place requested by name', async () => {
    expect(shown((await cards('map of Paris')).json)).toEqual(['map'])
  })

  it('an ambiguous name shows no article', async () => {
    expect((await cards('mercury')).json.wikipedia).toBeNull()
    expect((await cards('mercury planet')).json.wikipedia.title).toBe('Mercury (planet)')
  })

  it('has no markup, and every card has its attribution and licence', async () => {
    for (const q of ['Eiffel Tower', 'define chat', 'how do i undo the last commit in git', 'The Hobbit book']) {
      const { json } = await cards(q)
      expect(shown(json).length).toBeGreaterThan(0)
      for (const kind of shown(json)) {
        expect(JSON.stringify(json[kind])).not.toMatch(/<\/?[a-z]+[ >]|&(?:amp|lt|gt|quot|#)/)
        for (const member of Object.values(json[kind].attribution)) expect(member).toMatch(/\S/)
        expect(json[kind].attribution.url).toMatch(/^https:\/\//)
        expect(json[kind].attribution.licence_url).toMatch(/^https:\/\//)
      }
    }
  })

  it('safe: what Wikidata calls pornography is shown only with safe=off', async () => {
    expect((await cards('After Dark adults only')).json.wikipedia).toBeNull()
    expect((await cards('After Dark adults only', '&safe=on')).json.wikipedia).toBeNull()
    expect((await cards('After Dark adults only', '&safe=off')).json.wikipedia).toMatchObject({ facts: [] })
  })

  it('engine is validated, but has no effect', async () => {
    const plain = await cards('Eiffel Tower')
    expect((await cards('Eiffel Tower', '&engine=engine_a,engine_b')).json).toEqual(plain.json)
    const { status, json } = await cards('Eiffel Tower', '&engine=nosuch')
    expect([status, Object.keys(json)]).toEqual([400, ['engine']])
  })

  it('400: all bad parameters are reported together', async () => {
    const { status, json } = await server.api.get(`${PATH}?engine=nosuch&safe=maybe&lang=q&page=zero`)
    expect([status, Object.keys(json).toSorted()]).toEqual([400, ['engine', 'lang', 'q', 'safe']])
  })
})

describe('when a source fails', () => {
  const fault = { kind: 'status', status: 500 } as const

  it('one kind: the others are shown, and the response is partial and says which failed', async () => {
    server.sandbox.setFault('wiktionary', fault)
    const { status, json, headers } = await cards('inception')
    expect([status, shown(json)]).toEqual([200, ['wikipedia']])
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('card-status')).toContain('dictionary;unreachable;')
  })

  it('Wikidata: the article without facts, and partial', async () => {
    server.sandbox.setFault('wikidata', fault)
    const { json, headers } = await cards('Eiffel Tower')
    expect([json.wikipedia.title, json.wikipedia.facts]).toEqual(['Eiffel Tower', []])
    expect(headers.get('search-status')).toBe('partial')
    expect(headers.get('card-status')).toMatch(/^wikipedia;ok;ms=\d+;lacking,/)
  })

  it('the geocoders: the article without a map, and partial', async () => {
    for (const slug of ['nominatim', 'photon']) server.sandbox.setFault(slug, fault)
    const { json, headers } = await cards('Eiffel Tower')
    expect(shown(json)).toEqual(['wikipedia'])
    expect(headers.get('search-status')).toBe('partial')
  })

  it.each([fault, { kind: 'html' }, { kind: 'cut-off' }, { kind: 'refuse' }, { kind: 'wrong-shape' }] as const)(
    '503, never a response full of nulls, and no usage, if all sources fail ($kind)',
    async (all) => {
      const key = await server.createKey()
      for (const slug of SOURCES) server.sandbox.setFault(slug, all)
      const { status, json, headers } = await server.api.get(`${PATH}?q=inception`, { key })
      server.sandbox.reset()
      expect([status, json]).toEqual([503, { detail: expect.stringMatching(/^No card provider responded\./) }])
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(headers.get('card-status')).toContain('stackexchange;skipped')
      expect((await server.api.get('/api/v1/usage/', { key })).json.searches).toBe(0)
      // A success, so that no circuit stays open.
      expect((await cards('inception')).headers.get('search-status')).toBe('complete')
    },
  )

  it('a slow source does not hold up the others for long', async () => {
    server.sandbox.setFault('wiktionary', { kind: 'hang' })
    const started = performance.now()
    const { json, headers } = await cards('inception')
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(shown(json)).toEqual(['wikipedia'])
    expect(headers.get('card-status')).toContain('dictionary;timeout;')
  })

  it.each(['omit-optional', 'nulls', 'gzip'] as const)(
    '%s: missing values are left out, and the rest is shown',
    async (kind) => {
      for (const slug of SOURCES) server.sandbox.setFault(slug, { kind })
      for (const q of ['inception', 'how do i undo the last commit in git', 'The Hobbit book', 'map of Paris']) {
        const { status, headers } = await cards(q)
        expect([q, status, headers.get('search-status')]).toEqual([q, 200, 'complete'])
      }
    },
  )
})

describe('access and usage', () => {
  it('each answered request counts as one search', async () => {
    const key = await server.createKey()
    for (const q of ['inception', 'inception', 'zxqv']) await server.api.get(`${PATH}?q=${q}`, { key })
    await server.api.get(PATH, { key })
    expect((await server.api.get('/api/v1/usage/', { key })).json).toMatchObject({
      searches: 3,
      by_endpoint: { cards: 3 },
    })
  })

  it('403: a key without the scope answers', async () => {
    const key = await server.createKey({ scopes: ['search'] })
    expect((await server.api.get(`${PATH}?q=inception`, { key })).status).toBe(403)
  })

  it('every kind has its own schema in the document', async () => {
    const { json } = await server.api.get('/api/v1/openapi.json')
    expect(Object.keys(json.components.schemas)).toEqual(
      expect.arrayContaining([
        'CardsReply',
        'WikipediaCard',
        'DictionaryCard',
        'StackexchangeCard',
        'BookCard',
        'MapCard',
      ]),
    )
  })
})

it('queries are not logged', async () => {
  await cards('define canaryword')
  expect(server.logged()).not.toContain('canaryword')
})

it('CARDS_DISABLED: a disabled kind is null, and its source is not called', async () => {
  const quiet = await startTestInstance({ CARDS_DISABLED: 'dictionary, map' })
  try {
    const { json, headers } = await quiet.api.get(`${PATH}?q=inception`)
    expect(shown(json)).toEqual(['wikipedia'])
    expect(headers.get('card-status')).toMatch(/dictionary;off, .*map;off$/)
    expect(quiet.sandbox.callCount('wiktionary')).toBe(0)
  } finally {
    await quiet.close()
  }
})
