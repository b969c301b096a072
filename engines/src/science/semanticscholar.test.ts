import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { semanticscholar } from './semanticscholar.ts'

const { science } = semanticscholar.tabs

describe('semanticscholar', () => {
  it('asks with a key in its header, or with none', () => {
    expect(science?.request(QUERY, { baseUrl: '', apiKey: 'key' })).toEqual({
      path:
        '/graph/v1/paper/search?query=oak%20tree&offset=10&limit=10' +
        '&fields=title%2Curl%2Cabstract%2Cvenue%2CpublicationDate%2Cauthors%2CexternalIds%2CopenAccessPdf' +
        '&publicationDateOrYear=2026-11-08%3A',
      headers: { accept: 'application/json', 'x-api-key': 'key' },
    })
    expect(science?.request(ANY, { baseUrl: '', apiKey: '' }).headers).toEqual({ accept: 'application/json' })
  })

  it('leads to the DOI, to arXiv or to its own page', () => {
    const { hits } = science?.parse(readFixture('semanticscholar-science-page'), ANY) ?? { hits: [] }
    expect(hits.map(({ url }) => url)).toEqual([
      'https://doi.org/10.5555/net.1',
      'https://arxiv.org/abs/2611.01234',
      'https://www.semanticscholar.example/paper/a3',
    ])
    expect(hits[0]).toMatchObject({
      description: 'Ada Lovelace · Invented Conference · We teach a net.',
      sitelinks: [{ title: 'PDF', url: 'https://papers.example/a1.pdf' }],
    })
    expect(hits[2]?.sitelinks).toEqual([])
  })
})
