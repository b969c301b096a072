import { describe, expect, it } from 'vitest'
import { ANY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { stackexchange } from './stackexchange-search.ts'

const { web } = stackexchange.tabs

describe('stackexchange', () => {
  it.each([
    ['', 'stackoverflow'],
    ['en-GB', 'stackoverflow'],
    ['es', 'es.stackoverflow'],
    ['pt-BR', 'pt.stackoverflow'],
  ])('in %j asks the site %s', (lang, site) => {
    const { path } = web?.request({ ...ANY, lang }, { apiKey: '', baseUrl: '' }) ?? {}
    expect(path).toBe(`/2.3/search/excerpts?q=oak%20tree&site=${site}&page=1&pagesize=10&sort=relevance&order=desc`)
  })

  it('links to questions and answers of the queried site', () => {
    const hits = web?.parse(readFixture('stackexchange-web-page'), { ...ANY, lang: 'es' }).hits
    expect(hits?.map(({ url }) => url)).toEqual([
      'https://es.stackoverflow.com/q/10',
      'https://es.stackoverflow.com/a/11',
      'https://es.stackoverflow.com/q/12',
    ])
    expect(hits?.[0]).toMatchObject({ title: 'A "title"', description: 'how to sort a list' })
  })

  it('waits as long as the text says', () => {
    expect(() => web?.parse(readFixture('stackexchange-web-refusal'), ANY)).toThrow(
      expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 81_234 }),
    )
  })
})
