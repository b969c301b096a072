import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { europepmc } from './europepmc.ts'

const { science } = europepmc.tabs

describe('europepmc', () => {
  it('asks for as many as the page needs, and for the days', () => {
    expect(science?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/europepmc/webservices/rest/search?query=(oak%20tree)%20AND%20FIRST_PDATE%3A%5B2026-11-08%20TO%202026-11-15%5D' +
        '&format=json&resultType=core&pageSize=20&cursorMark=*',
    )
    const bracketed = science?.request({ ...QUERY, text: 'oak) OR (ash' }, { baseUrl: '' }).path
    expect(bracketed).toContain('query=(oak%20%20OR%20%20ash)%20AND')
    expect(science?.request(ANY, { baseUrl: '' }).path).toContain('?query=oak%20tree&format=json')
  })

  it('shows the part of the list that is the page', () => {
    const reply = readFixture('europepmc-science-page')
    expect(science?.parse(reply, ANY).hits).toHaveLength(10)
    expect(science?.parse(reply, { ...ANY, page: 2 }).hits.map(({ title }) => title)).toEqual([
      'Heart & heat, part 11',
      'Heart & heat, part 12',
    ])
  })

  it('turns the names of people, and of nobody else', () => {
    const authorString = 'King ML Jr, van der Berg H, COVID-19 Genomics UK, Plato.'
    const result = [{ id: '1', source: 'MED', title: 'Heat', authorString }]
    const reply = { status: 200, headers: {}, body: JSON.stringify({ resultList: { result } }) }
    expect(science?.parse(reply, ANY).hits[0]?.paper?.authors).toEqual([
      'ML King Jr',
      'H van der Berg',
      'COVID-19 Genomics UK',
      'Plato',
    ])
  })

  it('leads to the DOI, with its own page as a link, or to its own page', () => {
    expect(science?.parse(readFixture('europepmc-science-page'), ANY).hits[0]).toMatchObject({
      url: 'https://doi.org/10.5555/heart.1',
      description: 'A Lovelace, E Noether · Invented Heart Journal · Hot days are hard on hearts.',
      publishedAt: Date.UTC(2026, 9, 1),
      sitelinks: [{ title: 'Europe PMC', url: 'https://europepmc.org/article/MED/40000001' }],
    })
    expect(science?.parse(readFixture('europepmc-science-bare'), ANY).hits.map(({ url }) => url)).toEqual([
      'https://europepmc.org/article/PPR/PPR1',
      'https://europepmc.org/article/MED/40000001',
    ])
  })
})
