import type { DateRange } from '@bowerbird/engines/engine.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { datedSearchParams } from '../../api/endpoints/search-endpoint.ts'
import { readParams } from '../../api/pipeline/read-params.ts'
import { DEFAULT_PREFERENCES, exportPreferences, type Preferences, preferencesOf } from '../preferences.ts'
import { parseSearchQuery, SearchParams, searchParamsOf } from './search-query.ts'

const SLOTS = ['engine_a', 'engine_b', 'engine_c']

/** What the API makes of the same parameters. */
function requestOfApi(params: Record<string, string>) {
  const read = readParams(datedSearchParams(SLOTS), params)
  if (!read.ok) throw new Error(JSON.stringify(read.messages))
  const { q, engine, safe, lang, region, page, date } = read.params
  return { text: q, engines: engine, safe, lang, region, page, date }
}

const ask = (params: Record<string, unknown>, preferences: Preferences = DEFAULT_PREFERENCES) =>
  parseSearchQuery(SearchParams.parse(params), preferences, SLOTS)

const anySearch = fc.record({
  // Operators mean nothing in the API: `read-operators.test.ts`.
  q: fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '' && !/[:"]/.test(text)),
  page: fc.integer({ min: 1, max: 50 }).map(String),
  date: fc.constantFrom<DateRange | ''>('', 'd', 'w', 'm', 'y'),
})

const anyFilters = fc.record({
  engines: fc.subarray(SLOTS),
  safe: fc.boolean(),
  lang: fc.constantFrom('', 'de', 'pt-BR', 'zh-Hant'),
  region: fc.constantFrom('', 'DE', 'US'),
})

describe('parsing a search URL', () => {
  it('preferences in the cookie, parameters in the address and parameters of the API are one search', () => {
    fc.assert(
      fc.property(anySearch, anyFilters, (search, { engines, safe, lang, region }) => {
        const params = { engine: engines.join(','), safe: safe ? 'on' : 'off', lang, region: region.toLowerCase() }
        const expected = requestOfApi({ ...search, ...params })
        const cookie = exportPreferences({ ...DEFAULT_PREFERENCES, engines, safe, lang, region })
        expect(ask(search, preferencesOf(cookie)).request).toEqual(expected)
        expect(ask({ ...search, ...params }).request).toEqual(expected)
      }),
    )
  })

  it('the URL overrides every preference', () => {
    fc.assert(
      fc.property(anySearch, anyFilters, anyFilters, (search, wished, { engines, safe, lang, region }) => {
        const place = { lang: lang || 'auto', region: region || 'all' }
        const params = { engine: engines.join(' ') || 'all', safe: safe ? '1' : 'no', ...place }
        const { request } = ask({ ...search, ...params }, { ...DEFAULT_PREFERENCES, ...wished })
        expect(request).toMatchObject({ engines, safe, lang, region: region || undefined })
      }),
    )
  })

  it('invalid parameters are ignored', () => {
    const odd = {
      q: ' a ',
      tab: 'maps',
      page: '0',
      date: 'century',
      safe: 'perhaps',
      lang: '<b>',
      region: 'EU',
      engine: 'google',
    }
    expect(ask(odd)).toEqual({
      tab: 'web',
      written: 'a',
      operators: [],
      notUnderstood: [],
      request: { text: 'a', page: 1, date: undefined, safe: true, lang: '', engines: [] },
      keep: {},
      removed: '',
    })
    expect(ask({ q: ['a', 'b'], page: ['1', '2'], tab: ['news', 'web'], x: 1 }).request).toMatchObject({
      text: 'a b',
      page: 1,
    })
  })

  it('other pages of the search keep the filters of the URL, in canonical form', () => {
    const params = {
      safe: 'FALSE',
      lang: 'auto',
      region: 'uk',
      engine: 'ENGINE_B,engine_a',
      date: 'w',
    }
    expect(ask({ q: 'a', ...params }).keep).toEqual({
      safe: 'off',
      lang: 'auto',
      region: 'GB',
      engine: 'engine_b engine_a',
      date: 'w',
    })
  })

  it('operators limit the search, and stay in the address', () => {
    const searchQuery = ask({ q: 'oak site:example.org', safe: 'off' })
    expect(searchQuery.request).toMatchObject({ text: 'oak', includeDomains: ['example.org'] })
    expect(searchParamsOf(searchQuery)).toMatchObject({ q: 'oak site:example.org', safe: 'off' })
  })

  it('images have no date filter', () => {
    expect(ask({ q: 'a', tab: 'images', date: 'w' })).toMatchObject({ tab: 'images', request: { date: undefined } })
  })

  it('a preferred engine that no longer exists is ignored', () => {
    const old = { ...DEFAULT_PREFERENCES, engines: ['engine_b', 'engine_z'] }
    expect(ask({ q: 'a' }, old).request.engines).toEqual(['engine_b'])
    expect(ask({ q: 'a' }, { ...old, engines: ['engine_z'] }).request.engines).toEqual([])
  })
})
