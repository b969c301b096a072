import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { gdelt } from './gdelt.ts'

const { news } = gdelt.tabs
const QUERY: EngineQuery = {
  text: 'harbour budget',
  page: 1,
  safe: false,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

const parametersFor = (change: Partial<EngineQuery>) => {
  const { path = '' } = news?.request({ ...QUERY, ...change }, { baseUrl: '' }) ?? {}
  return Object.fromEntries(new URL(path, 'https://provider.example').searchParams)
}

const pageOf = (body: string, page = 1) => news?.parse({ status: 200, headers: {}, body }, { ...QUERY, page })

describe('gdelt news request', () => {
  it('is the documented one', () => {
    expect(parametersFor({})).toEqual({
      query: 'harbour budget',
      mode: 'artlist',
      format: 'json',
      maxrecords: '10',
      sort: 'HybridRel',
    })
  })

  it('asks for all articles up to the page wanted, 250 at most', () => {
    expect(parametersFor({ page: 3 })).toMatchObject({ maxrecords: '30' })
    expect(parametersFor({ page: news?.lastPage ?? 0 })).toMatchObject({ maxrecords: '250' })
  })

  it.each([
    ['d', '1d'],
    ['w', '1w'],
    ['m', '1m'],
    ['y', '3m'],
  ] as const)('calls the time range %s %s', (date, timespan) => {
    expect(parametersFor({ date })).toMatchObject({ timespan })
  })

  it.each([
    ['de-AT', 'harbour budget sourcelang:german'],
    ['tlh', 'harbour budget'],
  ])('writes the language %s into the query', (lang, query) => {
    expect(parametersFor({ lang })).toMatchObject({ query })
  })
})

describe('gdelt news reply', () => {
  it('gives headline, time and site', () => {
    expect(news?.parse(readFixture('gdelt-news-page'), QUERY).hits).toEqual([
      {
        title: 'Harbour council votes on budget, again.',
        url: 'https://news.example/harbour-budget',
        description: '',
        publishedAt: Date.UTC(2026, 10, 14, 8, 30),
        publisher: 'news.example',
        thumbnailUrl: 'https://news.example/harbour.jpg',
      },
      expect.objectContaining({
        publishedAt: Date.UTC(2026, 10, 13, 10, 15),
        thumbnailUrl: 'https://bilder.blatt.example/hafen.jpg',
      }),
      expect.objectContaining({ title: 'Port dues rise', thumbnailUrl: '' }),
    ])
  })

  it('is cut to the page wanted', () => {
    const articles = Array.from({ length: 14 }, (_, index) => ({ url: `https://news.example/${index + 1}` }))
    const urlsOf = (page: number) => pageOf(JSON.stringify({ articles }), page)?.hits.map(({ url }) => url)
    expect(urlsOf(1)).toHaveLength(10)
    expect(urlsOf(2)).toEqual([11, 12, 13, 14].map((number) => `https://news.example/${number}`))
    expect(urlsOf(3)).toEqual([])
  })

  it.each(['', ' \n', '{}', '{"articles":[]}'])('%j means that nothing was found', (body) => {
    expect(pageOf(body)).toEqual({ hits: [], correction: '' })
  })

  it('is read in spite of escapes and control characters that JSON does not have', () => {
    const body = String.raw`{"articles":[{"url":"https:\/\/news.example\/1","title":"It\'s a \x \"t\u0065st\" \\ \u12"}]}`
    expect(pageOf(body.replace(' a ', ' a\u0001\n'))?.hits).toMatchObject([
      { url: 'https://news.example/1', title: String.raw`It's a x "test" \ u12` },
    ])
  })

  it.each([
    'The specified phrase is too short.',
    "Queries containing OR'd terms must be surrounded by ().",
    "Parentheses may only be used around OR'd statements.",
    '<html>Your query was too short or too long.</html>',
  ])('%j is the searcher’s fault', (body) => {
    expect(() => pageOf(body)).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: true }))
  })

  it('throttling comes with status 200 as well as 429', () => {
    const body = 'Please limit requests to one every 5 seconds or contact us.'
    expect(() => pageOf(body)).toThrow(expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 60 }))
    expect(() => news?.parse({ status: 429, headers: {}, body }, QUERY)).toThrow(
      expect.objectContaining({ kind: 'throttled', isQueryFault: false }),
    )
  })

  it.each(['Something else went wrong.', '{"error":"too short"}', '{"articles":{}}'])('%j is malformed', (body) => {
    expect(() => pageOf(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})
