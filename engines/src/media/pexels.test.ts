import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { pexels } from './pexels.ts'

const { images, videos } = pexels.tabs
const settings = { apiKey: 'key', baseUrl: '' }

describe('pexels', () => {
  it.each([
    ['de-AT', '&locale=de-DE'],
    ['pt', '&locale=pt-BR'],
    ['zh-TW', '&locale=zh-TW'],
    ['', ''],
  ])('asks in %j as %j', (lang, locale) => {
    expect(images?.request({ ...ANY, lang }, settings)).toEqual({
      path: `/v1/search?query=oak%20tree&page=1&per_page=10${locale}`,
      headers: { accept: 'application/json', authorization: 'key' },
    })
  })

  it('makes a title of the address of a video', () => {
    expect(videos?.request(QUERY, settings).path).toContain('/videos/search?')
    expect(videos?.parse(readFixture('pexels-videos-page'), ANY).hits[0]).toEqual({
      title: 'an oak in the wind',
      url: 'https://www.pexels.example/video/an-oak-in-the-wind-1/',
      publishedAt: undefined,
      publisher: 'Ann',
      durationSeconds: 12,
      thumbnailUrl: 'https://garden.example/1.jpg',
    })
  })
})
