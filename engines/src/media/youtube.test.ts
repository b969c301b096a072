import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { youtube } from './youtube.ts'

const { videos } = youtube.tabs
const settings = { apiKey: 'key', baseUrl: '' }

describe('youtube', () => {
  it('requests fifty videos for any page', () => {
    expect(videos?.request(QUERY, settings)).toEqual({
      path:
        '/youtube/v3/search?part=snippet&type=video&q=oak%20tree&maxResults=50&safeSearch=strict' +
        '&publishedAfter=2026-11-08T00%3A00%3A00.000Z&relevanceLanguage=de&regionCode=AT',
      headers: { accept: 'application/json', 'x-goog-api-key': 'key' },
    })
    expect(videos?.request({ ...QUERY, page: 1 }, settings)).toEqual(videos?.request(QUERY, settings))
  })

  it('reads videos alone, with their titles decoded', () => {
    const hits = videos?.parse(readFixture('youtube-videos-page'), ANY).hits
    expect(hits?.map(({ title, url }) => [title, url])).toEqual([
      ['Oak & elm 1', 'https://www.youtube.com/watch?v=abcdefghij1'],
      ['Oak & elm 2', 'https://www.youtube.com/watch?v=abcdefghij2'],
      ['Oak & elm 3', 'https://www.youtube.com/watch?v=abcdefghij3'],
    ])
  })

  it('is throttled when its quota is used up, and rejected with a wrong key', () => {
    expect(() => videos?.parse(readFixture('youtube-videos-refusal'), ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled' }),
    )
    const body = JSON.stringify({ error: { code: 400, errors: [{ reason: 'keyInvalid' }] } })
    expect(() => videos?.parse({ status: 400, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })
})
