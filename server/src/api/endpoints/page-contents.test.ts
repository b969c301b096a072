// `include=content` on the searches that find pages.

import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReadFailure, ReadOutcome } from '../../reader/reader.ts'
import { found, readPage, setUpApi, webHit } from '../api.test-harness.ts'

const stage = setUpApi()

const hit = (number: number) => webHit({ title: `Page ${number}`, url: `https://site.example/${number}` })

interface ReadResult {
  content?: string
  passages?: { block: number; start: number; heading: string; text: string }[]
  content_truncated?: boolean
  content_reason?: string
}

beforeEach(() => {
  stage.says.search = async (tab, request) => found(tab, request, { hits: [1, 2, 3, 4, 5, 6].map(hit) })
  stage.says.read = async (address) => readPage(`Read ${address}`)
})

const readingKey = (own = {}) => stage.addKey({ scopes: new Set(['search', 'read'] as const), ...own })
const search = async (query: string, key = readingKey()) => {
  const { status, json, headers } = await stage.get(`/api/v1/web/?q=tides&include=content${query}`, { key })
  const results: ReadResult[] = json.results ?? []
  return { status, json, headers, results, reasons: results.map((result) => result.content_reason) }
}
const pagesRead = () => stage.asked.filter(([what]) => what === 'read')
const failing = (reason: ReadFailure) => async (): Promise<ReadOutcome> => ({ ok: false, reason })

describe('include=content', () => {
  it('200: the first three results have their text, the others are marked as not requested', async () => {
    const { status, results, reasons } = await search('')
    expect(status).toBe(200)
    expect(results[0]).toMatchObject({ content: 'Read https://site.example/1', content_truncated: false })
    expect(results[3]).toMatchObject({ content: '', content_truncated: false })
    expect(reasons).toEqual(['', '', '', 'not_requested', 'not_requested', 'not_requested'])
  })

  it('reads as many results, and as much of each, as requested', async () => {
    const { results } = await search('&content_results=5&content_length=4')
    expect(results.map(({ content, content_truncated }) => [content, content_truncated])).toEqual([
      ...Array.from({ length: 5 }, () => ['Read', true]),
      ['', false],
    ])
  })

  it('each page read counts as one request to read/, and a failed one as none', async () => {
    stage.says.read = async (address) => (address.endsWith('2') ? { ok: false, reason: 'robots' } : readPage('Text'))
    const { reasons } = await search('')
    expect(reasons.slice(0, 3)).toEqual(['', 'robots', ''])
    expect(stage.counted).toEqual(['read', 'read', 'web_search'])
  })

  it('the RateLimit header is that of the last page read', async () => {
    const burst = { count: 10, windowMs: 60_000 }
    expect((await search('', readingKey({ burst }))).headers['ratelimit']).toContain('"burst";r=6')
  })

  it('reaching a limit ends the reading, not the search', async () => {
    const { status, reasons } = await search('', readingKey({ burst: { count: 2, windowMs: 60_000 } }))
    expect(status).toBe(200)
    expect(reasons.slice(0, 3)).toEqual(['', 'rate_limited', 'rate_limited'])
    expect(pagesRead()).toHaveLength(1)
  })

  it('too many concurrent reads: the search is answered anyway', async () => {
    stage.says.read = () => Promise.reject(new UpstreamError('busy', 'too many'))
    expect((await search('')).reasons.slice(0, 3)).toEqual(['busy', 'busy', 'busy'])
    expect(stage.counted).toEqual(['web_search'])
  })

  it('all pages together have four seconds', async () => {
    await search('')
    for (const [, , terms] of pagesRead()) {
      const { format, withinMs } = Object(terms)
      expect(format).toBe('markdown')
      expect(withinMs).toBeGreaterThan(3_000)
      expect(withinMs).toBeLessThanOrEqual(4_000)
    }
    stage.says.read = failing('timeout')
    expect((await search('')).reasons[0]).toBe('timeout')
  })

  it('HEAD reads nothing', async () => {
    const { status } = await stage.get('/api/v1/web/?q=tides&include=content', { key: readingKey(), method: 'HEAD' })
    expect([status, pagesRead(), stage.counted]).toEqual([200, [], []])
  })

  it('403: a key without the scope read, before any engine is queried', async () => {
    const { status, json } = await search('', stage.addKey({ scopes: new Set(['search'] as const) }))
    expect([status, json]).toEqual([403, { detail: 'This API key does not have the read scope.' }])
    expect([stage.asked, stage.counted]).toEqual([[], []])
  })

  it.each([
    'content_results=0',
    'content_results=21',
    'content_length=8001',
    'content_length=x',
    'content_tokens=32001',
  ])('400: %s', async (sent) => {
    const { status, json } = await search(`&${sent}`)
    expect([status, Object.keys(json)]).toEqual([400, [sent.split('=')[0]]])
  })

  it('is available for news; images and videos, which find no pages, reject it', async () => {
    const get = (tab: string) => stage.get(`/api/v1/${tab}/?q=tides&include=content`, { key: readingKey() })
    stage.says.search = async (tab, request) => found(tab, request)
    expect((await get('news')).status).toBe(200)
    for (const tab of ['images', 'videos']) {
      expect((await get(tab)).json).toEqual({
        include: [expect.stringMatching(/^Unknown value. Use explain(, (?:date|image))?\.$/)],
      })
    }
  })
})

