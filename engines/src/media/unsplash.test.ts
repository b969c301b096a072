import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { unsplash } from './unsplash.ts'

const { images } = unsplash.tabs

describe('unsplash', () => {
  it('asks with a filter and a language', () => {
    expect(images?.request(QUERY, { apiKey: 'key', baseUrl: '' })).toEqual({
      path: '/search/photos?query=oak%20tree&page=2&per_page=10&order_by=relevant&content_filter=high&lang=de',
      headers: { accept: 'application/json', authorization: 'Client-ID key', 'accept-version': 'v1' },
    })
  })

  it('takes the one text or the other for the title', () => {
    const hits = images?.parse(readFixture('unsplash-images-page'), ANY).hits
    expect(hits?.map(({ title }) => title)).toEqual(['an oak', 'An elm', 'ash'])
  })
})
