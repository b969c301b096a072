import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { gnews } from './gnews.ts'

const { news } = gnews.tabs
const settings = { apiKey: 'key', baseUrl: '' }

describe('gnews', () => {
  it('asks in a language and since a time', () => {
    expect(news?.request(QUERY, settings)).toEqual({
      path: '/api/v4/search?q=oak%20tree&lang=de&max=10&from=2026-11-08T00%3A00%3A00Z&sortby=relevance',
      headers: { accept: 'application/json', 'x-api-key': 'key' },
    })
  })

  it.each([
    ['c++ & "50 % off"', '"c++" "&" "50" "%" "off"'],
    ['Wärme 鳥', 'Wärme 鳥'],
    ['" "', ''],
  ])('%j is sent as %j', (text, q) => {
    const { path = '' } = news?.request({ ...ANY, text }, settings) ?? {}
    expect(new URL(path, 'https://a.example').searchParams.get('q')).toBe(q)
  })

  it('is throttled when the day is used up, and blames the query when it must', () => {
    expect(() => news?.parse(readFixture('gnews-news-refusal'), ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled' }),
    )
    const body = JSON.stringify({ errors: { q: 'The query has a syntax error' } })
    expect(() => news?.parse({ status: 400, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected', isQueryFault: true }),
    )
  })
})
