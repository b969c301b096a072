import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import type { ReadOutcome } from '../../reader/reader.ts'
import { found, setUpApi, webHit } from '../api.test-harness.ts'

const stage = setUpApi()

const PAGE = 'https://harbour-gazette.example/tides'
const HIT = webHit({ url: PAGE })
const READING = { scopes: new Set(['search', 'read', 'read_any'] as const) }
const FOUND_ONLY = { scopes: new Set(['search', 'read'] as const) }
const LINKS_TOO = { scopes: new Set(['search', 'read', 'read_links'] as const) }

const outcomeOf = (content: string): ReadOutcome => ({
  ok: true,
  address: `${PAGE}/today`,
  fetchedAt: Date.UTC(2026, 10, 15, 11, 55),
  page: {
    type: 'html',
    title: 'Tides',
    byline: 'Ines Calloway',
    siteName: 'The Harbour Gazette',
    language: 'en',
    published: '2026-03-04T08:30:00.000Z',
    content,
  },
})

const read = (query: string, key = stage.addKey(READING)) => stage.get(`/api/v1/read/?${query}`, { key })

describe('/api/v1/read/', () => {
  it('200: the content and metadata of a page', async () => {
    stage.says.read = async () => outcomeOf('Low tide is at noon.')
    const { status, json } = await read(`url=${PAGE}`)
    expect(status).toBe(200)
    expect(json).toEqual({
      url: PAGE,
      final_url: `${PAGE}/today`,
      type: 'html',
      title: 'Tides',
      byline: 'Ines Calloway',
      site_name: 'The Harbour Gazette',
      language: 'en',
      published: '2026-03-04T08:30:00.000Z',
      content: 'Low tide is at noon.',
      start: 0,
      length: 20,
      total: 20,
      truncated: false,
      fetched_at: '2026-11-15T11:55:00.000Z',
    })
    expect(stage.asked).toEqual([['read', PAGE, { format: 'markdown' }, expect.anything()]])
    expect(stage.counted).toEqual(['read'])
  })

  it.each([
    ['start=4&length=4', 'tide', 4, true],
    ['start=15', 'noon.', 15, false],
    ['start=19', '.', 19, false],
    ['length=20', 'Low tide is at noon.', 0, false],
  ])('%s: a window of it', async (query, content, ...[start, truncated]) => {
    stage.says.read = async () => outcomeOf('Low tide is at noon.')
    expect((await read(`url=${PAGE}&${query}`)).json).toMatchObject({ content, start, truncated, total: 20 })
  })

  it('400: a window beyond the end, which counts as nothing; an empty page has none', async () => {
    stage.says.read = async () => outcomeOf('Low tide is at noon.')
    for (const start of [20, 99_999]) {
      const { status, json } = await read(`url=${PAGE}&start=${start}`)
      expect({ status, json }).toEqual({
        status: 400,
        json: { start: ['The page has 20 characters. Send a lower number.'] },
      })
    }
    expect(stage.counted).toEqual([])
    stage.says.read = async () => outcomeOf('')
    expect((await read(`url=${PAGE}`)).json).toMatchObject({ content: '', total: 0, truncated: false })
  })

  it('a window does not end within a character', async () => {
    stage.says.read = async () => outcomeOf('a🐚b')
    expect((await read(`url=${PAGE}&length=2`)).json).toMatchObject({ content: 'a', length: 1, truncated: true })
    expect((await read(`url=${PAGE}&start=2`)).json).toMatchObject({ content: '\ufffdb', length: 2, truncated: false })
  })

  it('format=sections: headings and text, a window at a time; a section that is cut continues under its heading', async () => {
    const sections = [
      { heading: '', level: 0, text: 'Before.' },
      { heading: 'Low', level: 2, text: 'At noon.' },
      { heading: 'High', level: 2, text: 'At 🐚.' },
    ]
    stage.says.read = async () => {
      const outcome = outcomeOf('')
      return outcome.ok ? { ...outcome, page: { ...outcome.page, sections } } : outcome
    }
    const all = (await read(`url=${PAGE}&format=sections`)).json
    expect(all).toMatchObject({ content: '', sections, length: 28, total: 28, truncated: false })
    expect(stage.asked).toEqual([['read', PAGE, { format: 'sections' }, expect.anything()]])
    const part = (await read(`url=${PAGE}&format=sections&start=4&length=10`)).json
    expect(part).toMatchObject({ length: 10, total: 28, truncated: true })
    expect(part.sections).toEqual([
      { heading: '', level: 0, text: 're.' },
      { heading: 'Low', level: 2, text: 'At n' },
    ])
    for (let length = 2; length <= 28; length++) {
      const words: string[] = []
      for (let start = 0, isMore = true; isMore; ) {
        const { json } = await read(`url=${PAGE}&format=sections&start=${start}&length=${length}`)
        for (const { text } of json.sections) words.push(text)
        start += json.length
        isMore = json.truncated
      }
      expect(words.join('')).toBe('Before.At noon.At 🐚.')
    }
  })

  it('400: all errors are reported together', async () => {
    const { status, json } = await read('url=ftp://x.example/&format=pdf&start=-1&length=0')
    expect(status).toBe(400)
    expect(Object.keys(Object(json))).toEqual(['url', 'format', 'start', 'length'])
    expect((await read('')).json).toEqual({ url: ['This parameter is required.'] })
  })

  it('422: the reason why a page cannot be read, not counted as usage', async () => {
    stage.says.read = async () => ({ ok: false, reason: 'status', status: 404 })
    const { status, json } = await read(`url=${PAGE}`)
    expect(status).toBe(422)
    expect(json).toEqual({ detail: 'The page answered with HTTP 404.', reason: 'status', status: 404 })
    stage.says.read = async () => ({ ok: false, reason: 'robots' })
    expect((await read(`url=${PAGE}`)).json).toMatchObject({ reason: 'robots' })
    expect(stage.counted).toEqual([])
  })

  it('503: too many pages are being read', async () => {
    stage.says.read = async () => {
      throw new UpstreamError('busy', 'too many')
    }
    const { status, headers } = await read(`url=${PAGE}`)
    expect([status, headers['retry-after']]).toEqual([503, '5'])
  })
})

