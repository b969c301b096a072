import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { serper } from './serper.ts'

const { web, news } = serper.tabs
const settings = { apiKey: 'key', baseUrl: '' }

describe('serper', () => {
  it('asks in a language and for its market', () => {
    const request = web?.request(QUERY, settings)
    expect(request).toMatchObject({ path: '/search', headers: { 'x-api-key': 'key' } })
    expect(JSON.parse(request?.body ?? '')).toEqual({
      q: 'oak tree',
      gl: 'at',
      hl: 'de',
      num: 10,
      page: 2,
      tbs: 'qdr:w',
      autocorrect: true,
    })
  })

  it.each([
    ['zh-TW', 'zh-tw'],
    ['nb', 'no'],
  ])('calls %s %s, as Google does', (lang, hl) => {
    expect(JSON.parse(web?.request({ ...ANY, lang }, settings).body ?? '')).toMatchObject({ hl })
  })

  it('takes a 403 for a wrong key if it says so, and for a refusal otherwise', () => {
    const refusal = (body: string) => () => web?.parse({ status: 403, headers: {}, body }, ANY)
    expect(refusal('{"message":"Unauthorized.","statusCode":403}')).toThrow(
      expect.objectContaining({ kind: 'rejected', message: 'The provider does not accept the API key.' }),
    )
    expect(refusal('<html>')).toThrow(expect.objectContaining({ kind: 'blocked' }))
  })

  it('reads sitelinks, and dates in English words', () => {
    expect(web?.parse(readFixture('serper-web-page'), ANY).hits[0]).toMatchObject({
      publishedAt: Date.UTC(2026, 9, 2),
      sitelinks: [{ title: 'Leaves', url: 'https://garden.example/leaves' }],
    })
    expect(news?.parse(readFixture('serper-news-page'), ANY).hits[1]?.publishedAt).toBe(ANY.now - 3 * 3_600_000)
  })

  it('completes', () => {
    const request = serper.suggest?.request({ text: 'oa', lang: 'de' }, settings)
    expect([request?.path, JSON.parse(request?.body ?? '')]).toEqual(['/autocomplete', { q: 'oa', gl: 'de', hl: 'de' }])
  })
})
