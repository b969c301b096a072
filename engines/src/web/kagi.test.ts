import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { kagi } from './kagi.ts'

const { web, images, news, videos } = kagi.tabs
const QUERY: EngineQuery = {
  text: 'moss',
  page: 1,
  safe: true,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}
const SETTINGS = { apiKey: 'k', baseUrl: '' }

const sentFor = (change: Partial<EngineQuery>): unknown =>
  JSON.parse(web?.request({ ...QUERY, ...change }, SETTINGS).body ?? '')

const answered = (status: number, body: unknown) => () =>
  web?.parse({ status, headers: {}, body: JSON.stringify(body) }, QUERY)

describe('kagi request', () => {
  it('is the documented one, with the key in its header', () => {
    expect(web?.request(QUERY, SETTINGS)).toEqual({
      method: 'POST',
      path: '/api/v1/search',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer k' },
      body: '{"query":"moss","workflow":"search","format":"json","page":1,"safe_search":true}',
    })
  })

  it('passes on page, time range and safety', () => {
    expect(sentFor({ page: 4, date: 'm', safe: false })).toMatchObject({
      page: 4,
      safe_search: false,
      filters: { after: '2026-10-15' },
    })
  })

  it('takes a range of days', () => {
    const [dateFrom, dateTo] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 9)]
    expect(sentFor({ dateFrom, dateTo })).toMatchObject({ filters: { after: '2026-11-01', before: '2026-11-09' } })
    expect(sentFor({ dateTo })).toMatchObject({ filters: { before: '2026-11-09' } })
    expect(sentFor({ dateFrom, date: 'd' })).toMatchObject({ filters: { after: '2026-11-13' } })
  })

  it('sends the workflow of each tab; images have one page', () => {
    for (const [workflow, tab] of Object.entries({ images, news, videos })) {
      expect(JSON.parse(tab?.request(QUERY, SETTINGS).body ?? '')).toMatchObject({ workflow })
    }
    expect(images?.lastPage).toBe(1)
  })
})

describe('kagi reply', () => {
  it('is plain text with dates', () => {
    expect(web?.parse(readFixture('kagi-web-page'), QUERY).hits).toMatchObject([
      {
        title: 'Moss & lichen',
        description: 'How to tell moss from lichen.',
        publishedAt: Date.UTC(2026, 10, 1),
      },
      { publishedAt: undefined },
      {},
    ])
  })

  it('shows the thumbnail of a picture, else the picture, and drops one that has neither', () => {
    expect(images?.parse(readFixture('kagi-images-page'), QUERY).hits.map((hit) => hit.thumbnailUrl)).toEqual([
      'https://moss.example/small.jpg',
      'https://garden.example/wall.jpg',
      'https://bog.example/t.jpg',
    ])
  })

  it('the publisher of news is the site', () => {
    expect(news?.parse(readFixture('kagi-news-page'), QUERY).hits).toMatchObject([
      { publisher: 'daily.example', thumbnailUrl: 'https://daily.example/moss.jpg' },
      { publisher: 'weekly.example', thumbnailUrl: '' },
      {},
    ])
  })

  it('knows who made a video and how long it is', () => {
    expect(videos?.parse(readFixture('kagi-videos-page'), QUERY).hits).toMatchObject([
      { publisher: 'Lens & Leaf', durationSeconds: 725, thumbnailUrl: 'https://video.example/moss.jpg' },
      { publisher: 'Slow Films', durationSeconds: 3600, thumbnailUrl: 'https://video.example/rain.jpg' },
      { publisher: '', durationSeconds: undefined, thumbnailUrl: '' },
    ])
  })

  it('reads no results under another tab’s name', () => {
    expect(news?.parse(readFixture('kagi-web-page'), QUERY).hits).toEqual([])
  })

  it.each([null, [], 'x'])('with %j for data is malformed', (data) => {
    expect(answered(200, { data })).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it('blames the query only when the error names it', () => {
    const refusal = (location: string) => ({ data: null, error: [{ code: 'search.invalid', location }] })
    expect(answered(400, refusal('body.query'))).toThrow(expect.objectContaining({ isQueryFault: true }))
    expect(answered(400, refusal('body.page'))).toThrow(expect.objectContaining({ isQueryFault: false }))
    expect(answered(429, refusal('body.query'))).toThrow(expect.objectContaining({ kind: 'throttled' }))
  })
})
