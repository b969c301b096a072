import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { openalex, openalexfree } from './openalex.ts'

const { science } = openalex.tabs

describe('openalex', () => {
  it('asks in one language and from a day on', () => {
    expect(science?.request(QUERY, { baseUrl: '', apiKey: 'key' }).path).toBe(
      '/works?search=oak%20tree&page=2&per-page=10&filter=language%3Ade%2Cfrom_publication_date%3A2026-11-08' +
        '&sort=relevance_score%3Adesc' +
        '&select=id%2Cdoi%2Cdisplay_name%2Cpublication_date%2Cprimary_location%2Cauthorships%2Cabstract_inverted_index' +
        '&api_key=key',
    )
  })

  it('without a key sends none, and may ask less often', () => {
    expect(openalexfree.tabs.science?.request(ANY, { baseUrl: '' }).path).not.toMatch(/api_key|filter/)
    expect(openalexfree.terms.dailyCalls).toBeLessThan(openalex.terms.dailyCalls ?? 0)
  })

  it('asks for fewer calls with a 403', () => {
    expect(() => science?.parse({ status: 403, headers: {}, body: '{}' }, ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled' }),
    )
  })

  it('puts the abstract together', () => {
    const { hits } = science?.parse(readFixture('openalex-science-page'), ANY) ?? { hits: [] }
    expect(hits[0]).toMatchObject({
      url: 'https://doi.org/10.5555/oak.1',
      description: 'Ada Lovelace, Emmy Noether · Journal of Trees · Oaks shade streets and cool streets',
      publishedAt: Date.UTC(2026, 4, 4),
      sitelinks: [{ title: 'PDF', url: 'https://journal.example/oaks.pdf' }],
    })
    expect(hits.slice(1).map(({ url }) => url)).toEqual([
      'https://archiv.example/eichen',
      'https://arxiv.org/abs/2611.00007',
    ])
  })

  it('is not misled by absurd places of words', () => {
    const index = { hot: [1e9, -1, 0.5, '3', null, 1], so: [0] }
    const body = JSON.stringify({ results: [{ doi: '10.5555/x', abstract_inverted_index: index }] })
    expect(science?.parse({ status: 200, headers: {}, body }, ANY).hits[0]?.description).toBe('so hot')
  })
})
