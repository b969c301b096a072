import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { peertube, sepiasearch } from './peertube.ts'

const { videos } = peertube.tabs

describe('peertube', () => {
  it('queries only its own server', () => {
    expect(videos?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/api/v1/search/videos?search=oak%20tree&searchTarget=local&start=10&count=10&sort=-match&nsfw=false' +
        '&languageOneOf%5B%5D=de&startDate=2026-11-08',
    )
  })

  it('finds a thumbnail under any of its names', () => {
    const hits = videos?.parse(readFixture('peertube-videos-page'), ANY).hits
    expect(hits?.map(({ thumbnailUrl, publisher }) => [thumbnailUrl, publisher])).toEqual([
      ['https://tube.example/1.jpg', 'Bridges'],
      ['https://tube.example/2.jpg', 'tube.example'],
      ['https://tube.example/lazy-static/3.jpg', 'tube.example'],
    ])
  })
})

const { videos: federated } = sepiasearch.tabs
const BRIDGES: EngineQuery = {
  text: 'bridges',
  page: 1,
  safe: true,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

const parametersFor = (change: Partial<EngineQuery>) => {
  const { path = '' } = federated?.request({ ...BRIDGES, ...change }, { baseUrl: '' }) ?? {}
  return Object.fromEntries(new URL(path, 'https://provider.example').searchParams)
}

describe('sepiasearch videos request', () => {
  it('follows the documentation', () => {
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
  const hits = federated?.parse(readFixture('sepiasearch-videos-page'), BRIDGES).hits ?? []

  it('gives title, time, channel and length', () => {
    expect(hits[0]).toEqual({
      title: 'Building a footbridge & crossing it',
      url: 'https://tube.example/videos/watch/00000000-0000-4000-8000-000000000001',
      publishedAt: Date.UTC(2026, 9, 1, 10, 52, 46, 396),
      publisher: 'Bridges',
      durationSeconds: 1419,
      thumbnailUrl: 'https://tube.example/lazy-static/thumbnails/1.jpg',
      previewUrl: 'https://tube.example/lazy-static/previews/1.jpg',
      views: 1337,
    })
  })

  it('finds the thumbnail in all three places where servers put it', () => {
    expect(hits.map(({ thumbnailUrl }) => thumbnailUrl)).toEqual([
      'https://tube.example/lazy-static/thumbnails/1.jpg',
      'https://films.example/static/2-280.jpg',
      'https://old.example/static/thumbnails/3.jpg',
    ])
  })

  it('names the server if the channel has no name', () => {
    expect(hits.map(({ publisher }) => publisher)).toEqual(['Bridges', 'films.example', 'old.example'])
  })

  it('a live broadcast has no duration', () => {
    expect(hits[1]?.durationSeconds).toBe(undefined)
  })
})
