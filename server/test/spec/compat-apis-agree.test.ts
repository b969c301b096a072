// The same query through every compatible API is the same search: the same results in the same order, the same limits, usage, cache
// and engine report, and the same refusals.
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { useTestInstance } from '../support/test-instance.ts'
import { type CompatReply, sendTo } from './compat-request.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const TABS = ['web', 'images', 'news', 'videos', 'science', 'code'] as const
const CATEGORY = { web: 'general', images: 'images', news: 'news', videos: 'videos', science: 'science', code: 'it' }
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

const instance = useTestInstance({ ...WITHOUT_RATE_LIMIT, URL_KEYS: 'on' })

const send = (path: string, key: string, body?: unknown) => sendTo(instance.url, path, { key, body })

const message = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const toolArguments = ({ q, tab, date, lang, page, safe }: Asked) => ({
  query: q,
  tab,
  page,
  safe,
  ...(lang && { language: lang }),
  ...(date && tab !== 'images' && { time_range: RANGES[date] }),
})

interface TestedApi {
  ask: (asked: Asked, key: string) => Promise<CompatReply>
  /** The addresses in its reply, in order. */
  urls: (reply: CompatReply) => string[]
  /** Whether it can be asked for that at all; everything unless it says otherwise. */
  takes?: (asked: Asked) => boolean
  /** Maximum number of results. */
  most?: number
}

const urlsIn = (results: { url: string }[]) => results.map(({ url }) => url)

/** The same search, as a request to each API. */
const APIS: Record<string, TestedApi> = {
  searxng: {
    ask: ({ q, tab, date, lang, page, safe }, key) => {
      const query = { q, categories: CATEGORY[tab], time_range: RANGES[date], language: lang || 'all' }
      const params = new URLSearchParams({ ...query, pageno: String(page), safesearch: safe ? '1' : '0' })
      return send(`/searxng/search?${params.toString()}&format=json`, key)
    },
    urls: ({ text }) => urlsIn(JSON.parse(text).results),
  },
  tools: {
    ask: (asked, key) => send('/tools/search', key, toolArguments(asked)),
    urls: ({ text }) => urlsIn(JSON.parse(text).results),
  },
  mcp: {
    ask: (asked, key) => send('/mcp?structured=1', key, message({ name: 'search', arguments: toolArguments(asked) })),
    urls: ({ text }) => urlsIn(JSON.parse(text).result.structuredContent.results),
  },
  'mcp, as a model reads it': {
    ask: (asked, key) => send('/mcp', key, message({ name: 'search', arguments: toolArguments(asked) })),
    urls: ({ text }) =>
      [...JSON.parse(text).result.content[0].text.matchAll(/^\[\d+\] .*\n {4}(https?:\S+)/gm)].map(([, url]) => url),
  },
  tavily: {
    ask: ({ q, tab, date, lang, safe }, key) => {
      const topic = tab === 'news' ? 'news' : 'general'
      const filters = { ...(date && { time_range: RANGES[date] }), ...(lang && { language: lang }), safe_search: safe }
      return send('/tavily/search', key, { query: q, topic, max_results: 20, ...filters })
    },
    urls: ({ text }) => urlsIn(JSON.parse(text).results),
    most: 20,
    takes: ({ tab, page }) => (tab === 'web' || tab === 'news') && page === 1,
  },
  firecrawl: {
    ask: ({ q, tab, date, safe }, key) => {
      const dates = date && { tbs: `qdr:${date}` }
      return send('/v2/search', key, { query: q, limit: 100, sources: [{ type: tab }], safe, ...dates })
    },
    urls: ({ text }) => urlsIn(Object.values<{ url: string }[]>(JSON.parse(text).data)[0] ?? []),
    takes: ({ tab, lang, page }) => (tab === 'web' || tab === 'news' || tab === 'images') && !lang && page === 1,
  },
  'firecrawl, v1': {
    ask: ({ q }, key) => send('//v1/search', key, { query: q, limit: 20, country: 'us', lang: 'en' }),
    urls: ({ text }) => urlsIn(JSON.parse(text).data),
    most: 20,
    takes: ({ tab, date, lang, page, safe }) => tab === 'web' && !date && !lang && page === 1 && safe,
  },
  google: {
    ask: ({ q, tab, date, lang, page, safe }, key) => {
      const params = new URLSearchParams({ q, start: String(page * 10 - 9), safe: safe ? 'active' : 'off' })
      if (lang) params.set('lr', `lang_${lang}`)
      if (date) params.set('dateRestrict', `${date}1`)
      if (tab === 'images') params.set('searchType', 'image')
      return send(`/google/customsearch/v1?${params.toString()}`, key)
    },
    urls: ({ text }) =>
      (JSON.parse(text).items ?? []).map(({ link, image }: { link: string; image?: { contextLink: string } }) =>
        image ? image.contextLink : link,
      ),
    most: 10,
    takes: ({ tab }) => tab === 'web' || tab === 'images',
  },
  openwebui: {
    ask: ({ q }, key) => send('/openwebui/search', key, { query: q, count: 20 }),
    urls: ({ text }) => JSON.parse(text).map(({ link }: { link: string }) => link),
    most: 20,
    takes: ({ tab, date, lang, page, safe }) => tab === 'web' && !date && !lang && page === 1 && safe,
  },
}
const apisFor = (asked: Asked) => Object.entries(APIS).filter(([, { takes }]) => takes?.(asked) ?? true)
const PLAIN = { tab: 'web', date: '', lang: '', page: 1, safe: true } as const

