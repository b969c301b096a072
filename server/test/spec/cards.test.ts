// The knowledge cards. The client validates every response against the OpenAPI
// document; these tests cover what each kind shows, when it shows nothing, and what happens if a source fails.
import { afterEach, describe, expect, it } from 'vitest'
import { startTestInstance, useTestInstance } from '../support/test-instance.ts'

const PATH = '/api/v1/cards/'
const KINDS = ['wikipedia', 'dictionary', 'stackexchange', 'book', 'map']
const SOURCES = ['wikipedia', 'wikidata', 'wiktionary', 'stackexchange', 'openlibrary', 'nominatim', 'photon']

// Nothing is cached, so that a fault takes effect immediately.
const server = useTestInstance({ SEARCH_CACHE_SECONDS: '0', SEARCH_TIMEOUT_MS: '2000' })
afterEach(() => server.sandbox.reset())

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

  it('an ambiguous name shows no article', async () => {
    expect((await cards('mercury')).json.wikipedia).toBeNull()
    expect((await cards('mercury planet')).json.wikipedia.title).toBe('Mercury (planet)')
  })

  it('safe: what Wikidata calls pornography is shown only with safe=off', async () => {
    expect((await cards('After Dark adults only')).json.wikipedia).toBeNull()
    expect((await cards('After Dark adults only', '&safe=on')).json.wikipedia).toBeNull()
    expect((await cards('After Dark adults only', '&safe=off')).json.wikipedia).toMatchObject({ facts: [] })
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

  it.each([fault, { kind: 'wrong-shape' }] as const)(
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
