// What the search tabs have in common.

import { type ImageHit, type NewsHit, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import type { EngineReport } from '../../search/engine-report.ts'
import { found, NOW, setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const DATED: readonly Tab[] = TABS.filter((tab) => tab !== 'images')
const BAD_DAY = 'Send a day such as 2026-11-07, or a time such as 2026-11-07T10:00:00Z.'
const includableIn = (tab: Tab) =>
  tab === 'web' || tab === 'news' ? 'explain, content, date' : DATED.includes(tab) ? 'explain, date' : 'explain, image'

/** Parameters of the searches made. */
async function requestFor(path: string) {
  const { status, text } = await stage.get(path)
  expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' })
  return stage.asked.at(-1)
}

const picture = (title: string): ImageHit => ({
  kind: 'image',
  title,
  url: `https://example.org/${title}`,
  thumbnailUrl: `https://example.org/${title}.png`,
})

describe.each(TABS)('%s search', (tab) => {
  const path = `/api/v1/${tab}/`

  it('200: passes on the query, with defaults for everything omitted', async () => {
    expect(await requestFor(`${path}?q=+climate+`)).toEqual([
      'search',
      tab,
      { text: 'climate', engines: [], safe: true, lang: '', page: 1, date: undefined },
    ])
  })

  it('200: passes on every filter', async () => {
    const date = DATED.includes(tab) ? 'w' : undefined
    const sent = 'q=climate&engine=engine_b,ENGINE_A&safe=off&lang=pt-BR&page=50'
    expect(await requestFor(`${path}?${sent}${date ? `&date=${date}` : ''}`)).toEqual([
      'search',
      tab,
      { text: 'climate', engines: ['engine_b', 'engine_a'], safe: false, lang: 'pt-BR', page: 50, date },
    ])
  })

  it('200: passes a region on in capitals', async () => {
    expect((await requestFor(`${path}?q=climate&region=ch`))?.[2]).toMatchObject({ region: 'CH' })
    expect((await requestFor(`${path}?q=climate&region=`))?.[2]).not.toHaveProperty('region')
  })

  it('200: says how many results rules blocked, if they did', async () => {
    expect((await stage.get(`${path}?q=climate`)).headers).not.toHaveProperty('rules-status')
    stage.says.search = async (name, request) => ({ ...found(name, request), blocked: 3 })
    expect((await stage.get(`${path}?q=climate`)).headers['rules-status']).toBe('blocked=3')
  })

  it('200: passes on that another Bowerbird asks, also through a proxy, and takes no proxy for one', async () => {
    const askedWith = async (via: string) => {
      await stage.get(`${path}?q=climate`, { headers: { via } })
      return stage.callers.at(-1)?.isRelayed
    }
    expect(await askedWith('1.1 bowerbird')).toBe(true)
    expect(await askedWith('1.1 bowerbird, 2.0 Caddy')).toBe(true)
    expect(await askedWith('1.1 bowerbird.proxies.example')).toBe(false)
  })

  it('400: all invalid parameters are reported together, without repeating their values', async () => {
    const { status, json, text } = await stage.get(
      `${path}?engine=canary&safe=canary&lang=canary-canary&region=canary&page=canary&include=canary&date=canary` +
        '&limit=canary&include_domains=canary&exclude_domains=canary&prefer_domains=canary&date_from=canary&date_to=canary',
    )
    expect(status).toBe(400)
    expect(json).toEqual({
      q: ['This parameter is required.'],
      engine: ['Unknown engine. Use engine_a, engine_b, engine_c or all.'],
      safe: ['Send on or off.'],
      lang: ['Send a language tag such as en, de or pt-BR.'],
      region: ['Send a country such as DE or US (ISO 3166-1), or leave it out.'],
      page: ['Send a whole number from 1 to 50.'],
      limit: ['Send a whole number from 1 to 50.'],
      include_domains: ['Send at most 50 domains such as example.org, separated by comma.'],
      exclude_domains: ['Send at most 50 domains such as example.org, separated by comma.'],
      prefer_domains: ['Send at most 50 domains such as example.org, separated by comma.'],
      include: [`Unknown value. Use ${includableIn(tab)}.`],
      ...(DATED.includes(tab) && {
        date: ['Send d (day), w (week), m (month) or y (year).'],
        date_from: [BAD_DAY],
        date_to: [BAD_DAY],
      }),
    })
    expect(text).not.toContain('canary')
    expect(stage.asked).toEqual([])
  })

  it('503: no engine answered: the refusal of the search with its headers, not an empty result', async () => {
    const headers = { 'Retry-After': '5', 'Engine-Status': 'engine_a;timeout;ms=2000' }
    stage.says.search = () => Promise.reject(new Refusal('no_engine_responded', 'No search engine answered.', headers))
    const reply = await stage.get(`${path}?q=climate`)
    expect({ status: reply.status, json: reply.json }).toEqual({
      status: 503,
      json: { detail: 'No search engine answered.' },
    })
    expect(reply.headers).toMatchObject({ 'retry-after': '5', 'engine-status': 'engine_a;timeout;ms=2000' })
    expect(stage.counted).toEqual([])
  })
})

describe('q', () => {
  it.each(['', '?q=', '?q=%20%09'])('400: %j has no query', async (query) => {
    const { status, json } = await stage.get(`/api/v1/web/${query}`)
    expect({ status, json }).toEqual({ status: 400, json: { q: ['This parameter is required.'] } })
  })

  it('200: 500 user-perceived characters, 400: one more', async () => {
    const longest = '🦜'.repeat(500)
    expect((await stage.get(`/api/v1/web/?q=${encodeURIComponent(longest)}`)).json.query).toBe(longest)
    const { status, json } = await stage.get(`/api/v1/web/?q=${encodeURIComponent(`${longest}x`)}`)
    expect({ status, json }).toEqual({ status: 400, json: { q: ['Send at most 500 characters.'] } })
  })
})

describe('the filters', () => {
  it.each([
    ['on', true],
    ['TRUE', true],
    ['1', true],
    ['yes', true],
    ['', true],
    ['off', false],
    ['False', false],
    ['0', false],
    ['no', false],
  ])('safe=%s is %s', async (word, safe) => {
    expect(await requestFor(`/api/v1/web/?q=climate&safe=${word}`)).toMatchObject([{}, {}, { safe }])
  })

  it.each(['0', '-1', '1.5', '51', '1e1', '٣'])('400: page=%s', async (page) => {
    const { status, json } = await stage.get(`/api/v1/web/?q=climate&page=${encodeURIComponent(page)}`)
    expect({ status, json }).toEqual({ status: 400, json: { page: ['Send a whole number from 1 to 50.'] } })
  })

  it.each([
    ['all', []],
    ['', []],
    ['engine_c', ['engine_c']],
    ['engine_c engine_a', ['engine_c', 'engine_a']],
    ['engine_a,,engine_a', ['engine_a']],
    ['engine_b,all', []],
  ])('engine=%s selects %j', async (written, engines) => {
    expect(await requestFor(`/api/v1/web/?q=climate&engine=${written}`)).toMatchObject([{}, {}, { engines }])
  })

  it('engine may be repeated, as by the checkboxes of a form', async () => {
    expect(await requestFor('/api/v1/web/?q=climate&engine=engine_a&engine=engine_b')).toMatchObject([
      {},
      {},
      { engines: ['engine_a', 'engine_b'] },
    ])
  })

  it.each(['d', 'w', 'm', 'y'])('date=%s', async (date) => {
    expect(await requestFor(`/api/v1/news/?q=climate&date=${date}`)).toMatchObject([{}, {}, { date }])
  })

  it('what nobody sees in a query is neither searched nor echoed; what scripts and emoji need is', async () => {
    const hidden = 'cli\u0000mate\u200b\u202e\u{e0069}\u{e0067}'
    const needed = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f469}\u200d\u{1f52c}'
    const { json } = await stage.get(`/api/v1/web/?q=${encodeURIComponent(`${hidden} ${needed}`)}`)
    expect(json.query).toBe(`climate ${needed}`)
    expect(stage.asked).toMatchObject([[{}, {}, { text: `climate ${needed}` }]])
    expect((await stage.get('/api/v1/web/?q=%E2%80%8B')).json).toEqual({ q: ['This parameter is required.'] })
  })

  it('date is ignored for images', async () => {
    expect(await requestFor('/api/v1/images/?q=climate&date=canary')).toMatchObject([{}, {}, { date: undefined }])
  })

  it.each(['engine', 'safe', 'date'])('400: %s does not take what every object has', async (name) => {
    for (const value of ['__proto__', 'constructor', 'toString']) {
      const { status, json } = await stage.get(`/api/v1/web/?q=climate&${name}=${value}`)
      expect(status).toBe(400)
      expect(Object.keys(json)).toEqual([name])
    }
  })

  it.each(['q', 'safe', 'lang', 'page', 'date'])('400: %s twice', async (name) => {
    const { status, json } = await stage.get(`/api/v1/web/?q=climate&${name}=1&${name}=1`)
    expect({ status, json }).toEqual({ status: 400, json: { [name]: ['Send this parameter only once.'] } })
  })
})

describe('the headers', () => {
  const headersFor = async (reports: EngineReport[], status: 'complete' | 'partial' | 'stale' | 'unsupported') => {
    stage.says.search = async (tab, request) => found(tab, request, { reports, status, upstreamMs: 312 })
    return (await stage.get('/api/v1/web/?q=climate')).headers
  }
  const ok = { outcome: 'ok', count: 10, ms: 312, cached: undefined, isStale: false } as const

  it('report the outcome of each engine, and how long they took', async () => {
    const headers = await headersFor(
      [
        { slot: 'engine_a', ...ok },
        { slot: 'engine_b', outcome: 'failed', kind: 'timeout', ms: 2_000, calledProvider: true },
        { slot: 'engine_c', outcome: 'skipped', reason: 'date' },
      ],
      'partial',
    )
    expect(headers).toMatchObject({
      'search-status': 'partial',
      'engine-status': 'engine_a;ok;n=10;ms=312, engine_b;timeout;ms=2000, engine_c;skipped;for=date',
      'server-timing': 'upstream;dur=312',
      'cache-status': 'bowerbird; fwd=miss',
    })
  })

  it('say that no engine had to be queried', async () => {
    const headers = await headersFor([{ slot: 'engine_a', ...ok, cached: 'memory' }], 'complete')
    expect(headers).toMatchObject({ 'search-status': 'complete', 'cache-status': 'bowerbird; hit' })
  })

  it('say that the results are stale', async () => {
    const headers = await headersFor([{ slot: 'engine_a', ...ok, cached: 'shared', isStale: true }], 'stale')
    expect(headers).toMatchObject({
      'search-status': 'stale',
      'engine-status': 'engine_a;ok;n=10;ms=312;cached=stale',
    })
  })
})

describe('include=explain', () => {
  it('adds to each result how its score was computed', async () => {
    stage.says.search = async (_tab, request) => found('images', request, { hits: [picture('one'), picture('two')] })
    const { json } = await stage.get('/api/v1/images/?q=oak&include=explain')
    expect(json.results[1]).toEqual({
      title: 'two',
      url: 'https://example.org/two',
      source: 'example.org',
      thumbnail: 'https://example.org/two.png',
      explain: {
        score: 1 / 14,
        engines: [
          {
            engine: 'engine_a',
            index: 'unknown',
            rank: 2,
            weight: 1,
            weight_from: 'default',
            addition: 1 / 14,
            url: 'https://example.org/two',
          },
        ],
      },
    })
    expect(json.results[0].explain.score).toBe(1 / 13)
  })
})

const requestOf = (text: string) => ({ text, engines: [], safe: true, lang: '', page: 1, date: undefined })

describe('a repeated answer from memory', () => {
  const hit: NewsHit = {
    ...picture('one'),
    kind: 'news',
    publisher: 'The Daily',
    description: '',
    publishedAt: NOW - 90_000,
  }
  const { results } = found('news', requestOf('oak'), { hits: [hit] })
  const answerAt = (now: number, text = 'oak') => found('news', requestOf(text), { results, now })

  it('is rendered again when its ages have changed, and when the query is spelled differently', async () => {
    stage.says.search = async () => answerAt(NOW)
    const first = await stage.get('/api/v1/news/?q=oak')
    expect((await stage.get('/api/v1/news/?q=oak')).text).toBe(first.text)
    stage.says.search = async () => answerAt(NOW + 60_000)
    const later = await stage.get('/api/v1/news/?q=oak')
    expect(later.json.results[0].age).not.toBe(first.json.results[0].age)
    stage.says.search = async () => answerAt(NOW + 60_000, 'OAK')
    expect((await stage.get('/api/v1/news/?q=OAK')).json.query).toBe('OAK')
  })
})
