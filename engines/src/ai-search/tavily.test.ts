import { describe, expect, it } from 'vitest'
import { ANY, BOUNDS, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { tavily, tavilyfree } from './tavily.ts'

describe('tavily', () => {
  it('asks for one language only, if any', () => {
    const bodyFor = (query: EngineQuery) =>
      JSON.parse(tavily.tabs.news?.request(query, { apiKey: 'key', baseUrl: '' }).body ?? '')
    expect(bodyFor(QUERY)).toEqual({
      query: 'oak tree',
      search_depth: 'fast',
      topic: 'news',
      max_results: 20,
      time_range: 'w',
      language: 'de',
      filter_by_language: true,
      include_favicon: true,
      include_answer: false,
      include_images: false,
    })
    expect(bodyFor(ANY)).not.toHaveProperty('filter_by_language')
  })

  it('reads dates in both forms', () => {
    const hits = tavily.tabs.news?.parse(readFixture('tavily-news-page'), ANY).hits
    expect(hits?.map(({ publishedAt }) => publishedAt)).toEqual([
      Date.UTC(2026, 10, 12, 10),
      Date.UTC(2026, 10, 10, 10),
      undefined,
    ])
  })

  it('passes domains and dates on', () => {
    const request = tavily.tabs.web?.request({ ...ANY, ...BOUNDS }, { apiKey: 'key', baseUrl: '' })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      start_date: '2026-11-01',
      end_date: '2026-11-09',
      include_domains: ['example.org'],
      exclude_domains: ['old.example.org'],
    })
  })
})

describe('tavilyfree', () => {
  it('says that it has no key', () => {
    const { headers } = tavilyfree.tabs.web?.request(ANY, { baseUrl: '' }) ?? {}
    expect([headers?.['x-tavily-access-mode'], headers?.['authorization']]).toEqual(['keyless', undefined])
  })

  it('waits as long as the body says', () => {
    expect(() => tavilyfree.tabs.web?.parse(readFixture('tavily-web-refusal'), ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 3600 }),
    )
  })
})
