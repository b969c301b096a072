import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { yacy } from './yacy.ts'

const { web, images } = yacy.tabs

describe('yacy', () => {
  it('asks its own peer only, unless told otherwise', () => {
    expect(web?.request(QUERY, { baseUrl: '', resource: 'local' }).path).toBe(
      '/yacysearch.json?query=oak%20tree&startRecord=10&maximumRecords=10&contentdom=text&resource=local&lr=lang_de' +
        '&nav=none&verify=false',
    )
    expect(images?.request(ANY, { baseUrl: '', resource: 'global' }).path).toContain('contentdom=image&resource=global')
  })

  it('reads a page that ends with an empty object', () => {
    expect(web?.parse(readFixture('yacy-web-page'), ANY).hits.map(({ title }) => title)).toEqual(['Oak', 'Elm', 'Ash'])
  })

  it('reads texts with control characters in them', () => {
    const body = '{"channels":[{"items":[{"link":"https://a.example/","title":"one\u0001\ntwo"}]}]}'
    expect(web?.parse({ status: 200, headers: {}, body }, ANY).hits[0]?.title).toBe('one two')
  })
})
