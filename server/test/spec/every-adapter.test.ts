// Empty values for every engine of every tab: a response in which everything optional is missing, or null, becomes results
// with all their keys, empty where nothing is known. Each engine has its own slot, and there are more engines than
// letters, so there are several instances. The private ones are in MINE of the first.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const NO_SLOTS = { ENGINE_A: '', ENGINE_B: '', ENGINE_C: '' }
const FAULTS = ['omit-optional', 'nulls'] as const
const PRIVATE = ALL_ENGINES.flatMap(({ slug, isPrivate }) => (isPrivate ? [slug] : []))
const SEARCHERS = ALL_ENGINES.filter(({ slug, tabs }) => Object.keys(tabs).length > 0 && !PRIVATE.includes(slug))
const SUGGESTERS = ALL_ENGINES.flatMap(({ slug, suggest, isPrivate }) => (suggest && !isPrivate ? [slug] : []))
const LETTERS = 26
const placeOf = (slug: string) => SEARCHERS.findIndex((engine) => engine.slug === slug)
const slotOf = (slug: string) => `engine_${String.fromCharCode(97 + (placeOf(slug) % LETTERS))}`

const servers: TestInstance[] = []
let mineKey: string
const serverOf = (slug: string): TestInstance =>
  servers[Math.max(0, Math.floor(placeOf(slug) / LETTERS))] ?? expect.unreachable('there is one for every 26')
beforeAll(async () => {
  for (let first = 0; first < SEARCHERS.length; first += LETTERS) {
    const slots = SEARCHERS.slice(first, first + LETTERS).map(({ slug }) => [slotOf(slug).toUpperCase(), slug])
    const settings = { ...NO_SLOTS, ...WITHOUT_RATE_LIMIT, ...Object.fromEntries(slots), SUGGEST: SUGGESTERS.join(' ') }
    servers.push(await startTestInstance({ ...settings, MINE: PRIVATE.join(' ') }))
  }
  mineKey = await serverOf(PRIVATE[0] ?? '').createKey({
    burst: '100000/min',
    sustained: '1000000/day',
    scopes: ['mine'],
  })
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** The name in a request and a response: of its slot, or its own if it is private. */
const nameOf = (slug: string) => (PRIVATE.includes(slug) ? slug : slotOf(slug))
const ask = (slug: string, tab: Tab) => {
  const parameters = `q=${freshQuery()}&safe=off&engine=${nameOf(slug)}`
  const { api } = serverOf(slug)
  return PRIVATE.includes(slug)
    ? api.get(`/api/v1/mine/?${parameters}`, { key: mineKey })
    : api.get(`/api/v1/${tab}/?${parameters}`)
}

/** The fields of a result, and which of them every provider must send. */
const WEB = {
  all: 'title url description display_url favicon_url age source source_label sitelinks'.split(' '),
  always: 'url display_url favicon_url source source_label'.split(' '),
}
const FIELDS: Record<Tab, { all: string[]; always: string[] }> = {
  web: WEB,
  science: WEB,
  code: WEB,
  images: { all: 'title url source thumbnail'.split(' '), always: 'url source thumbnail'.split(' ') },
  news: {
    all: 'title url description age source hostname thumbnail'.split(' '),
    always: 'url source hostname'.split(' '),
  },
  videos: { all: 'title url age source duration hostname thumbnail'.split(' '), always: ['url', 'hostname'] },
}

/**
 * Fields that any provider may omit, so they are empty here. Fields with a second source in a response are not listed.
 */
const EMPTY: Record<Tab, string[]> = {
  web: ['age'],
  images: [],
  news: ['age'],
  videos: ['age', 'duration'],
  science: ['age'],
  code: ['age'],
}

/** The sandbox takes from these what a result can't do without, too: its address, or its picture. */
const LOSING_RESULTS = ['bowerbird images', 'trilium web']

const CASES = ALL_ENGINES.flatMap(({ slug, tabs }) =>
  TABS.filter((tab) => tab in tabs && !LOSING_RESULTS.includes(`${slug} ${tab}`)).flatMap((tab) =>
    FAULTS.map((kind) => [slug, tab, kind] as const),
  ),
)

it('every engine is covered', () => {
  expect(PRIVATE.length).toBeGreaterThanOrEqual(15)
  const tabs = ALL_ENGINES.reduce((count, engine) => count + Object.keys(engine.tabs).length, 0)
  expect(CASES).toHaveLength(2 * (tabs - LOSING_RESULTS.length))
  const looked = new Set([...CASES.map(([slug]) => slug), ...SUGGESTERS, 'trilium'])
  expect([...looked].sort()).toEqual(ALL_ENGINES.map(({ slug }) => slug))
})

describe('results', () => {
  it.each(CASES)('%s, %s, %s: every key is there, with an empty value of its type', async (slug, tab, kind) => {
    const server = serverOf(slug)
    server.sandbox.setFault(slug, { kind })
    const { status, json, headers } = await ask(slug, tab)
    server.sandbox.setFault(slug, undefined)
    expect(status).toBe(200)
    expect(json.engine).toEqual([nameOf(slug)])
    expect(headers.get('engine-status')).toMatch(new RegExp(`^${nameOf(slug)};ok;n=\\d+;ms=\\d+$`))
    expect(json.results.length).toBeGreaterThan(5)
    const { all, always } = FIELDS[tab]
    for (const result of json.results) {
      expect(Object.keys(result)).toEqual(all)
      // A story has its discussion as a sitelink, whose address is made of its number.
      const sitelinks = slug === 'hackernews' ? expect.any(Array) : []
      for (const name of all) expect(result[name], name).toEqual(name === 'sitelinks' ? sitelinks : expect.any(String))
      for (const name of always) expect(result[name], name).not.toBe('')
      const isDated = ALL_ENGINES.find((engine) => engine.slug === slug)?.tabs[tab]?.knowsDates === true
      for (const name of EMPTY[tab].filter((field) => field !== 'age' || !isDated)) expect(result[name], name).toBe('')
    }
  })

  it('every engine fills in what its provider does send', async () => {
    for (const [slug, tab] of CASES.filter(([, , kind]) => kind === 'nulls')) {
      const { json } = await ask(slug, tab)
      const filled = new Set<string>()
      for (const result of json.results) {
        for (const [name, value] of Object.entries(result)) if (value !== '') filled.add(name)
      }
      const missing = [...FIELDS[tab].always, 'title'].filter((name) => !filled.has(name))
      expect(missing, `${slug} ${tab}`).toEqual([])
    }
  })
})

describe('suggestions', () => {
  it.each(SUGGESTERS.flatMap((slug) => FAULTS.map((kind) => [slug, kind] as const)))(
    '%s, %s: still a list of strings',
    async (slug, kind) => {
      const [server = expect.unreachable('there is one')] = servers
      // The others return nothing, so that every suggestion is this one's.
      for (const other of SUGGESTERS) server.sandbox.setFault(other, { kind: other === slug ? kind : 'no-results' })
      const { status, json, headers } = await server.api.get(`/api/v1/suggest/?q=${freshQuery('clim')}`)
      for (const other of SUGGESTERS) server.sandbox.setFault(other, undefined)
      expect(status).toBe(200)
      expect(headers.get('search-status')).toBe('complete')
      expect(Object.keys(json)).toEqual(['query', 'suggestions'])
      expect(json.suggestions.length).toBeGreaterThan(3)
      for (const suggestion of json.suggestions) expect(suggestion).toMatch(/\S/)
    },
  )
})
