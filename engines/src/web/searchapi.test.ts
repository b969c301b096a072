import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { searchapi, serpapi } from './searchapi.ts'

const settings = { apiKey: 'key', baseUrl: '' }

describe('searchapi', () => {
  it('asks with the key in its header', () => {
    expect(searchapi.tabs.web?.request(QUERY, settings)).toEqual({
      path: '/api/v1/search?engine=google&q=oak%20tree&gl=at&hl=de&lr=lang_de&safe=active&time_period=last_week&page=2',
      headers: { accept: 'application/json', authorization: 'Bearer key' },
    })
  })

  it('reads a correction, sitelinks and no picture in an address', () => {
    const page = searchapi.tabs.web?.parse(readFixture('searchapi-web-page'), ANY)
    expect(page?.correction).toBe('oak tree')
    expect(page?.hits[0]).toMatchObject({ faviconUrl: '', sitelinks: [{ title: 'Leaves' }] })
  })
})

describe('serpapi', () => {
  it('asks with the key in the address, by results', () => {
    expect(serpapi.tabs.web?.request(QUERY, settings).path).toBe(
      '/search.json?engine=google&q=oak%20tree&gl=at&hl=de&lr=lang_de&safe=active&tbs=qdr%3Aw&start=10&api_key=key',
    )
    expect(serpapi.tabs.images?.request(QUERY, settings).path).toContain('engine=google_images')
    expect(serpapi.tabs.images?.request(QUERY, settings).path).not.toContain('lr=')
  })

  it.each([
    ['zh', 'hl=zh-cn&lr=lang_zh-CN'],
    ['zh-TW', 'hl=zh-tw&lr=lang_zh-TW'],
    ['nb', 'hl=no&lr=lang_no'],
    ['he', 'hl=iw&lr=lang_iw'],
    ['fil', 'hl=tl&lr=lang_tl'],
    ['jv', 'hl=jw&safe'],
  ])('asks for %s with Google’s codes, like SearchApi', (lang, codes) => {
    expect(serpapi.tabs.web?.request({ ...ANY, lang }, settings).path).toContain(codes)
    expect(searchapi.tabs.web?.request({ ...ANY, lang }, settings).path).toContain(codes)
    expect(serpapi.suggest?.request({ text: 'oa', lang }, settings).path).toContain(codes.split('&')[0])
  })

  it('takes any other error for one', () => {
    const body = JSON.stringify({ error: 'Something else' })
    expect(() => serpapi.tabs.web?.parse({ status: 200, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'malformed' }),
    )
  })
})
