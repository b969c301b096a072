import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { jina } from './jina.ts'

const { web, images, news } = jina.tabs

describe('jina', () => {
  it('asks without the content of pages', () => {
    expect(web?.request(QUERY, { apiKey: 'key', baseUrl: '' })).toEqual({
      path: '/?q=oak%20tree&count=10&page=2&gl=AT&hl=de&type=web&respondWith=no-content',
      headers: { accept: 'application/json', authorization: 'Bearer key' },
    })
  })

  it.each([
    ['zh', 'zh-cn'],
    ['he', 'iw'],
    ['nb', 'no'],
    ['fil', 'tl'],
  ])('calls %s %s, as its list of languages does', (lang, hl) => {
    expect(web?.request({ ...ANY, lang }, { apiKey: 'key', baseUrl: '' }).path).toContain(`&hl=${hl}&`)
  })

  it('shows Google’s results, and knows how large pictures are', () => {
    expect(jina.index).toBe('google')
    expect(images?.parse(readFixture('jina-images-page'), ANY).hits[0]).toMatchObject({ width: 1200, height: 800 })
  })

  it('costs five times as much for news', () => {
    expect([web?.priceFactor, news?.priceFactor]).toEqual([undefined, 5])
  })

  it('is empty only if the provider reports no results', () => {
    const body = JSON.stringify({ data: null, code: 422, message: 'Invalid parameter' })
    expect(() => web?.parse({ status: 422, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
    expect(web?.parse(readFixture('jina-web-empty'), ANY).hits).toEqual([])
  })
})
