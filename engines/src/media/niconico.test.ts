import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { niconico } from './niconico.ts'

const { videos } = niconico.tabs
const parametersOf = (query: EngineQuery) =>
  new URL(videos?.request(query, { baseUrl: '' }).path ?? '', 'https://a.example').searchParams

describe('niconico', () => {
  it('asks for the most viewed, since a time, without the adult genre', () => {
    const parameters = parametersOf(QUERY)
    expect(parameters.get('_sort')).toBe('-viewCounter')
    expect(parameters.get('_offset')).toBe('10')
    expect(parameters.get('_context')).toBe('bowerbird')
    expect(parameters.get('filters[startTime][gte]')).toBe('2026-11-08T00:00:00Z')
    expect(JSON.parse(parameters.get('jsonFilter') ?? '')).toMatchObject({ type: 'not' })
    expect(parametersOf(ANY).has('jsonFilter')).toBe(false)
  })

  it('drops the adult genre with safe, in case it came nevertheless', () => {
    const reply = readFixture('niconico-videos-page')
    expect(videos?.parse(reply, QUERY).hits.map(({ url }) => url)).toEqual([
      'https://www.nicovideo.jp/watch/sm9',
      'https://www.nicovideo.jp/watch/so11',
      'https://www.nicovideo.jp/watch/nm12',
    ])
    expect(videos?.parse(reply, ANY).hits).toHaveLength(4)
  })

  it('blames the query for a parse error', () => {
    const body = JSON.stringify({ meta: { status: 400, errorCode: 'QUERY_PARSE_ERROR' } })
    expect(() => videos?.parse({ status: 400, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected', isQueryFault: true }),
    )
  })
})
