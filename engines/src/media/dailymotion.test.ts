import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { dailymotion } from './dailymotion.ts'

const { videos } = dailymotion.tabs

describe('dailymotion', () => {
  it('asks with every filter', () => {
    expect(videos?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/videos?search=oak%20tree&fields=id%2Ctitle%2Ccreated_time%2Cduration%2Curl%2Cthumbnail_360_url%2Cowner.screenname%2Cviews_total' +
        '&page=2&limit=10&sort=relevance&family_filter=true&languages=de&localization=de_AT&created_after=1794096000' +
        '&password_protected=false&private=false',
    )
    expect(videos?.request(ANY, { baseUrl: '' }).path).toContain('&family_filter=false&')
  })

  it('reads channel, length and a thumbnail that a page may load', () => {
    expect(videos?.parse(readFixture('dailymotion-videos-page'), ANY).hits[0]).toEqual({
      title: 'Wärmepumpe einbauen & warten',
      url: 'https://www.dailymotion.com/video/x9abc',
      publishedAt: 1_790_000_000_000,
      publisher: 'Heimwerker TV',
      durationSeconds: 372,
      thumbnailUrl: 'https://s1.dmcdn.example/v/x/x360',
      views: 1_200_345,
    })
  })

  it.each([
    ['rate_limit_exceeded', 'throttled'],
    ['invalid_parameter', 'rejected'],
  ])('with status 200 and the error %s is %s', (type, kind) => {
    const body = JSON.stringify({ error: { code: 400, type } })
    expect(() => videos?.parse({ status: 200, headers: {}, body }, ANY)).toThrow(expect.objectContaining({ kind }))
  })
})
