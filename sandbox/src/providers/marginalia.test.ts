import { describe, expect, it } from 'vitest'
import { marginalia } from './marginalia.ts'
import { askProvider } from './provider-testing.ts'

interface MarginaliaReply {
  pages: number
  results: { title: string; quality: number }[]
}

const ask = (query: Record<string, string>, headers: Record<string, string> = { 'api-key': 'public' }) =>
  askProvider<MarginaliaReply>(marginalia, { path: '/search', query, headers })

describe('Marginalia in the sandbox', () => {
  it('200: a reply has the documented shape, best quality first', () => {
    const { status, json, headers } = ask({ query: 'linear b', count: '10' })
    expect(status).toBe(200)
    expect(headers['api-event-type']).toBe('UnderLimit')
    expect(json).toMatchObject({ license: 'CC-BY-NC-SA 4.0', page: 1, query: 'linear b' })
    expect(json.results).toHaveLength(10)
    for (const result of json.results) {
      expect(result).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        title: expect.any(String),
        description: expect.any(String),
        format: expect.any(String),
        resultsFromDomain: expect.any(Number),
        details: [
          [{ keyword: 'linear', count: expect.any(Number), flagsUnstableAPI: expect.any(Array) }, expect.anything()],
        ],
      })
    }
    const qualities = json.results.map((result) => result.quality)
    expect(qualities).toEqual(qualities.toSorted((left, right) => left - right))
  })

  it('reports the number of pages, and the one after the last is empty', () => {
    const first = ask({ query: 'tea', count: '10' }).json
    expect(first.pages).toBeGreaterThan(3)
    expect(ask({ query: 'tea', count: '10', page: '2' }).json.results).not.toEqual(first.results)
    expect(ask({ query: 'tea', count: '10', page: String(first.pages) }).json.results.length).toBeGreaterThan(0)
    expect(ask({ query: 'tea', count: '10', page: String(first.pages + 1) }).json.results).toEqual([])
  })

  it('hides adult pages only with nsfw=2', () => {
    const hasAdult = (nsfw: string) =>
      ask({ query: 'tea', nsfw }).json.results.some((result) => result.title.includes('adults only'))
    expect([hasAdult('0'), hasAdult('1'), hasAdult('2')]).toEqual([true, true, false])
  })

  it('answers an empty search properly', () => {
    const { json, headers } = ask({ query: 'nothingtofind' })
    expect(json).toMatchObject({ pages: 0, results: [] })
    expect(headers['api-event-type']).toBe('NoResults')
  })

  it('accepts its own key', () => {
    expect(ask({ query: 'tea' }, { 'api-key': marginalia.key }).status).toBe(200)
  })

  it('400: no key, checked before the query', () => {
    expect(ask({}, {})).toMatchObject({ status: 400, text: 'Missing API-Key header' })
  })

  it('401: an unknown key, with an empty body', () => {
    expect(ask({}, { 'api-key': 'wrong' })).toMatchObject({ status: 401, text: '', json: undefined })
  })

  it.each([
    { query: ' ' },
    { query: 'tea', nsfw: '3' },
    { query: 'tea', nsfw: 'on' },
    { query: 'tea', page: '0' },
    { query: 'tea', timeout: '2000' },
  ] as Record<string, string>[])('400: %o', (query) => {
    expect(ask(query).status).toBe(400)
  })

  it('clamps the count to 100', () => {
    expect(ask({ query: 'tea', count: '500' }).status).toBe(200)
  })
})
