import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { guardian } from './guardian.ts'

const { news } = guardian.tabs

describe('guardian', () => {
  it('asks by day, with the key in its header', () => {
    expect(news?.request(QUERY, { apiKey: 'key', baseUrl: '' })).toEqual({
      path: '/search?q=oak%20tree&page=2&page-size=10&order-by=relevance&from-date=2026-11-08&show-fields=trailText%2Cthumbnail',
      headers: { accept: 'application/json', 'api-key': 'key' },
    })
  })

  it('reads a story', () => {
    expect(news?.parse(readFixture('guardian-news-page'), ANY).hits[0]).toEqual({
      title: 'Oak saved',
      url: 'https://www.theguardian.example/1',
      description: 'The city keeps it.',
      publishedAt: Date.UTC(2026, 10, 14, 10),
      publisher: 'The Guardian',
      thumbnailUrl: 'https://garden.example/n.jpg',
    })
  })

  it('refuses other mistakes than a page past the end', () => {
    const body = JSON.stringify({ response: { status: 'error', message: 'bad date' } })
    expect(() => news?.parse({ status: 400, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })
})