/** The web with each filter, and every tab with all filters. */
const SEARCHES: Omit<Asked, 'q'>[] = [
  { ...PLAIN, lang: 'de' },
  { ...PLAIN, page: 2 },
  { ...PLAIN, safe: false },
  ...(['d', 'w', 'm', 'y'] as const).map((date) => ({ ...PLAIN, date })),
  ...TABS.flatMap((tab): Omit<Asked, 'q'>[] => [
    { ...PLAIN, tab },
    { tab, date: tab === 'images' ? '' : 'y', lang: 'de', page: 2, safe: false },
  ]),
]

describe('the same query through every compatible API', () => {
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
    for (const [name, { ask, urls: urlsIn, most }] of apisFor(asked)) {
      const reply = await ask(asked, instance.key)
      expect([name, urlsIn(reply)]).toEqual([name, urls.slice(0, most)])
      expect(outcomes(reply.headers.get('engine-status'))).toBe(outcomes(api.headers.get('engine-status')))
      expect(reply.headers.get('search-status')).toBe(api.headers.get('search-status'))
    }
  })

  it('one cache: what one API has fetched, the others do not fetch again', async () => {
    const asked = { ...PLAIN, q: freshQuery() }
    expect((await APIS['mcp']?.ask(asked, instance.key))?.headers.get('cache-status')).toBe('bowerbird; fwd=miss')
    for (const [name, { ask }] of apisFor(asked)) {
      const { headers } = await ask(asked, instance.key)
      expect([name, headers.get('cache-status')]).toEqual([name, 'bowerbird; hit'])
    }
  })

  it('one usage count, under the same name as in our API', async () => {
    const key = await instance.createKey(UNLIMITED)
    const asked = { ...PLAIN, q: 'climate', tab: 'news' } as const
    await instance.api.get('/api/v1/news/?q=climate', { key })
    for (const [, { ask }] of apisFor(asked)) expect((await ask(asked, key)).status).toBe(200)
    const isCounted = async () => {
      const { json } = await instance.api.get('/api/v1/usage/', { key })
      return JSON.stringify(json).includes(`"news_search":${1 + apisFor(asked).length}`)
    }
    expect(await eventually(isCounted, 5_000)).toBe(true)
  })

  it('429: all compatible APIs share one limit', async () => {
    const key = await instance.createKey({ burst: '2/min' })
    const asked = { ...PLAIN, q: 'climate' }
    await instance.api.get('/api/v1/web/?q=climate', { key })
    await send('/tavily/search', key, { query: 'climate' })
    for (const [name, { ask }] of apisFor(asked)) {
      const { status, text, headers } = await ask(asked, key)
      expect([name, text.includes('throttled')]).toEqual([name, true])
      // MCP reports an error inside a tool result.
      if (name.startsWith('mcp')) continue
      expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    }
  })
})

// searxng#6603: every engine demands a CAPTCHA, and nothing reports it. We call engines by contract; if one blocks us
// anyway, or returns a page for humans, its results are missing and every response says why.
describe('searxng#6603: an engine that demands a CAPTCHA', () => {
  afterEach(() => instance.sandbox.reset())

  it.each([
    ['403 and a page', 'blocked'],
    ['200 and a page', 'html'],
  ] as const)('%s: the other engines answer, and every API names the one that did not', async (_what, kind) => {
    instance.sandbox.setFault('brave', { kind })
    const asked = { ...PLAIN, q: freshQuery() }
    const { json, headers } = await instance.api.get(`/api/v1/web/?q=${encodeURIComponent(asked.q)}`)
    expect(json.results.length).toBeGreaterThan(0)
    for (const [name, { ask, urls, most }] of apisFor(asked)) {
      const reply = await ask(asked, instance.key)
      expect([name, urls(reply)]).toEqual([name, urlsIn(json.results).slice(0, most)])
      expect([name, reply.headers.get('search-status')]).toEqual([name, 'partial'])
      if (name === 'searxng')
        expect(JSON.parse(reply.text).unresponsive_engines).toEqual([['Brave', expect.any(String)]])
      if (name.startsWith('firecrawl'))
        expect(JSON.parse(reply.text).warning).toMatch(/^No results from Brave \(\w+\); results may be incomplete\.$/)
      if (name.startsWith('mcp,')) expect(reply.text).toContain('No results from Brave')
    }
    expect(headers.get('search-status')).toBe('partial')
  })
})