describe('content_tokens', () => {
  const PAGE = '# Coasts\n\nNothing about it.\n\n## Sea\n\nThe [tides](https://site.example/x) turn twice a day.'

  it('results have the passages that the query is about, each with its block, place and heading', async () => {
    stage.says.read = async (address) => readPage(address.endsWith('2') ? 'Tides again.' : PAGE)
    const { results, reasons } = await search('&content_tokens=1000&content_results=2')
    expect(results.slice(0, 2)).toMatchObject([
      {
        passages: [{ block: 4, start: 37, heading: 'Sea', text: 'The tides turn twice a day.' }],
        content_truncated: true,
      },
      { passages: [{ block: 1, start: 0, heading: '', text: 'Tides again.' }], content_truncated: false },
    ])
    expect(results[2]).toMatchObject({ passages: [], content_truncated: false })
    expect(results.every((result) => !('content' in result))).toBe(true)
    expect(reasons).toEqual(['', '', 'not_requested', 'not_requested', 'not_requested', 'not_requested'])
  })

  it('the budget is for all results together', async () => {
    stage.says.read = async () => readPage('The tides turn twice a day.')
    const { results } = await search('&content_tokens=15&content_results=6')
    expect(results.map(({ passages }) => passages?.length)).toEqual([1, 1, 0, 0, 0, 0])
    expect(results[2]?.content_truncated).toBe(true)
  })

  it('each page is read and counted as without it, up to twenty', async () => {
    stage.says.search = async (tab, request) =>
      found(tab, request, { hits: Array.from({ length: 25 }, (_, at) => hit(at)) })
    const { reasons } = await search('&content_tokens=1000&content_results=20')
    expect(reasons.filter((reason) => reason === '')).toHaveLength(20)
    expect(stage.counted.filter((endpoint) => endpoint === 'read')).toHaveLength(20)
  })

  it('without it, the reply is as it was', async () => {
    const { results } = await search('&content_tokens=0')
    expect(results[0]).toMatchObject({ content: 'Read https://site.example/1' })
    expect(results[0]).not.toHaveProperty('passages')
  })
})

describe('an instance without the reader', () => {
  const off = setUpApi({ isReaderOn: false })

  it('400: content is not a value of include', async () => {
    const { status, json } = await off.get('/api/v1/web/?q=tides&include=content')
    expect([status, json]).toEqual([400, { include: ['Unknown value. Use explain, date.'] }])
  })
})
