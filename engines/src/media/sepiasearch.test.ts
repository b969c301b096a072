import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { sepiasearch } from './sepiasearch.ts'

const { videos } = sepiasearch.tabs
const QUERY: EngineQuery = {
  text: 'bridges',
  page: 1,
  safe: true,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

const parametersFor = (change: Partial<EngineQuery>) => {
  const { path = '' } = videos?.request({ ...QUERY, ...change }, { baseUrl: '' }) ?? {}
  return Object.fromEntries(new URL(path, 'https://provider.example').searchParams)
}

describe('sepiasearch videos request', () => {
  it('is the documented one', () => {
    expect(parametersFor({})).toEqual({ search: 'bridges', start: '0', count: '10', sort: '-match', nsfw: 'false' })
  })

  it('passes on page, language, time range and safety', () => {
    expect(parametersFor({ page: 2, lang: 'de-CH', date: 'w', safe: false })).toMatchObject({
      start: '10',
      'languageOneOf[]': 'de',
      startDate: '2026-11-07',
      nsfw: 'both',
    })
  })
})

describe('sepiasearch videos reply', () => {
  const hits = videos?.parse(readFixture('sepiasearch-videos-page'), QUERY).hits ?? []

  it('gives title, time, channel and length', () => {
    expect(hits[0]).toEqual({
      title: 'Building a footbridge & crossing it',
      url: 'https://tube.example/videos/watch/00000000-0000-4000-8000-000000000001',
      publishedAt: Date.UTC(2026, 9, 1, 10, 52, 46, 396),
      publisher: 'Bridges',
      durationSeconds: 1419,
      thumbnailUrl: 'https://tube.example/lazy-static/thumbnails/1.jpg',
    })
  })

  it('finds the thumbnail in the three places where servers put it', () => {
    expect(hits.map(({ thumbnailUrl }) => thumbnailUrl)).toEqual([
      'https://tube.example/lazy-static/thumbnails/1.jpg',
      'https://films.example/static/2-280.jpg',
      'https://old.example/static/thumbnails/3.jpg',
    ])
  })

  it('names the server when the channel has no name', () => {
    expect(hits.map(({ publisher }) => publisher)).toEqual(['Bridges', 'films.example', 'old.example'])
  })

  it('does not know how long a broadcast lasts that is still on', () => {
    expect(hits[1]?.durationSeconds).toBe(undefined)
  })
})
