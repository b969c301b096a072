import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { worldnews } from './worldnews.ts'

const { news } = worldnews.tabs
const QUERY: EngineQuery = {
  text: 'ferry',
  page: 1,
  safe: false,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

const refusedWith =
  (status: number, change: Partial<EngineQuery> = {}) =>
  () =>
    news?.parse({ status, headers: {}, body: '{"status":"failure"}' }, { ...QUERY, ...change })

describe('worldnews news request', () => {
  it('is the documented one, with the key in its header', () => {
    const query: EngineQuery = { ...QUERY, page: 3, date: 'd', lang: 'de-AT' }
    expect(news?.request(query, { apiKey: 'k', baseUrl: '' })).toEqual({
      path: '/search-news?text=ferry&language=de&earliest-publish-date=2026-11-13%2012%3A00%3A00&offset=20&number=10',
      headers: { accept: 'application/json', 'x-api-key': 'k' },
    })
  })
})

describe('worldnews news reply', () => {
  it('describes an article by its summary, else by its text', () => {
    expect(news?.parse(readFixture('worldnews-news-page'), QUERY).hits).toEqual([
      {
        title: 'Ferry returns after "quiet" winter',
        url: 'https://coast.example/ferry',
        description: 'The ferry is back.',
        publishedAt: Date.UTC(2026, 10, 14, 10),
        publisher: 'coast.example',
        thumbnailUrl: 'https://coast.example/ferry.jpg',
      },
      expect.objectContaining({
        description: 'Die Fähre fährt wieder.',
        publisher: 'kueste.example',
        thumbnailUrl: '',
      }),
      expect.objectContaining({ description: '', thumbnailUrl: '' }),
    ])
  })
})

describe('worldnews refusal', () => {
  it('is ours when the points are used up', () => {
    expect(refusedWith(402)).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: false }))
  })

  it.each([{ text: 'eu' }, { lang: 'tlh' }])('of %j is the searcher’s fault', (change) => {
    expect(refusedWith(400, change)).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: true }))
    expect(refusedWith(401, change)).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: false }))
  })

  it('of anything else is ours', () => {
    expect(refusedWith(400)).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: false }))
  })
})
