import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { mojeek } from './mojeek.ts'

const { web } = mojeek.tabs
const NOW = Date.UTC(2026, 2, 4, 0, 30)
const QUERY: EngineQuery = { text: 'heat pumps', page: 1, safe: true, date: undefined, lang: '', now: NOW }

const parametersFor = (change: Partial<EngineQuery>) => {
  const { path = '' } = web?.request({ ...QUERY, ...change }, { apiKey: 'k&y', baseUrl: '' }) ?? {}
  return Object.fromEntries(new URL(path, 'https://provider.example').searchParams)
}

const answered = (status: unknown) => () =>
  web?.parse({ status: 200, headers: {}, body: JSON.stringify({ response: { status, results: [] } }) }, QUERY)

describe('mojeek web request', () => {
  it('is the documented one, with the key in the query string', () => {
    expect(parametersFor({})).toEqual({
      q: 'heat pumps',
      fmt: 'json',
      t: '10',
      s: '1',
      safe: '1',
      date: '1',
      api_key: 'k&y',
    })
  })

  it('counts results from 1', () => {
    expect(parametersFor({ page: 3 })).toMatchObject({ s: '21' })
  })

  it.each([
    ['d', 'day'],
    ['w', '20260225'],
    ['m', 'month'],
    ['y', 'year'],
  ] as const)('calls the time range %s %s', (date, since) => {
    expect(parametersFor({ date })).toMatchObject({ since })
  })

  it('boosts the language and, more gently, the region', () => {
    expect(parametersFor({ lang: 'fr' })).toMatchObject({ lb: 'FR', lbb: '100' })
    expect(parametersFor({ lang: 'fr' })).not.toHaveProperty('rb')
    expect(parametersFor({ lang: 'de-ch' })).toMatchObject({ lb: 'DE', lbb: '100', rb: 'CH', rbb: '10' })
  })
})

describe('mojeek web reply', () => {
  it('takes the date of publication, else of the last change', () => {
    const hits = web?.parse(readFixture('mojeek-web-page'), QUERY).hits ?? []
    expect(hits.map(({ publishedAt }) => publishedAt)).toEqual([1_790_800_000_000, 1_737_331_200_000, undefined])
  })

  it('is plain text', () => {
    expect(web?.parse(readFixture('mojeek-web-page'), QUERY).hits).toMatchObject([
      { title: 'Heat pumps explained & compared', description: "How a heat pump moves heat… and what it doesn't do." },
      { description: 'Is 45 dB < 50 dB a good argument?' },
      {},
    ])
  })

  it.each([
    ['ERROR: Daily Limit Reached', 'throttled'],
    ['ERROR: Invalid API key', 'rejected'],
    ['ok', 'rejected'],
    ['', 'malformed'],
    [undefined, 'malformed'],
    [0, 'malformed'],
  ])('with status 200 and %j in the body is %s, never an empty page', (status, kind) => {
    expect(answered(status)).toThrow(expect.objectContaining({ kind }))
  })
})
