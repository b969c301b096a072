import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { europeana } from './europeana.ts'

const { images } = europeana.tabs

describe('europeana', () => {
  it('asks for free pictures, counted from 1', () => {
    expect(images?.request(QUERY, { apiKey: 'key', baseUrl: '' })).toEqual({
      path:
        '/record/v2/search.json?query=oak%20tree&qf=TYPE%3AIMAGE&rows=10&start=11&thumbnail=true&media=true' +
        '&reusability=open&profile=minimal',
      headers: { accept: 'application/json', 'x-api-key': 'key' },
    })
  })

  it('reads lists', () => {
    expect(images?.parse(readFixture('europeana-images-page'), ANY).hits[0]).toMatchObject({
      title: 'Eiche 1',
      url: 'https://www.europeana.example/item/1/1',
      thumbnailUrl: 'https://garden.example/1.jpg',
    })
  })
})
