import { createDeadline } from '@bowerbird/engines/deadline.ts'
import {
  defineEngine,
  type EngineQuery,
  type EngineRequest,
  type EngineTab,
  type WebHit,
} from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { askEngine } from './ask-engine.ts'
import type { PlannedEngine } from './plan.ts'
import { webHit } from './search.test-harness.ts'

const hit = (title: string, description: string) => webHit('https://example.org/', { title, description })

const HITS = [
  hit('Wärmepumpe', 'So funktioniert eine Wärmepumpe im Winter, kurz erklärt.'),
  hit('Heat pumps explained', 'How a heat pump works in winter, and what it costs.'),
  hit('HP 300', ''),
]

const TAB: EngineTab<WebHit, unknown> = {
  lastPage: 1,
  honours: [],
  request: () => ({ path: '/' }),
  parse: () => ({ hits: HITS, correction: '' }),
}

async function ask(changes: Partial<EngineTab<WebHit, unknown>>, lang = '', bounds: Partial<EngineQuery> = {}) {
  const tab = { ...TAB, ...changes }
  const sent: EngineRequest[] = []
  const engine = defineEngine({
    slug: 'fern',
    name: 'Fern',
    homepage: 'https://fern.example',
    settings: { baseUrl: { env: 'FERN_URL', isSecret: false, fallback: 'https://fern.example' } },
    terms: { cacheSeconds: 0, cacheIn: 'memory', pricePerCallMicros: 100, attribution: '', asOf: '2026-11-15' },
    tabs: { web: tab },
  })
  const planned: PlannedEngine = {
    slot: { name: 'engine_a', weight: 1, engines: {} },
    tab,
    weight: 1,
    weightFrom: 'default',
    bound: {
      engine,
      settings: { baseUrl: '' },
      ask: async (request, _deadline, read) => {
        sent.push(request)
        return read({ status: 200, headers: {}, body: '' })
      },
    },
  }
  const deadline = createDeadline(1_000)
  const query = { text: 'wärmepumpe', page: 1, safe: false, date: undefined, lang, now: 0, ...bounds }
  const response = await askEngine({
    tabName: 'web',
    planned,
    query,
    deadline,
    isForVisitor: false,
    observe: () => undefined,
    log: createLog('silent'),
  }).finally(() => deadline.cancel())
  return { titles: response.hits.map(({ title }) => title), correction: response.correction, sent }
}

it('of an engine that sends thousands of results, the first two hundred count', async () => {
  const hits = Array.from({ length: 5_000 }, (_, at) => hit(String(at), ''))
  const { titles } = await ask({ parse: () => ({ hits, correction: '' }) })
  expect(titles).toEqual(hits.slice(0, 200).map(({ title }) => title))
})

describe('an engine that cannot filter by language', () => {
  it('loses what is clearly in another language, and keeps what is ambiguous', async () => {
    expect((await ask({ hasTextInAnyLanguage: true }, 'de-AT')).titles).toEqual(['Wärmepumpe', 'HP 300'])
    expect((await ask({ hasTextInAnyLanguage: true }, 'en')).titles).toEqual(['Heat pumps explained', 'HP 300'])
  })

  it('loses nothing when no language was requested', async () => {
    expect((await ask({ hasTextInAnyLanguage: true })).titles).toHaveLength(3)
  })
})

it('an engine that filters by language is trusted', async () => {
  expect((await ask({ honours: ['lang'] }, 'de')).titles).toHaveLength(3)
})

describe('a call', () => {
  it('costs what the tab declares, or what the request declares', async () => {
    const { sent } = await ask({ priceFactor: 5 })
    expect(sent).toEqual([{ path: '/', priceFactor: 5 }])
    const special = await ask({ priceFactor: 5, request: () => ({ path: '/', priceFactor: 2 }) })
    expect(special.sent).toEqual([{ path: '/', priceFactor: 2 }])
    expect((await ask({})).sent).toEqual([{ path: '/' }])
  })
})

describe('domains and dates', () => {
  const DAY_MS = 86_400_000

  /** The query that the engine is asked. */
  async function asked(changes: Partial<EngineTab<WebHit, unknown>>, bounds: Partial<EngineQuery>) {
    const queries: EngineQuery[] = []
    const request = (query: EngineQuery) => {
      queries.push(query)
      return { path: '/' }
    }
    await ask({ ...changes, request }, '', bounds)
    return queries[0]
  }
  const textOf = async (...args: Parameters<typeof asked>) => (await asked(...args))?.text

  it('become operators where the engine understands them', async () => {
    const two = { includeDomains: ['a.org', 'b.org'], excludeDomains: ['c.a.org'] }
    const one = { includeDomains: ['a.org'] }
    expect(await textOf({ siteOperators: 'several' }, two)).toBe('wärmepumpe (site:a.org OR site:b.org) -site:c.a.org')
    expect(await textOf({ siteOperators: 'one' }, one)).toBe('wärmepumpe site:a.org')
    expect(await textOf({ siteOperators: 'one' }, two)).toBe('wärmepumpe -site:c.a.org')
    expect(await textOf({}, two)).toBe('wärmepumpe')
  })

  it.each([
    ['wärmepumpen site:a.org', 'wärmepumpen'],
    ['site:a.org wärmepumpen (günstig)', 'wärmepumpen (günstig)'],
    ['wärmepumpen (site:a.org OR site:b.org) -site:c.a.org', 'wärmepumpen'],
    ['Wärmepumpe site:a.org', ''],
    ['', ''],
  ])('are no part of a correction: %j is shown as %j', async (correction, shown) => {
    const parse = () => ({ hits: HITS, correction })
    const bounds = { includeDomains: ['a.org', 'b.org'], excludeDomains: ['c.a.org'] }
    expect((await ask({ siteOperators: 'several', parse }, '', bounds)).correction).toBe(shown)
  })

  it('stay in the correction of a search in which they were typed', async () => {
    const parse = () => ({ hits: HITS, correction: 'wärmepumpen site:a.org' })
    const typed = { text: 'wärmepumpn site:a.org' }
    expect((await ask({ siteOperators: 'several', parse }, '', typed)).correction).toBe('wärmepumpen site:a.org')
  })

  it('become none if the query would be too long with them', async () => {
    const includeDomains = Array.from({ length: 50 }, (_, at) => `some-long-name-${at}.example.org`)
    expect(await textOf({ siteOperators: 'several' }, { includeDomains })).toBe('wärmepumpe')
  })

  it('become the shortest time range that has them all, unless the engine takes the dates', async () => {
    const now = 1_000 * DAY_MS
    const since = (days: number) => ({ now, dateFrom: now - days * DAY_MS })
    expect((await asked({}, since(1)))?.date).toBe('d')
    expect((await asked({}, since(8)))?.date).toBe('m')
    expect((await asked({}, since(400)))?.date).toBeUndefined()
    expect((await asked({ takesDateRange: true }, since(8)))?.date).toBeUndefined()
    expect((await asked({}, { ...since(8), date: 'd' }))?.date).toBe('d')
  })
})
