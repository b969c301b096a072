import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { webiq } from './webiq.ts'

const { web, images, videos } = webiq.tabs
const settings = { apiKey: 'key', baseUrl: '' }

describe('webiq', () => {
  it('requests all pages in one call, with language and region', () => {
    const request = web?.request(QUERY, settings)
    expect(request).toMatchObject({ path: '/v3/search/web', headers: { 'x-apikey': 'key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'oak tree',
      maxResults: 20,
      language: 'de',
      region: 'AT',
      safeSearch: 'strict',
      contentFormat: 'passage',
      maxLength: 400,
    })
    expect(JSON.parse(images?.request(ANY, settings).body ?? '')).toEqual({
      query: 'oak tree',
      maxResults: 10,
      safeSearch: 'off',
    })
  })

  it('filters videos alone by date', () => {
    expect(JSON.parse(videos?.request(QUERY, settings).body ?? '')).toMatchObject({ freshness: 'week' })
  })

  it('drops results marked as adult if safe is on', () => {
    const reply = readFixture('webiq-web-page')
    expect(web?.parse(reply, { ...ANY, safe: true }).hits).toHaveLength(3)
    expect(web?.parse(reply, ANY).hits).toHaveLength(4)
  })

  it('reads a duration in every form', () => {
    const hits = videos?.parse(readFixture('webiq-videos-page'), ANY).hits
    expect(hits?.map(({ durationSeconds }) => durationSeconds)).toEqual([253, 253, 253])
  })

  it('takes the wait from the body, for 430 as well as 429', () => {
    expect(() => web?.parse(readFixture('webiq-web-refusal'), ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 60 }),
    )
  })
})
