import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { hackernews } from './hackernews.ts'

const { news, web } = hackernews.tabs
const NOW = Date.UTC(2026, 10, 14, 12)
const QUERY: EngineQuery = { text: 'tide clocks', page: 1, safe: true, date: undefined, lang: '', now: NOW }

describe('hackernews request', () => {
  it('asks for stories only and counts pages from 0', () => {
    expect(news?.request({ ...QUERY, page: 3 }, { baseUrl: '' }).path).toBe(
      '/api/v1/search?query=tide%20clocks&tags=story&page=2&hitsPerPage=10',
    )
  })

  it('gives the beginning of a time range in seconds', () => {
    expect(news?.request({ ...QUERY, date: 'w' }, { baseUrl: '' }).path).toContain(
      `&numericFilters=created_at_i%3E${NOW / 1000 - 7 * 86_400}&`,
    )
  })
})

describe('hackernews news reply', () => {
  const hits = news?.parse(readFixture('hackernews-news-page'), QUERY).hits ?? []

  it('leads to the story, or to the discussion when there is no story', () => {
    expect(hits.map(({ url }) => url)).toEqual([
      'https://clocks.example/tide',
      'https://news.ycombinator.com/item?id=70000002',
      'https://www.gauges.example/show?ref=hn',
    ])
  })

  it('the publisher is the site, never the user who posted the link', () => {
    expect(hits.map(({ publisher }) => publisher)).toEqual(['clocks.example', 'news.ycombinator.com', 'gauges.example'])
  })

  it('has plain text and a date, whichever way it is written', () => {
    expect(hits[0]?.title).toBe('A tide clock in 200 lines of C & one capacitor')
    expect(hits[1]?.description).toBe('Mine stopped & I miss it. What do you use?')
    expect(hits.map(({ publishedAt }) => publishedAt)).toEqual([
      1_794_475_200_000,
      1_790_964_000_000,
      Date.UTC(2025, 2, 1, 7, 30),
    ])
  })

  it('drops a story with neither a URL nor an id', () => {
    const body = JSON.stringify({ hits: [{ objectID: '1/../2', title: 'x' }, { objectID: '7' }] })
    expect(news?.parse({ status: 200, headers: {}, body }, QUERY).hits).toMatchObject([
      { url: 'https://news.ycombinator.com/item?id=7' },
    ])
  })
})

describe('hackernews web reply', () => {
  const read = (stories: unknown[], change: Partial<EngineQuery> = {}) =>
    web?.parse({ status: 200, headers: {}, body: JSON.stringify({ hits: stories }) }, { ...QUERY, ...change }).hits

  it('leads to the page that is discussed, with the discussion as a link below it', () => {
    const hits = web?.parse(readFixture('hackernews-web-page'), QUERY).hits ?? []
    expect(hits.map(({ url, sitelinks }) => [url, sitelinks])).toEqual([
      [
        'https://www.quays.example/locks',
        [{ title: 'Discussion', url: 'https://news.ycombinator.com/item?id=70000021' }],
      ],
      ['https://news.ycombinator.com/item?id=70000022', []],
      [
        'https://canals.example/1793.pdf',
        [{ title: 'Discussion', url: 'https://news.ycombinator.com/item?id=70000023' }],
      ],
    ])
  })

  it('a page that was old when it was posted has no date, and is not in a time range', () => {
    const posted = { objectID: '7', created_at_i: NOW / 1000 - 3600 }
    const stories = [
      { ...posted, title: 'Canal locks (2014)' },
      { ...posted, title: 'Canal locks (1998) [pdf]' },
      { ...posted, title: 'Canal locks (2026)' },
      { ...posted, title: 'Canal locks of (2014) and later' },
    ]
    const dates = [undefined, undefined, NOW - 3_600_000, NOW - 3_600_000]
    expect(read(stories)?.map(({ publishedAt }) => publishedAt)).toEqual(dates)
    expect(read(stories, { date: 'w' })?.map(({ title }) => title)).toEqual([
      'Canal locks (2026)',
      'Canal locks of (2014) and later',
    ])
    expect(read(stories.slice(0, 2), { date: 'w' })).toEqual([])
  })
})
