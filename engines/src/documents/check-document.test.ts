import { describe, expect, it } from 'vitest'
import { DOCUMENTS } from './all.ts'
import { checkDocument } from './check-document.ts'
import type { EngineDocument } from './document-format.ts'

it.each(DOCUMENTS)('$slug is a valid document', (document) => {
  expect(checkDocument(document)).toEqual({ ok: true, document })
})

const WEB = {
  paging: { by: 'request', lastPage: 5 },
  request: { path: '/search', query: { q: '${query}', page: '${page}' } },
  reply: { results: '/results', hit: { title: '/title', url: '/url' } },
}
const DOCUMENT = {
  bowerbird: 1,
  slug: 'example',
  name: 'Example',
  homepage: 'https://engine.example',
  terms: { cacheSeconds: 60, asOf: '2026-11-16' },
  tabs: { web: WEB },
}
const withWeb = (change: object) => ({ ...DOCUMENT, tabs: { web: { ...WEB, ...change } } })
const withRequest = (change: object) => withWeb({ request: { ...WEB.request, ...change } })
const withQuery = (change: object, rest: object = {}) =>
  withWeb({ request: { ...WEB.request, query: { ...WEB.request.query, ...change } }, ...rest })

const RANGE = { honours: ['date'], takesDateRange: true }

const mistakesIn = (document: unknown): string[] => {
  const checked = checkDocument(document)
  return checked.ok ? [] : checked.mistakes.map(({ path, message }) => `${path.join('/')}: ${message}`)
}

describe('checkDocument', () => {
  it('takes a document', () => {
    expect(mistakesIn(DOCUMENT)).toEqual([])
  })

  it.each([
    ['an unknown variable', withQuery({ lang: '${language}' }), /^tabs\/web\/request\/query\/lang: does not match/],
    ['a secret in a template', withQuery({ k: '${apiKey}' }), /^tabs\/web\/request\/query\/k: /],
    ['an undeclared setting', withQuery({ i: '${setting.index}' }), /index, which is not declared/],
    ['an unknown member', { ...DOCUMENT, scripts: [] }, /^: has members that are not known: scripts/],
    ['a query in the path', withRequest({ path: '/search?q=${query}' }), /^tabs\/web\/request\/path: /],
    ['a path that leads elsewhere', withRequest({ path: '/a/../b' }), /^tabs\/web\/request\/path: /],
    ['a path without a host', withRequest({ path: '//evil.example/' }), /^tabs\/web\/request\/path: /],
    ['a header that is the host’s', withRequest({ headers: { host: 'evil.example' } }), /headers/],
    ['a query in a header', withRequest({ headers: { 'x-q': '${query}' } }), /headers\/x-q: /],
    ['a POST without a body', withRequest({ method: 'POST' }), /POST needs a body/],
    ['no query', withRequest({ query: { page: '${page}' } }), /must use \$\{query\}/],
    ['pages that are all alike', withRequest({ query: { q: '${query}' } }), /asks for every page alike/],
    [
      'a filter of pictures that is not declared',
      withQuery({ s: { $by: 'size', large: 'l' } }),
      /imageFilters: lacks a value of size/,
    ],
    ['a range without an end', withQuery({ t: '${since.date}' }, RANGE), /takesDateRange: names a range of dates, but/],
    ['a date that is not asked for', withWeb({ honours: ['date'] }), /honours: names date, but/],
    [
      'a date with a value forgotten',
      withQuery({ t: { $by: 'date', d: 'day', w: 'week', m: 'month' } }, { honours: ['date'] }),
      /honours: names date, but/,
    ],
    [
      'a language that is asked for only in part',
      withQuery({ l: { $by: 'lang', de: 'deu' } }, { honours: ['lang'] }),
      /honours: names lang, but/,
    ],
    ['a region that is not asked for', withWeb({ regions: 'any' }), /regions: names regions, but/],
    ['a region that is not declared', withQuery({ r: '${region}' }, {}), /request: is different for a region/],
    ['a region that is none', withQuery({ r: '${region}' }, { regions: ['Germany'] }), /regions/],
    ['an operator that there isn’t', withWeb({ operators: ['near'] }), /operators/],
    ['safe that is not asked for', withWeb({ honours: ['safe'] }), /honours: names safe, but/],
    ['a date that is not declared', withQuery({ t: '${since.iso}' }), /is different for date/],
    [
      'a private engine in a shared cache',
      { ...DOCUMENT, private: true, terms: { ...DOCUMENT.terms, cacheIn: 'shared' } },
      /memory/,
    ],
    [
      'a name that is not in let',
      withWeb({ reply: { ...WEB.reply, hit: { title: '/t', url: { template: '${kind}' } } } }),
      /kind, which is not in let/,
    ],
    ['no tab', { ...DOCUMENT, tabs: undefined }, /needs tabs or suggest/],
    ['a setting called like a secret', { ...DOCUMENT, settings: { apiKey: {} } }, /settings/],
  ])('refuses %s, and says where', (_, document, mistake) => {
    expect(mistakesIn(document).join('\n')).toMatch(mistake)
  })

  it('takes a date whose every value is asked for', () => {
    const names = { $by: 'date', d: 'day', w: 'week', m: 'month', y: 'year' }
    expect(mistakesIn(withQuery({ t: names }, { honours: ['date'] }))).toEqual([])
    expect(mistakesIn(withQuery({ t: '${since.date}' }, { honours: ['date'] }))).toEqual([])
  })

  it('takes a region that is asked for, and operators', () => {
    expect(mistakesIn(withQuery({ r: '${region.lower}' }, { regions: 'any', operators: ['quotes'] }))).toEqual([])
    expect(mistakesIn(withQuery({ r: '${region}' }, { regions: ['AT', 'CH'] }))).toEqual([])
  })

  it('gives the document back as it was', () => {
    const checked = checkDocument(DOCUMENT)
    expect(checked).toEqual({ ok: true, document: DOCUMENT satisfies object as unknown as EngineDocument })
  })
})
