import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { pixabay } from './pixabay.ts'

const { images } = pixabay.tabs
const QUERY: EngineQuery = { text: 'oak bark', page: 1, safe: true, date: undefined, lang: '', now: 0 }

const parametersFor = (change: Partial<EngineQuery>) => {
  const { path = '' } = images?.request({ ...QUERY, ...change }, { apiKey: 'k&y', baseUrl: '' }) ?? {}
  return Object.fromEntries(new URL(path, 'https://provider.example').searchParams)
}

const answered = (status: number, body: string) => () => images?.parse({ status, headers: {}, body }, QUERY)

describe('pixabay images request', () => {
  it('is the documented one, with the key in the query string', () => {
    expect(images?.request(QUERY, { apiKey: 'k&y', baseUrl: '' }).path).toBe(
      '/api/?q=oak%20bark&page=1&per_page=10&safesearch=true&key=k%26y',
    )
    expect(parametersFor({ page: 7, safe: false })).toMatchObject({ page: '7', per_page: '10', safesearch: 'false' })
  })

  it.each([
    ['de-AT', 'de'],
    ['nb', 'no'],
    ['nn-NO', 'no'],
    ['zh-Hant-TW', 'zh'],
    ['tlh', undefined],
    ['', undefined],
  ])('takes %j for the language %s', (lang, language) => {
    expect(parametersFor({ lang })['lang']).toBe(language)
  })
})

describe('pixabay images reply', () => {
  it('has the tags for a title and the small picture, else the middle one', () => {
    expect(images?.parse(readFixture('pixabay-images-page'), QUERY).hits).toMatchObject([
      {
        title: 'oak, bark, moss',
        url: 'https://pixabay.com/photos/oak-bark-1/',
        thumbnailUrl: 'https://cdn.pixabay.com/photo/oak-1_150.jpg',
      },
      {
        title: 'acorn',
        url: 'https://pixabay.com/vectors/acorn-2/',
        thumbnailUrl: 'https://pixabay.com/get/acorn-2_640.png',
      },
      {
        title: 'forest, trees & light',
        url: 'https://pixabay.com/illustrations/forest-3/',
        thumbnailUrl: 'https://cdn.pixabay.com/photo/forest-3_150.jpg',
      },
    ])
  })

  it('is an empty page, not a failure, past the last result', () => {
    expect(answered(400, '[ERROR 400] "page" is out of valid range.')()).toEqual({ hits: [], correction: '' })
  })

  it.each([
    [400, '[ERROR 400] Invalid or missing API key (https://pixabay.com/api/docs/).', { kind: 'rejected' }],
    [400, '[ERROR 400] "q" canary.', { kind: 'rejected' }],
    [429, 'API rate limit exceeded', { kind: 'throttled' }],
    [200, '{"hits":{}}', { kind: 'malformed' }],
  ])('with status %i and the text %j is an error', (status, body, error) => {
    expect(answered(status, body)).toThrow(expect.objectContaining({ ...error, isQueryFault: false }))
    expect(answered(status, body)).not.toThrow(/canary|https/)
  })
})
