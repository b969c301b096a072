import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { openverse } from './openverse.ts'

const { images } = openverse.tabs
const QUERY: EngineQuery = { text: 'oak bark', page: 1, safe: true, date: undefined, lang: '', now: 0 }

const answered = (status: number, body: unknown) => () =>
  images?.parse({ status, headers: {}, body: JSON.stringify(body) }, QUERY)

describe('openverse images request', () => {
  it('follows the documentation, with the safe filter on by default', () => {
    expect(images?.request({ ...QUERY, page: 3 }, { baseUrl: '' }).path).toBe(
      '/v1/images/?q=oak%20bark&page=3&page_size=10&mature=false',
    )
    expect(images?.request({ ...QUERY, safe: false }, { baseUrl: '' }).path).toContain('mature=true')
  })

  it('never goes deeper than 240 results', () => {
    expect(images?.lastPage).toBe(24)
  })
})

describe('openverse images reply', () => {
  it('leads to the page of the picture and shows its small version, else the picture', () => {
    expect(images?.parse(readFixture('openverse-images-page'), QUERY).hits).toMatchObject([
      {
        title: 'Oak bark & moss',
        url: 'https://stock.example/photo/1',
        thumbnailUrl: 'https://api.openverse.org/v1/images/00000000-0000-4000-8000-000000000001/thumb/',
        imageUrl: 'https://cdn.stock.example/1.jpg',
      },
      {
        title: 'Oak in winter',
        url: 'http://museum.example/plates/12',
        thumbnailUrl: 'https://museum.example/plates/12.png',
      },
      {
        title: 'Acorn',
        url: 'https://photos.example/acorn',
        thumbnailUrl: 'https://api.openverse.org/v1/images/00000000-0000-4000-8000-000000000003/thumb/',
        imageUrl: 'https://photos.example/acorn.jpg',
      },
    ])
  })

  it('leaves out a picture without a page and a page without a picture', () => {
    expect(images?.parse(readFixture('openverse-images-bare'), QUERY).hits.length).toBe(3)
  })

  it.each([
    [429, 'Request was throttled. Expected available in 2913 seconds.', { kind: 'throttled', retryAfterSeconds: 2913 }],
    [429, 'Request was throttled. Expected available in 1 second.', { kind: 'throttled', retryAfterSeconds: 1 }],
    [429, 'Request was throttled.', { kind: 'throttled', retryAfterSeconds: undefined }],
    [401, 'page_size may not exceed 20 for anonymous requests', { kind: 'rejected' }],
    [400, 'Invented.', { kind: 'rejected' }],
    [200, 'Invented.', { kind: 'malformed' }],
  ])('with status %i and the detail %j is an error', (status, detail, error) => {
    expect(answered(status, { detail })).toThrow(expect.objectContaining({ ...error, isQueryFault: false }))
  })
})
