import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { marginalia } from './marginalia.ts'

const { web } = marginalia.tabs
const QUERY: EngineQuery = { text: 'linear b', page: 2, safe: true, date: undefined, lang: '', now: 1_794_700_000_000 }
const SETTINGS = { apiKey: 'public', baseUrl: '' }

const answered = (status: number, body: string) => () => web?.parse({ status, headers: {}, body }, QUERY)

describe('marginalia web request', () => {
  it('is the documented one, with the key in its header', () => {
    expect(web?.request(QUERY, SETTINGS)).toEqual({
      path: '/search?query=linear%20b&count=10&page=2&nsfw=2',
      headers: { accept: 'application/json', 'api-key': 'public' },
    })
    expect(web?.request({ ...QUERY, safe: false, lang: 'en-GB' }, SETTINGS).path).toBe(
      '/search?query=linear%20b&count=10&page=2&nsfw=0&lang=en',
    )
  })

  it('works without a key of one’s own', () => {
    expect(marginalia.settings.apiKey.fallback).toBe('public')
  })
})

describe('marginalia web reply', () => {
  it('keeps the provider’s order, best first', () => {
    expect(web?.parse(readFixture('marginalia-web-page'), QUERY).hits.map(({ title }) => title)).toEqual([
      'Linear B',
      'How Linear B was read',
      'Tablet 41',
    ])
  })

  it.each([
    [400, 'Missing API-Key header', { kind: 'rejected' }],
    [401, '', { kind: 'rejected' }],
    [429, 'QPM Limit Exceeded', { kind: 'throttled', retryAfterSeconds: 60 }],
    [429, 'Daily Limit Exceeded', { kind: 'throttled', retryAfterSeconds: undefined }],
    [500, 'Query Execution Failed', { kind: 'unreachable' }],
    [504, 'timeout', { kind: 'unreachable' }],
    [502, '', { kind: 'unreachable' }],
    [200, '{"results":null}', { kind: 'malformed' }],
  ])('with status %i and the text %j is an error', (status, body, error) => {
    expect(answered(status, body)).toThrow(expect.objectContaining(error))
  })
})
