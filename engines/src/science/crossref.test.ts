import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { crossref } from './crossref.ts'

const { science } = crossref.tabs

describe('crossref', () => {
  it('asks for a page and a day to begin with', () => {
    expect(science?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/works?query=oak%20tree&rows=10&offset=10&filter=from-pub-date%3A2026-11-08' +
        '&select=DOI%2Ctitle%2Cabstract%2Cpublished%2Ccontainer-title%2Cauthor%2Ctype',
    )
    expect(science?.request(ANY, { baseUrl: '' }).path).not.toContain('filter')
  })

  it('reads authors, journal, abstract and a date of any precision, and leaves out parts of papers', () => {
    const { hits } = science?.parse(readFixture('crossref-science-page'), ANY) ?? { hits: [] }
    expect(hits.map(({ url }) => url)).toEqual([
      'https://doi.org/10.5555/heat.2026.01',
      'https://doi.org/10.5555/chapter.7',
      'https://doi.org/10.5555/preprint.3',
    ])
    expect(hits[0]).toMatchObject({
      title: 'Heat pumps & cold winters',
      description: 'Ada Lovelace, The Heat Consortium · Journal of Invented Energy · A field study of forty houses.',
      publishedAt: Date.UTC(2026, 10, 1),
    })
    expect(hits.slice(1).map(({ publishedAt }) => publishedAt)).toEqual([Date.UTC(2024, 0, 1), Date.UTC(2025, 5, 1)])
  })

  it('that has nothing but parts of papers has no results', () => {
    const body = JSON.stringify({ message: { items: [{ DOI: '10.5555/a.s1', type: 'component' }] } })
    expect(science?.parse({ status: 200, headers: {}, body }, ANY).hits).toEqual([])
  })
})
