// The services of documents, asked by the engines that are made of them: what the engine sends is accepted and read back,
// and anything else is refused.
import { DOCUMENT_ENGINES } from '@bowerbird/engines/documents/all.ts'
import { type Engine, type EngineQuery, type ProviderRequest, TABS } from '@bowerbird/engines/engine.ts'
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

describe.each(CASES)('$slug $tab', ({ engine, tab: name }) => {
  const tab = engine.tabs[name] ?? expect.unreachable(name)
  const request = (change: Partial<EngineQuery> = {}, key?: string) =>
    tab.request({ ...QUERY, ...change }, settingsOf(engine, key))
  const find = (change: Partial<EngineQuery> = {}) => {
    const { hits } = tab.parse(ask(engine, request(change)), { ...QUERY, ...change }, settingsOf(engine))
    return hits.map(({ title, url }) => `${title} ${url}`)
  }

  it('answers what the engine asks, with other results for another query and page', () => {
    const found = find()
    expect(found.length).toBeGreaterThanOrEqual(8)
    expect(new Set(found).size).toBe(found.length)
    expect(find({ text: 'oak tree' })).not.toEqual(found)
    if (tab.lastPage > 1) expect(find({ page: 2 })).not.toEqual(found)
    expect(find({ text: 'nothingtofind' })).toEqual([])
  })

  it('answers with each filter', () => {
    const bounds = { includeDomains: ['a.org'], excludeDomains: ['b.a.org'], dateFrom: 0, dateTo: TEST_NOW }
    const region = tab.takesRegion && 'CH'
    const changes: Partial<EngineQuery>[] = [{ safe: false }, { lang: tab.languages?.[0] ?? 'de' }, { region }, bounds]
    for (const date of ['d', 'w', 'm', 'y'] as const) changes.push({ date })
    for (const change of changes) expect(ask(engine, request(change)).status).toBeLessThan(300)
  })

  it('400: a parameter or a member that is not declared, or nothing asked', () => {
    const good = request()
    const [path = ''] = good.path.split('?')
    const isInQuery = good.path !== path && good.body === undefined
    const refused = [{ ...good, path: `${good.path}${good.path.includes('?') ? '&' : '?'}undeclared=1` }]
    if (good.body !== undefined)
      for (const body of [JSON.stringify({ ...JSON.parse(good.body), undeclared: 1 }), '{', '{}'])
        refused.push({ ...good, body })
    for (const each of refused) expect(ask(engine, each).status).toBe(400)
    if (isInQuery) expect([400, 401]).toContain(ask(engine, { ...good, path }).status)
  })

  it('401: a wrong key; 404: another method or path', () => {
    const good = request()
    expect(ask(engine, request({}, 'wrong')).status).toBe(SANDBOX_KEYS[engine.slug] === '' ? 200 : 401)
    expect(ask(engine, { ...good, method: good.method === 'POST' ? 'GET' : 'POST' }).status).toBe(404)
    expect(ask(engine, { ...good, path: `/nowhere${good.path}` }).status).toBe(404)
  })
})

it.each(ENGINES.filter(({ suggest }) => suggest))('$slug completes', (engine) => {
  const reply = ask(engine, engine.suggest?.request({ text: 'heat', lang: '' }, settingsOf(engine)) ?? { path: '/' })
  expect(engine.suggest?.parse(reply).length).toBeGreaterThan(3)
})
