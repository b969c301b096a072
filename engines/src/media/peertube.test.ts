import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { peertube } from './peertube.ts'

const { videos } = peertube.tabs

describe('peertube', () => {
  it('asks the one server alone', () => {
    expect(videos?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/api/v1/search/videos?search=oak%20tree&searchTarget=local&start=10&count=10&sort=-match&nsfw=false' +
        '&languageOneOf%5B%5D=de&startDate=2026-11-08',
    )
  })

  it('finds a thumbnail under each of its names', () => {
    const hits = videos?.parse(readFixture('peertube-videos-page'), ANY).hits
    expect(hits?.map(({ thumbnailUrl, publisher }) => [thumbnailUrl, publisher])).toEqual([
      ['https://tube.example/1.jpg', 'Bridges'],
      ['https://tube.example/2.jpg', 'tube.example'],
      ['https://tube.example/lazy-static/3.jpg', 'tube.example'],
    ])
  })
})
