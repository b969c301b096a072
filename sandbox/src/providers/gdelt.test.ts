import { describe, expect, it } from 'vitest'
import { gdelt } from './gdelt.ts'
import { askProvider, TEST_NOW } from './provider-testing.ts'

interface Reply {
  articles?: { title: string; seendate: string; language: string }[]
}

const ask = (query: Record<string, string>) =>
  askProvider<Reply>(gdelt, {
    path: '/api/v2/doc/doc',
    query: { query: 'heat pumps', mode: 'artlist', format: 'json', ...query },
  })
const articles = (query: Record<string, string> = {}) => ask(query).json.articles ?? []

describe('GDELT in the sandbox', () => {
  it('200: a list has the documented shape, 75 articles or as many as there are', () => {
    expect(articles().length).toBeGreaterThan(50)
    for (const article of articles({ maxrecords: '250' })) {
      expect(article).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        url_mobile: '',
        title: expect.any(String),
        seendate: expect.stringMatching(/^\d{8}T\d{6}Z$/),
        socialimage: expect.any(String),
        domain: expect.stringMatching(/\./),
        language: 'English',
      })
    }
  })

  it('writes titles with spaces around punctuation and JSON with apostrophes escaped', () => {
    expect(articles().some(({ title }) => title.includes(' : '))).toBe(true)
    const written = gdelt.writeJson?.({ title: "it's" })
    expect(written).toBe(String.raw`{"title":"it\'s"}`)
  })

  it.each([
    [{ timespan: '1d' }, 1],
    [{ timespan: '1w' }, 7],
    [{ startdatetime: '20261107120000', enddatetime: '20261114120000' }, 7],
  ] as [Record<string, string>, number][])('%o leaves out everything older', (query, days) => {
    const found = articles(query)
    expect(found.length).toBeGreaterThan(3)
    expect(found.length).toBeLessThan(articles().length)
    for (const { seendate } of found) {
      const iso = seendate.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
      expect(Date.parse(iso)).toBeGreaterThanOrEqual(TEST_NOW - days * 86_400_000)
    }
  })

  it('sorts by date on request', () => {
    const dates = articles({ sort: 'DateDesc' }).map(({ seendate }) => seendate)
    expect(dates).toEqual(dates.toSorted().reverse())
  })

  it('reads operators inside the query and has no safe search', () => {
    expect(articles({ query: 'heat pumps sourcelang:german' })[0]?.language).toBe('German')
    expect(articles({ query: '"heat pumps" (bread OR butter)' }).length).toBeGreaterThan(50)
    expect(articles().some(({ title }) => title.includes('adults only'))).toBe(true)
  })

  it('{}: nothing found', () => {
    expect(ask({ query: 'nothingtofind' }).json).toEqual({})
  })

  it.each([
    [{ query: '' }, /too short/],
    [{ query: 'to be' }, /keywords were too short/],
    [{ query: '"ab" bread' }, /phrase is too short/],
    [{ query: 'bread OR butter' }, /must be surrounded by \(\)/],
    [{ timespan: 'week' }, /Timespan/],
    [{ maxrecords: '251' }, /records/],
    [{ sort: 'best' }, /sort/],
  ] as [Record<string, string>, RegExp][])('200 with a sentence: %o', (query, sentence) => {
    expect(ask(query)).toMatchObject({ status: 200, text: expect.stringMatching(sentence), json: undefined })
  })
})
