// What a document makes of requests and replies is in fixtures/documents/engine-from/examples.json: each row has the part of
// a document (`with`) that differs from the plain one below.
import { describe, expect, it } from 'vitest'
import { ANY } from '../../test/engine-query.ts'
import { describePage, type Example, readExamples, runExamples, toQuery } from '../../test/examples.ts'
import { checkDocument } from './check-document.ts'
import { engineFrom } from './engine-from.ts'
import { extended } from './extend-document.ts'

const PLAIN = {
  bowerbird: 1,
  slug: 'example',
  name: 'Example',
  homepage: 'https://engine.example',
  terms: { cacheSeconds: 60, asOf: '2026-11-16' },
  tabs: {
    web: {
      paging: { by: 'request', lastPage: 5 },
      request: { path: '/search', query: { q: '${query}', page: '${page}' } },
      reply: { results: '/results', hit: { title: '/title', url: '/url' } },
    },
  },
}

const SETTINGS = { baseUrl: 'http://service:8000', linkUrl: 'https://service.example/home' }

/** An engine of the plain document with this part changed, which must be valid. */
function engineWith(part: object = {}) {
  const checked = checkDocument(extended({ ...part, extends: 'example' }, [PLAIN]))
  if (!checked.ok) throw new Error(JSON.stringify(checked.mistakes))
  return engineFrom(checked.document)
}

const tabWith = (part?: object, tab: 'web' | 'science' = 'web') => engineWith(part).tabs[tab] ?? expect.unreachable(tab)

describe.each(['web', 'science'] as const)('a document for %s', (tab) => {
  const examples: (Example & { with?: object })[] = readExamples('documents/engine-from')[tab] ?? []
  for (const { with: part, ...example } of examples) {
    const subject = {
      request: () => tabWith(part, tab).request(toQuery(example), { ...SETTINGS, ...example.settings }),
      read: (reply: Parameters<ReturnType<typeof tabWith>['parse']>[0]) =>
        describePage(tabWith(part, tab).parse(reply, toQuery(example), SETTINGS)),
    }
    runExamples([example], subject, 'documents/engine-from')
  }
})

it('a document takes the regions and operators that it declares', () => {
  const request = { query: { country: '${region}' } }
  const tab = tabWith({ tabs: { web: { request, regions: ['AT', 'CH'], operators: ['quotes'] } } })
  expect(tab.takesRegion?.('CH', '')).toBe(true)
  expect(tab.takesRegion?.('DE', '')).toBe(false)
  expect(tab.operators).toEqual(['quotes'])
})

it('a document tells which results became no hits, and why', () => {
  const tab = tabWith({ tabs: { web: { reply: { keep: [{ at: '/type', isNot: 'user' }] } } } })
  const page = { title: 'Oak', url: 'https://a.example/' }
  const results = [page, { ...page, type: 'user' }, { title: 'No address', url: 'mailto:ada@a.example' }]
  const reply = { status: 200, headers: {}, body: JSON.stringify({ results }) }
  expect(tab.explainDropped?.(reply, ANY, SETTINGS)).toEqual([
    'Result 2 does not meet the condition at /type in keep.',
    'Result 3 has no http(s) address in url.',
  ])
})

it('a reply is cut into pages where the provider has none', () => {
  const tab = tabWith({ tabs: { web: { paging: { by: 'cut', lastPage: 3 }, request: { query: { page: null } } } } })
  const results = Array.from({ length: 25 }, (_, at) => ({ title: `${at}`, url: `https://a.example/${at}` }))
  const reply = { status: 200, headers: {}, body: JSON.stringify({ results }) }
  const { hits } = tab.parse(reply, { ...ANY, page: 3 }, SETTINGS)
  expect(hits.map(({ title }) => title)).toEqual(['20', '21', '22', '23', '24'])
})

describe('the settings of a document', () => {
  it('are named after its slug, and a service of the operator has an address for readers', () => {
    const settings = { indexName: { default: 'web' }, mode: { default: 'a', oneOf: ['a', 'b'] } }
    expect(engineWith({ auth: { bearer: 'apiKey' }, settings }).settings).toEqual({
      apiKey: { env: 'EXAMPLE_API_KEY', isSecret: true, fallback: undefined },
      indexName: { env: 'EXAMPLE_INDEX_NAME', isSecret: false, fallback: 'web' },
      mode: { env: 'EXAMPLE_MODE', isSecret: false, fallback: 'a', oneOf: ['a', 'b'] },
      linkUrl: { env: 'EXAMPLE_LINK_URL', isSecret: false, fallback: '' },
      baseUrl: { env: 'EXAMPLE_URL', isSecret: false, fallback: undefined },
    })
  })

  it('of a public engine are its address and its key', () => {
    expect(engineWith({ baseUrl: 'https://api.engine.example' }).settings).toEqual({
      baseUrl: { env: 'EXAMPLE_URL', isSecret: false, fallback: 'https://api.engine.example' },
    })
  })
})

it('a private engine is marked, and cached only in memory', () => {
  expect(engineWith({ private: true })).toMatchObject({ isPrivate: true, terms: { cacheIn: 'memory' } })
})

it('another Bowerbird is marked', () => {
  expect(engineWith({ isBowerbird: true }).isBowerbird).toBe(true)
})

it('completions are a list of texts', () => {
  const { suggest } = engineWith({ suggest: { request: { path: '/complete', query: { q: '${query}' } }, list: '/1' } })
  const read = (body: unknown) => suggest?.parse({ status: 200, headers: {}, body: JSON.stringify(body) })
  expect(suggest?.request({ text: 'oa', lang: '' }, { baseUrl: '' }).path).toBe('/complete?q=oa')
  expect(read(['oa', ['oak', 'oats']])).toEqual(['oak', 'oats'])
  expect(() => read({ error: 1 })).toThrow(expect.objectContaining({ kind: 'malformed' }))
})

it('extends merges members, replaces lists, and removes what is null', () => {
  const base = { slug: 'base', list: [1, 2], deep: { a: 1, b: 2 } }
  const document = { extends: 'base', slug: 'notes', list: [3], deep: { a: null, c: 3 } }
  expect(extended(document, [base])).toEqual({ slug: 'notes', list: [3], deep: { b: 2, c: 3 } })
  expect(extended({ extends: 'nothing' }, [base])).toEqual({ extends: 'nothing' })
})
