import { describe, expect, it } from 'vitest'
import { askProvider } from './provider-testing.ts'
import { wikidata } from './wikidata.ts'
import { wikipedia } from './wikipedia.ts'

const AGENT = { 'user-agent': 'Tester/1.0 (tester@example.org)' }
const PROPS = 'extracts|pageimages|pageprops|info|description|coordinates'

interface Page {
  title: string
  pageid: number
  index: number
}

interface Reply {
  query?: { pages: Page[]; redirects?: unknown[]; normalized?: unknown[]; interwiki?: unknown[] }
  error?: { code: string }
}

const ask = (query: Record<string, string>) =>
  askProvider<Reply>(wikipedia, {
    path: '/w/api.php',
    query: { action: 'query', format: 'json', formatversion: '2', redirects: '1', prop: PROPS, ...query },
    headers: AGENT,
  })

describe('Wikipedia’s articles in the sandbox', () => {
  it('200: an article with all requested properties', () => {
    const { json } = ask({ titles: 'Eiffel Tower', pithumbsize: '330', exsentences: '2' })
    expect(json.query?.pages).toEqual([
      {
        pageid: expect.any(Number),
        ns: 0,
        title: 'Eiffel Tower',
        extract: expect.stringMatching(/^The Eiffel Tower is .* forty-one years\.$/),
        thumbnail: { source: expect.stringMatching(/^https:.*\/330px-/), width: 330, height: expect.any(Number) },
        pageimage: 'Tower_seen_from_the_Champ_de_Mars.jpg',
        pageprops: { wikibase_item: 'Q243' },
        description: expect.any(String),
        descriptionsource: 'local',
        coordinates: [{ lat: 48.8584, lon: 2.2945, primary: true, globe: 'earth' }],
        contentmodel: 'wikitext',
        pagelanguage: 'en',
        touched: expect.any(String),
        fullurl: 'https://en.wikipedia.example/wiki/Eiffel_Tower',
        canonicalurl: 'https://en.wikipedia.example/wiki/Eiffel_Tower',
      },
    ])
  })

  it('follows redirects, reports when one leads to a section, and normalizes titles', () => {
    const { json } = ask({ titles: 'eiffel tower|Eiffel Tower lifts|Tour Eiffel' })
    expect(json.query?.normalized).toEqual([{ from: 'eiffel tower', to: 'Eiffel tower' }])
    expect(json.query?.redirects).toEqual([
      { from: 'Eiffel tower', to: 'Eiffel Tower' },
      { from: 'Eiffel Tower lifts', to: 'Eiffel Tower', tofragment: 'Lifts' },
      { from: 'Tour Eiffel', to: 'Eiffel Tower' },
    ])
    expect(json.query?.pages).toHaveLength(1)
  })

  it('serves another edition', () => {
    const { json } = ask({ titles: 'Eiffel Tower', uselang: 'fr' })
    expect(json.query?.pages[0]).toMatchObject({ title: 'Tour Eiffel', pagelanguage: 'fr' })
  })

  it('reports missing, invalid, special, interwiki and ambiguous titles', () => {
    const { json } = ask({ titles: 'Zxqv vwxz qqq|A[b|Special:Random|fr:Paris|Mercury' })
    expect(json.query?.interwiki).toEqual([{ title: 'fr:Paris', iw: 'fr' }])
    expect(json.query?.pages).toEqual(
      expect.arrayContaining([
        { ns: 0, title: 'Zxqv vwxz qqq', missing: true },
        { title: 'A[b', invalidreason: expect.any(String), invalid: true },
        { ns: -1, title: 'Special:Random', special: true },
        expect.objectContaining({ pageprops: { wikibase_item: 'Q48397', disambiguation: '' } }),
      ]),
    )
  })

  it('a search: by id, with the rank in the index; without a match there is no query', () => {
    const pages = ask({ generator: 'search', gsrsearch: 'mercury', gsrnamespace: '0' }).json.query?.pages ?? []
    expect(pages.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([1, 2])
    expect(pages.map(({ pageid }) => pageid)).toEqual(pages.map(({ pageid }) => pageid).toSorted((a, b) => a - b))
    expect(ask({ generator: 'search', gsrsearch: 'zxqv', gsrnamespace: '0' }).json).toEqual({ batchcomplete: true })
  })

  it.each([
    { titles: 'X', pithumbsize: '300' },
    { titles: 'X', exsentences: '11' },
    { titles: 'X', prop: 'nonsense' },
    { titles: 'X', formatversion: '1' },
    { titles: Array.from({ length: 51 }, (_, n) => `X${n}`).join('|') },
    { generator: 'search', gsrsearch: ' ' },
  ] as Record<string, string>[])('200 with an error: %o', (query) => {
    expect(ask(query)).toMatchObject({ status: 200, json: { error: { code: expect.any(String) } } })
  })
})

describe('Wikidata in the sandbox', () => {
  interface Entities {
    entities: Record<string, { labels: object; claims: Record<string, unknown[]>; aliases: object }>
    error?: { code: string }
  }
  const entities = (query: Record<string, string>) =>
    askProvider<Entities>(wikidata, {
      path: '/w/api.php',
      query: { action: 'wbgetentities', format: 'json', languages: 'fr|en', languagefallback: '1', ...query },
      headers: AGENT,
    }).json

  it('200: names with fallbacks, aliases and statements', () => {
    const { Q243, Q892, Q999 } = entities({ ids: 'Q243|Q892|Q999' }).entities
    expect(Q243?.labels).toEqual({
      fr: { language: 'fr', value: 'Tour Eiffel' },
      en: { language: 'en', value: 'Eiffel Tower' },
    })
    expect(Q243?.claims['P2048']).toEqual([
      expect.objectContaining({
        mainsnak: expect.objectContaining({
          snaktype: 'value',
          datavalue: { value: { amount: '+330', unit: 'http://www.wikidata.example/entity/Q11573' }, type: 'quantity' },
        }),
        rank: 'normal',
      }),
    ])
    expect(Q892?.labels).toMatchObject({ fr: { language: 'en', 'for-language': 'fr', value: 'J. R. R. Tolkien' } })
    expect(Q999).toEqual({ id: 'Q999', missing: '' })
  })

  it('a population has its year', () => {
    expect(JSON.stringify(entities({ ids: 'Q90' }).entities['Q90']?.claims['P1082'])).toContain('+2023-01-01')
  })

  it('sends only what was requested', () => {
    expect(Object.keys(entities({ ids: 'P17', props: 'labels' }).entities['P17'] ?? {})).not.toContain('claims')
  })

  it.each([{ ids: '' }, { ids: 'X1' }, { action: 'nonsense', ids: 'Q1' }] as Record<string, string>[])(
    '200 with an error: %o',
    (query) => {
      expect(entities(query).error?.code).toEqual(expect.any(String))
    },
  )
})
