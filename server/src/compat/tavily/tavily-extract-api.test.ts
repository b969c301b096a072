import { beforeEach, describe, expect, it } from 'vitest'
import { readPage, setUpApi } from '../../api/api.test-harness.ts'
import type { ReadOutcome } from '../../reader/reader.ts'
import { callCompat } from '../compat.test-harness.ts'

const stage = setUpApi()

/** A page at any address that does not say it is bad. */
const answering = async (address: string): Promise<ReadOutcome> =>
  address.includes('bad') ? { ok: false, reason: 'robots' } : readPage(`Read ${address}`, { title: 'Tides' })

beforeEach(() => {
  stage.says.read = answering
})

const REFUSED = "The site's robots.txt does not allow this page to be read."
const [A, B, BAD] = ['https://a.example.org/', 'https://b.example.org/', 'https://bad.example.org/'] as const

const keyOf = (...scopes: ('search' | 'read' | 'read_any')[]) => stage.addKey({ scopes: new Set(scopes) })
const post = (path: string, body: unknown, key = keyOf('read', 'read_any')) =>
  callCompat(stage, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('POST /tavily/extract', () => {
  it('returns the text of each page, names the pages that failed, and counts those that were read', async () => {
    const { status, json, headers } = await post('/tavily/extract', {
      urls: [BAD, A, B, A, 'no address'],
      format: 'text',
    })
    expect(status).toBe(200)
    expect(json).toEqual({
      results: [
        { url: A, raw_content: `Read ${A}`, images: [] },
        { url: B, raw_content: `Read ${B}`, images: [] },
      ],
      failed_results: [
        { url: BAD, error: REFUSED },
        { url: 'no address', error: 'Send an absolute http or https address.' },
      ],
      response_time: expect.any(Number),
      request_id: headers['x-request-id'],
    })
    expect([stage.consumed.length, stage.counted]).toEqual([4, ['read', 'read']])
    expect(stage.asked.map(([, , options]) => options)).toEqual([
      { format: 'text' },
      { format: 'text' },
      { format: 'text' },
    ])
  })

  it('accepts a single address instead of a list', async () => {
    const { json } = await post('/tavily/extract', { urls: A })
    expect(json).toMatchObject({ results: [{ url: A }], failed_results: [] })
    expect(stage.counted).toEqual(['read'])
  })

  it('a key that may read only its own results reads nothing else', async () => {
    const { status, json } = await post('/tavily/extract', { urls: [A] }, keyOf('search', 'read'))
    expect([status, json.results]).toEqual([200, []])
    expect(json.failed_results[0].error).toMatch(/^This API key can read only pages that its own searches/)
    expect([stage.asked, stage.counted]).toEqual([[], []])
  })

  it.each([
    ['nothing', {}],
    ['an empty list', { urls: [] }],
    ['too many', { urls: Array.from({ length: 21 }, (_, at) => `${A}${at}`) }],
    ['no texts', { urls: [7] }],
  ])('400 in its own shape: %s', async (_, body) => {
    const { status, json } = await post('/tavily/extract', body)
    expect([status, json]).toEqual([400, { detail: { error: 'urls: Send an address, or a list of 1 to 20.' } }])
  })
})

describe('POST /openwebui/load', () => {
  it('returns the pages that could be read, under the addresses that were sent', async () => {
    const { status, json } = await post('/openwebui/load', { urls: [A, BAD] })
    expect([status, json]).toEqual([200, [{ page_content: `Read ${A}`, metadata: { source: A, title: 'Tides' } }]])
    expect(stage.counted).toEqual(['read'])
  })

  it('422 when nothing could be read, never an empty list, and nothing is counted', async () => {
    const { status, json } = await post('/openwebui/load', { urls: [BAD, `${BAD}2`] })
    expect([status, json]).toEqual([422, { detail: REFUSED }])
    expect([stage.consumed.length, stage.counted]).toEqual([2, []])
  })
})
