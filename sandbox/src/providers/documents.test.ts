// The services of documents, asked by the engines that are made of them: what the engine sends is accepted and read back,
// and anything else is refused.
import { DOCUMENT_ENGINES } from '@bowerbird/engines/documents/all.ts'
import { type Engine, type EngineQuery, type ProviderRequest, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { describe, expect, it } from 'vitest'
import { createCorpus } from '../corpus/corpus.ts'
import { SANDBOX_KEYS } from '../sandbox.ts'
import { DOCUMENT_PROVIDERS } from './documents.ts'
import { TEST_NOW } from './provider-testing.ts'

const corpus = createCorpus('test')
const QUERY: EngineQuery = { text: 'heat "pump" & more', page: 1, safe: true, date: undefined, lang: '', now: TEST_NOW }

const settingsOf = ({ slug, settings }: Engine, key = SANDBOX_KEYS[slug] ?? '') => {
  const values = Object.entries(settings).map(([name, { isSecret, fallback, oneOf }]) => [
    name,
    isSecret ? key : (fallback ?? oneOf?.[0] ?? 'sandbox'),
  ])
  return { ...Object.fromEntries(values), baseUrl: 'http://sandbox.example', linkUrl: 'https://mine.example' }
}

function ask({ slug }: Engine, request: ProviderRequest) {
  const provider = DOCUMENT_PROVIDERS.find((each) => each.slug === slug) ?? expect.unreachable(slug)
  const { pathname, searchParams } = new URL(request.path, 'http://sandbox.example')
  const { method = 'GET', headers = {}, body = '' } = request
  const asked = { method, path: pathname, query: searchParams, headers, body, now: TEST_NOW }
  const reply = provider.answer(asked, corpus) ?? provider.failure(TEST_NOW, 404)
  return { status: reply.status, headers: {}, body: 'json' in reply ? JSON.stringify(reply.json) : reply.text }
}

const ENGINES = DOCUMENT_ENGINES.filter(({ slug }) => DOCUMENT_PROVIDERS.some((provider) => provider.slug === slug))

const CASES = ENGINES.flatMap((engine) =>
  TABS.filter((tab) => engine.tabs[tab]).map((tab) => ({ engine, tab, slug: engine.slug })),
)

const requestOf = (engine: Engine, tab: Tab, { key, ...change }: Partial<EngineQuery> & { key?: string } = {}) =>
  engine.tabs[tab]?.request({ ...QUERY, ...change }, settingsOf(engine, key)) ?? expect.unreachable(tab)

const hitsOf = (engine: Engine, tab: Tab, change: Partial<EngineQuery> = {}) =>
  engine.tabs[tab]?.parse(ask(engine, requestOf(engine, tab, change)), { ...QUERY, ...change }, settingsOf(engine))
    .hits ?? []

describe.each(CASES)('$slug $tab', ({ engine, tab }) => {
  const { lastPage = 1, honours = [] } = engine.tabs[tab] ?? {}

  it('answers what the engine asks, with other results for another query and page', () => {
    const titles = hitsOf(engine, tab).map(({ title, url }) => `${title} ${url}`)
    expect(titles.length).toBeGreaterThanOrEqual(8)
    expect(new Set(titles).size).toBe(titles.length)
    expect(hitsOf(engine, tab, { text: 'oak tree' }).map(({ title, url }) => `${title} ${url}`)).not.toEqual(titles)
    if (lastPage > 1)
      expect(hitsOf(engine, tab, { page: 2 }).map(({ title, url }) => `${title} ${url}`)).not.toEqual(titles)
  })

  it('finds nothing where there is nothing', () => {
    expect(hitsOf(engine, tab, { text: 'nothingtofind' })).toEqual([])
  })

  it('answers with each filter that the engine honours', () => {
    const lang = engine.tabs[tab]?.languages?.[0] ?? 'de'
    if (honours.includes('date'))
      for (const date of ['d', 'w', 'm', 'y'] as const) ask(engine, requestOf(engine, tab, { date }))
    const region = engine.tabs[tab]?.takesRegion ? 'CH' : undefined
    const bounds = { includeDomains: ['a.org'], excludeDomains: ['b.a.org'], dateFrom: 0, dateTo: TEST_NOW }
    const changes: Partial<EngineQuery>[] = [{ safe: false }, { date: 'y' }, { lang }, { region }, bounds]
    for (const change of changes) expect(ask(engine, requestOf(engine, tab, change)).status).toBeLessThan(300)
  })

  it('400: a parameter or a member that is not declared', () => {
    const request = requestOf(engine, tab)
    const path = `${request.path}${request.path.includes('?') ? '&' : '?'}undeclared=1`
    expect(ask(engine, { ...request, path }).status).toBe(400)
    if (request.body === undefined) return
    expect(
      ask(engine, { ...request, body: JSON.stringify({ ...JSON.parse(request.body), undeclared: 1 }) }).status,
    ).toBe(400)
    expect(ask(engine, { ...request, body: '{' }).status).toBe(400)
  })

  it('400: nothing asked', () => {
    const request = requestOf(engine, tab)
    const [path = ''] = request.path.split('?')
    const { body, ...bare } = request
    const isInQuery = request.path !== path && body === undefined
    if (isInQuery) expect([400, 401]).toContain(ask(engine, { ...bare, path }).status)
    else if (body !== undefined) expect(ask(engine, { ...request, body: '{}' }).status).toBe(400)
  })

  it('401: a wrong key; 404: another method or path', () => {
    const wrong = requestOf(engine, tab, { key: 'wrong' })
    expect(ask(engine, wrong).status).toBe(SANDBOX_KEYS[engine.slug] === '' ? 200 : 401)
    const request = requestOf(engine, tab)
    expect(ask(engine, { ...request, method: request.method === 'POST' ? 'GET' : 'POST' }).status).toBe(404)
    expect(ask(engine, { ...request, path: `/nowhere${request.path}` }).status).toBe(404)
  })
})

it.each(ENGINES.filter(({ suggest }) => suggest))('$slug completes', (engine) => {
  const request =
    engine.suggest?.request({ text: 'heat', lang: '' }, settingsOf(engine)) ?? expect.unreachable('it does')
  expect(engine.suggest?.parse(ask(engine, request)).length).toBeGreaterThan(3)
})
