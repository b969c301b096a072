import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { newsdata } from './newsdata.ts'

const { news } = newsdata.tabs

describe('newsdata', () => {
  it('asks in a language, and leaves the date to the host', () => {
    expect(news?.request(QUERY, { apiKey: 'key', baseUrl: '' })).toEqual({
      path: '/api/1/latest?q=oak%20tree&language=de&size=10&removeduplicate=1',
      headers: { accept: 'application/json', 'x-access-key': 'key' },
    })
  })

  it('reads a time without a zone as UTC, and drops results without a time', () => {
    expect(news?.parse(readFixture('newsdata-news-page'), ANY).hits[0]?.publishedAt).toBe(Date.UTC(2026, 10, 14, 10))
    const results = [
      { link: 'https://a.example/', pubDate: '2026-11-14 10:00:00' },
      { link: 'https://b.example/', pubDate: null },
    ]
    const body = JSON.stringify({ status: 'success', results })
    expect(news?.parse({ status: 200, headers: {}, body }, ANY).hits).toHaveLength(1)
  })
})
