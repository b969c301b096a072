import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { searxng } from './searxng.ts'

const { web, images, news, videos } = searxng.tabs
const QUERY: EngineQuery = {
  text: 'bridges',
  page: 1,
  safe: true,
  date: undefined,
  lang: '',
  now: Date.UTC(2026, 10, 14, 12),
}

const parametersFor = (change: Partial<EngineQuery>, tab = web) => {
  const { path = '' } = tab?.request({ ...QUERY, ...change }, { baseUrl: '' }) ?? {}
  return Object.fromEntries(new URL(path, 'https://provider.example').searchParams)
}

const answered =
  (body: unknown, page = 1) =>
  () =>
    web?.parse({ status: 200, headers: {}, body: JSON.stringify(body) }, { ...QUERY, page })

describe('searxng request', () => {
  it('is the documented one', () => {
    expect(parametersFor({})).toEqual({
      q: 'bridges',
      format: 'json',
      categories: 'general',
      language: 'auto',
      pageno: '1',
      safesearch: '2',
    })
  })

  it('passes on page, time range and safety', () => {
    expect(parametersFor({ page: 7, date: 'w', safe: false })).toMatchObject({
      pageno: '7',
      time_range: 'week',
      safesearch: '0',
    })
  })

  it('asks each tab of its category', () => {
    for (const [category, tab] of Object.entries({ images, news, videos })) {
      const { path = '' } = tab?.request(QUERY, { baseUrl: '' }) ?? {}
      expect(path).toContain(`&categories=${category}&`)
    }
  })

  it.each([
    ['de', 'de'],
    ['de-at', 'de-AT'],
    ['zh-Hans-CN', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['es-419', 'es'],
  ])('takes %s for %s', (lang, language) => {
    expect(parametersFor({ lang })).toMatchObject({ language })
  })

  it.each([
    ['!g bridges', '"!g" bridges'],
    ['bridges !!', 'bridges "!!"'],
    ['bridges :de <3', 'bridges ":de" "<3"'],
    ['a\u001c!g\u0085:fr', 'a\u001c"!g"\u0085":fr"'],
    ['c++ a:b 1<2 wow!', 'c++ a:b 1<2 wow!'],
  ])('sends %j as %j', (text, q) => {
    expect(parametersFor({ text })).toMatchObject({ q })
  })

  it('never sends a command', () => {
    const texts = fc.string({
      minLength: 1,
      unit: fc.constantFrom('!', ':', '<', '"', 'a', ' ', '\t', '\u001d', '\u3000'),
    })
    fc.assert(
      fc.property(texts, (text) => {
        const { q = '' } = parametersFor({ text })
        expect(q.split(/[\s\p{Cc}]+/u).filter((word) => /^[!:<]/.test(word))).toEqual([])
      }),
    )
  })
})

describe('searxng reply', () => {
  it('has the first correction and dates', () => {
    expect(web?.parse(readFixture('searxng-web-page'), QUERY)).toMatchObject({
      correction: 'bridges of stone',
      hits: [
        {
          title: 'Arches & spans',
          description: 'An arch pushes outward; a tied arch does not.',
          publishedAt: Date.UTC(2026, 10, 1),
        },
        { title: 'Where rivers are crossed', description: '', publishedAt: undefined },
        {},
      ],
    })
  })

  it('shows of a picture the smallest version there is, and drops one that has none', () => {
    expect(images?.parse(readFixture('searxng-images-page'), QUERY).hits.map((hit) => hit.thumbnailUrl)).toEqual([
      'https://cdn.photos.example/t/1.jpg',
      'https://cdn.photos.example/2.jpg',
      'https://cdn.photos.example/t/3.jpg',
    ])
  })

  it('the publisher of news is the source, or else the site', () => {
    expect(news?.parse(readFixture('searxng-news-page'), QUERY).hits).toMatchObject([
      { publisher: 'The Daily', thumbnailUrl: 'https://daily.example/b.jpg' },
      { publisher: 'Weekly Example', thumbnailUrl: 'https://weekly.example/toll.jpg' },
      { publisher: 'paper.example', thumbnailUrl: '' },
    ])
  })

  it('knows how long a video is, in seconds or by the clock', () => {
    expect(videos?.parse(readFixture('searxng-videos-page'), QUERY).hits).toMatchObject([
      { durationSeconds: 1419, publisher: 'Bridges', thumbnailUrl: 'https://video.example/t/1.jpg' },
      { durationSeconds: 225, thumbnailUrl: 'https://video.example/t/2.jpg' },
      { durationSeconds: undefined, publisher: '', thumbnailUrl: '' },
    ])
  })

  it('is no empty page when its engines did not answer, except past their end', () => {
    const nothing = { results: [], unresponsive_engines: [['qwant', 'timeout']] }
    expect(answered(nothing)).toThrow(expect.objectContaining({ kind: 'unreachable' }))
    expect(answered(nothing, 2)()).toEqual({ hits: [], correction: '' })
  })

  it('with status 403 tells the operator which setting is missing', () => {
    expect(() => web?.parse(readFixture('searxng-web-refusal'), QUERY)).toThrow(/search\.formats must have json/)
  })
})

describe('searxng suggest', () => {
  it('sends no command either', () => {
    expect(searxng.suggest?.request({ text: '!g b', lang: '' }, { baseUrl: '' }).path).toBe(
      '/autocompleter?q=%22!g%22%20b',
    )
  })

  it('gives completions, best first', () => {
    expect(searxng.suggest?.parse(readFixture('searxng-suggest-page'))).toEqual([
      'bowerbird',
      'bower nest',
      'bower of sticks',
    ])
  })
})
