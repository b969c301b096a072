// The same query through every door is the same search: the same results in the same order, the same limits, usage, cache
// and engine report, and the same refusals. Whatever is sent, a door answers in its own shape and never with a 5xx; and
// neither the query nor the key is written down anywhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../src/keys/scopes.ts'
import { eventually } from '../support/eventually.ts'
import { ODD_VALUES } from '../support/odd-bodies.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const TABS = ['web', 'images', 'news', 'videos'] as const
const CATEGORY = { web: 'general', images: 'images', news: 'news', videos: 'videos' }
const RANGES = { '': '', d: 'day', w: 'week', m: 'month', y: 'year' } as const
const UNLIMITED = { burst: '100000/min', sustained: '1000000/day' }

interface Asked {
  q: string
  tab: (typeof TABS)[number]
  date: keyof typeof RANGES
  lang: string
  page: number
  safe: boolean
}

interface Reply {
  status: number
  headers: Headers
  text: string
}

let instance: TestInstance
beforeAll(async () => {
  instance = await startTestInstance({ DOOR_PATH_KEYS: 'on' })
})
afterAll(() => instance?.close())

async function send(path: string, key: string, body?: unknown): Promise<Reply> {
  const response = await fetch(instance.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const message = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const toolArguments = ({ q, tab, date, lang, page, safe }: Asked) => ({
  query: q,
  tab,
  page,
  safe,
  ...(lang && { language: lang }),
  ...(date && tab !== 'images' && { time_range: RANGES[date] }),
})

/** How each door is asked for the same, and the addresses in its reply, in order. */
const DOORS = {
  searxng: {
    ask: ({ q, tab, date, lang, page, safe }: Asked, key: string) => {
      const query = { q, categories: CATEGORY[tab], time_range: RANGES[date], language: lang || 'all' }
      const params = new URLSearchParams({
        ...query,
        pageno: String(page),
        safesearch: safe ? '1' : '0',
        format: 'json',
      })
      return send(`/searxng/search?${params.toString()}`, key)
    },
    urls: ({ text }: Reply): string[] => JSON.parse(text).results.map(({ url }: { url: string }) => url),
  },
  tools: {
    ask: (asked: Asked, key: string) => send('/tools/search', key, toolArguments(asked)),
    urls: ({ text }: Reply): string[] => JSON.parse(text).results.map(({ url }: { url: string }) => url),
  },
  mcp: {
    ask: (asked: Asked, key: string) =>
      send('/mcp?structured=1', key, message({ name: 'search', arguments: toolArguments(asked) })),
    urls: ({ text }: Reply): string[] =>
      JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent.results.map(
        ({ url }: { url: string }) => url,
      ),
  },
}

/** Each tab with each filter once; not every pair of filters. */
const SEARCHES: Omit<Asked, 'q'>[] = TABS.flatMap((tab) => {
  const plain = { tab, date: '', lang: '', page: 1, safe: true } as const
  const dated = tab === 'images' ? [] : (['d', 'w', 'm', 'y'] as const).map((date) => ({ ...plain, date }))
  return [plain, { ...plain, lang: 'de' }, { ...plain, page: 2 }, { ...plain, safe: false }, ...dated]
})

describe('the same query through every door', () => {
  it.each(SEARCHES)('$tab, date $date, language $lang, page $page, safe $safe', async (search) => {
    const asked = { q: 'climate', ...search }
    const { tab, date, lang, page, safe } = asked
    const filters = {
      q: 'climate',
      date: tab === 'images' ? '' : date,
      lang,
      page: String(page),
      safe: safe ? 'on' : 'off',
    }
    const { date: _date, ...undated } = filters
    const params = new URLSearchParams(tab === 'images' ? undated : filters)
    const api = await instance.api.get(`/api/v1/${tab}/?${params.toString()}`)
    const urls = api.json.results.map(({ url }: { url: string }) => url)
    const outcomes = (status: string | null) => status?.replace(/;(?:ms|cached)=\w+/g, '')
    for (const [name, door] of Object.entries(DOORS)) {
      const reply = await door.ask(asked, instance.key)
      expect([name, door.urls(reply)]).toEqual([name, urls])
      expect(outcomes(reply.headers.get('engine-status'))).toBe(outcomes(api.headers.get('engine-status')))
      expect(reply.headers.get('search-status')).toBe(api.headers.get('search-status'))
    }
  })

  it('Tavily and Open WebUI: the same web and news results, as many as they want', async () => {
    for (const tab of ['web', 'news'] as const) {
      const api = await instance.api.get(`/api/v1/${tab}/?q=climate`)
      const urls = api.json.results.map(({ url }: { url: string }) => url).slice(0, 7)
      const topic = tab === 'news' ? 'news' : 'general'
      const tavily = await send('/tavily/search', instance.key, { query: 'climate', topic, max_results: 7 })
      expect(JSON.parse(tavily.text).results.map(({ url }: { url: string }) => url)).toEqual(urls)
      if (tab === 'news') continue
      const webui = await send('/openwebui/search', instance.key, { query: 'climate', count: 7 })
      expect(JSON.parse(webui.text).map(({ link }: { link: string }) => link)).toEqual(urls)
    }
  })

  it('one cache: what one door has fetched, the others do not fetch again', async () => {
    const asked = { q: freshQuery(), tab: 'web', date: '', lang: '', page: 1, safe: true } as const
    expect((await DOORS.mcp.ask(asked, instance.key)).headers.get('cache-status')).toBe('bowerbird; fwd=miss')
    for (const door of Object.values(DOORS)) {
      expect((await door.ask(asked, instance.key)).headers.get('cache-status')).toBe('bowerbird; hit')
    }
  })

  it('one usage, counted where the API counts it', async () => {
    const key = await instance.createKey(UNLIMITED)
    await instance.api.get('/api/v1/news/?q=climate', { key })
    for (const { ask } of Object.values(DOORS)) {
      expect((await ask({ q: 'climate', tab: 'news', date: '', lang: '', page: 1, safe: true }, key)).status).toBe(200)
    }
    await send('/tavily/search', key, { query: 'climate', topic: 'news' })
    const isCounted = async () => {
      const { json } = await instance.api.get('/api/v1/usage/', { key })
      return JSON.stringify(json).includes('"news_search":5')
    }
    expect(await eventually(isCounted, 5_000)).toBe(true)
  })

  it('one limit, shared by all doors, and 429 at each', async () => {
    const key = await instance.createKey({ burst: '2/min' })
    const asked = { q: 'climate', tab: 'web', date: '', lang: '', page: 1, safe: true } as const
    await instance.api.get('/api/v1/web/?q=climate', { key })
    await send('/tavily/search', key, { query: 'climate' })
    for (const [name, { ask }] of Object.entries(DOORS)) {
      const { status, text, headers } = await ask(asked, key)
      expect([name, text.includes('throttled')]).toEqual([name, true])
      // A tool that is refused is a result that says so.
      if (name !== 'mcp') expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    }
  })

  it('one scope: a key without it is refused by every door alike', async () => {
    const key = await instance.createKey({ scopes: ['maps', 'translate', 'answers'] })
    const asked = { q: 'climate', tab: 'web', date: '', lang: '', page: 1, safe: true } as const
    const replies = [
      ...Object.values(DOORS).map(({ ask }) => ask(asked, key)),
      send('/tavily/search', key, { query: 'a' }),
    ]
    for (const { text } of await Promise.all(replies)) expect(text).toContain('does not have the search scope')
  })
})

describe('whatever is sent', () => {
  const PATHS = {
    '/searxng/search': (body: unknown) => typeof Object(body).error === 'string',
    '/searxng/autocompleter': (body: unknown) => typeof Object(body).error === 'string',
    '/tavily/search': (body: unknown) => typeof Object(Object(body).detail).error === 'string',
    '/tavily/extract': (body: unknown) => typeof Object(Object(body).detail).error === 'string',
    '/openwebui/search': (body: unknown) => typeof Object(body).detail === 'string',
    '/openwebui/load': (body: unknown) => typeof Object(body).detail === 'string',
    '/tools/search': (body: unknown) => typeof Object(body).detail === 'string',
    '/tools/translate': (body: unknown) => typeof Object(body).detail === 'string',
    '/mcp': (body: unknown) => Object(body).jsonrpc === '2.0',
  }
  const MEMBERS = [
    'q',
    'query',
    'text',
    'target',
    'tab',
    'page',
    'pageno',
    'max_results',
    'include_domains',
    'urls',
    'method',
    'id',
  ]

  it.each(Object.entries(PATHS))('%s answers in its own shape, and never with a 5xx', async (path, isOwnShape) => {
    const odd = ODD_VALUES.flatMap((value) => [value, Object.fromEntries(MEMBERS.map((name) => [name, value]))])
    const calls = ODD_VALUES.map((value) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: value }))
    const bodies = [...odd, ...calls, '{', '', '\0', '"', '['.repeat(5_000), '{"__proto__":{"q":1}}']
    const key = await instance.createKey({ ...UNLIMITED, scopes: [...ALL_SCOPES] })
    for (const body of bodies) {
      const { status, text } = await send(path, key, body === undefined ? null : body)
      expect(status, `${path} ${JSON.stringify(body)?.slice(0, 200)}`).toBeLessThan(500)
      if (status >= 400) expect(isOwnShape(JSON.parse(text)), text).toBe(true)
      expect(text).not.toMatch(/\n {4}at |node_modules|127\.0\.0\.1/)
    }
  })

  it('neither the query nor the key is logged or counted, in a header, a body or a path', async () => {
    const canary = `canary${Math.random().toString(36).slice(2)}`
    const key = await instance.createKey({ ...UNLIMITED, scopes: ['search', 'address'] })
    const asked = { q: canary, tab: 'web', date: '', lang: '', page: 1, safe: true } as const
    for (const { ask } of Object.values(DOORS)) await ask(asked, key)
    for (const path of [
      `/searxng/search?q=${canary}`,
      `/mcp?x=${canary}`,
      `/nowhere/${canary}`,
      `/searxng/${canary}`,
    ]) {
      const { text, headers } = await send(`/k/${key}${path}`, 'none')
      expect(`${text}${JSON.stringify([...headers])}`).not.toContain(key)
      if (path.startsWith('/searxng/search')) expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
    const metrics = await instance.instance.services.metrics.text()
    for (const place of [instance.logged(), metrics]) {
      expect(place).not.toContain(canary)
      expect(place).not.toContain(key)
    }
  })
})