describe('a key that may read what it has found', () => {
  it('reads what its own searches returned, for two hours, and nothing else', async () => {
    stage.says.read = async () => outcomeOf('Low tide is at noon.')
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] })
    const [key, other] = [stage.addKey(FOUND_ONLY), stage.addKey(FOUND_ONLY)]
    expect((await read(`url=${PAGE}`, key)).status).toBe(403)
    await stage.get('/api/v1/web/?q=tides', { key })
    expect((await read(`url=${PAGE}`, key)).status).toBe(200)
    expect((await read(`url=${PAGE}%23top`, key)).status).toBe(200)
    expect((await read(`url=${PAGE}?notes=secret`, key)).status).toBe(403)
    expect((await read(`url=${PAGE}`, other)).status).toBe(403)
    stage.now += 2 * 3_600_000
    expect((await read(`url=${PAGE}`, key)).status).toBe(403)
  })
})

describe('a key that may also read links', () => {
  const LINK = 'https://harbour-gazette.example/sources'
  const NEXT = 'https://far-away.example/next'
  /** Each page links to the next. */
  const readPages = () => {
    stage.says.search = async (tab, request) => found(tab, request, { hits: [HIT] })
    stage.says.read = async (address) => {
      const outcome = outcomeOf('Low tide is at noon.')
      const links = address === PAGE ? [LINK, 'javascript:alert(1)'] : [NEXT]
      return outcome.ok ? { ...outcome, page: { ...outcome.page, links } } : outcome
    }
  }

  it('reads what a page that it found links to, once it has read that page, and no further', async () => {
    readPages()
    const key = stage.addKey(LINKS_TOO)
    await stage.get('/api/v1/web/?q=tides', { key })
    const tooEarly = await read(`url=${LINK}`, key)
    expect([tooEarly.status, tooEarly.json.detail]).toEqual([403, expect.stringContaining('pages that those link to')])
    await read(`url=${PAGE}`, key)
    expect((await read(`url=${LINK}/`, key)).status).toBe(200)
    expect(stage.asked.at(-1)?.[1]).toBe(LINK)
    expect((await read(`url=${LINK}?notes=secret`, key)).status).toBe(403)
    expect((await read(`url=${NEXT}`, key)).status).toBe(403)
    stage.now += 2 * 3_600_000
    expect((await read(`url=${LINK}`, key)).status).toBe(403)
  })

  it('403: without the scope, and for another key', async () => {
    readPages()
    const [key, other] = [stage.addKey(FOUND_ONLY), stage.addKey(LINKS_TOO)]
    await stage.get('/api/v1/web/?q=tides', { key })
    await read(`url=${PAGE}`, key)
    for (const one of [key, other]) expect((await read(`url=${LINK}`, one)).status).toBe(403)
  })

  it('with include=content, what the pages link to', async () => {
    readPages()
    const key = stage.addKey(LINKS_TOO)
    await stage.get('/api/v1/web/?q=tides&include=content', { key })
    expect((await read(`url=${LINK}`, key)).status).toBe(200)
  })
})

describe('an instance without the reader', () => {
  const off = setUpApi({ isReaderOn: false })

  it('404: the endpoint does not exist, and is not listed', async () => {
    const { statusCode } = await off.http.inject(`/api/v1/read/?url=${PAGE}`)
    expect(statusCode).toBe(404)
    expect(Object(off.document.paths)).not.toHaveProperty(['/api/v1/read/'])
  })
})
