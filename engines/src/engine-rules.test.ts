// The rules every engine keeps in what it declares and in what it asks, run over all of them, every tab and every
// completion they have. Nothing here names an engine: a new one is covered by existing. For replies:
// reply-rules.test.ts.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BASE_URL,
  CANARY_KEY,
  DISARMS_QUERY,
  EVERY_SUGGEST,
  EVERY_TAB,
  KEY_IN_ADDRESS,
  OWN_SERVER,
  PHOTOS_ALONE,
  QUERY,
} from '../test/engine-cases.ts'
import { readFixture } from '../test/read-fixture.ts'
import { isAddress } from '../test/well-formed.ts'
import { ALL_ENGINES } from './all.ts'
import type { EngineQuery, Filter, ProviderRequest } from './engine.ts'
import { IMAGE_FILTERS, type ImageFilter } from './image-filters.ts'
import { countryName } from './parsing/country-names.ts'

/** Large and small ones, and one that hardly anybody has results for. */
const REGIONS = 'AT BR CH DE FR GB IN IS JP MX US ZA'.split(' ')

/** `binary` is the same, and takes seconds to set up. */
const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + 0x8_00))

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Every value a request carries, decoded: those of its query string and those of its JSON body. */
const valuesIn = ({ path, body }: ProviderRequest): string[] => [
  ...new URL(path, BASE_URL).searchParams.values(),
  ...textsIn(JSON.parse(body ?? 'null')),
]

/** The password of Basic authentication, or ''. */
const basicPassword = ({ headers = {} }: ProviderRequest): string =>
  atob(/^Basic (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '').replace(/^[^:]*:/, '')

it('no two engines share a slug or a name', () => {
  expect(new Set(ALL_ENGINES.map(({ slug }) => slug)).size).toBe(ALL_ENGINES.length)
  expect(new Set(ALL_ENGINES.map(({ name }) => name)).size).toBe(ALL_ENGINES.length)
})

it('a tier names the other engine of its vendor, which has the same tabs', () => {
  for (const { tierOf, tabs } of ALL_ENGINES.filter((engine) => engine.tierOf !== undefined)) {
    const other = ALL_ENGINES.find(({ slug }) => slug === tierOf)
    expect(Object.keys(other?.tabs ?? {})).toEqual(Object.keys(tabs))
    expect(other?.tierOf).toBe(undefined)
  }
})

it('all.ts lists them in alphabetical order', () => {
  const slugs = ALL_ENGINES.map(({ slug }) => slug)
  expect(slugs).toEqual(slugs.toSorted())
})

describe.each(ALL_ENGINES)('$slug', (engine) => {
  it('declares a lower-case slug, a homepage, a tab or a completion, and terms', () => {
    expect(engine.slug).toMatch(/^[a-z][a-z0-9]*$/)
    expect(isAddress(engine.homepage)).toBe(true)
    expect(isAddress(engine.keysUrl ?? engine.homepage)).toBe(true)
    expect(Object.keys(engine.tabs).length + (engine.suggest === undefined ? 0 : 1)).toBeGreaterThan(0)
    expect(engine.terms.cacheSeconds).toBeGreaterThanOrEqual(0)
    expect(engine.terms.pricePerCallMicros).toBeGreaterThanOrEqual(0)
    if (engine.terms.isPriceUnknown) expect(engine.terms.pricePerCallMicros).toBe(0)
    expect(engine.terms.asOf).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(engine.terms.dailyCalls ?? 1).toBeGreaterThan(0)
    const { calls, perSeconds } = engine.terms.rateLimit ?? { calls: 1, perSeconds: 1 }
    expect(calls > 0 && perSeconds > 0).toBe(true)
  })

  it('has settings named after its slug, a secret key, and a base URL', () => {
    for (const [name, { env, isSecret }] of Object.entries(engine.settings)) {
      expect(env.startsWith(`${engine.slug.toUpperCase()}_`)).toBe(true)
      expect(isSecret).toBe(/key|token|secret|password/i.test(name))
    }
    if (OWN_SERVER.has(engine.slug)) expect(engine.settings.baseUrl.fallback).toBe(undefined)
    else expect(engine.settings.baseUrl.fallback).toMatch(/^https:\/\/[a-z0-9.-]+[a-z]$/)
  })
})

describe.each(EVERY_TAB)('$engine.slug $name request', ({ engine, name: tabName, tab, fixture, requestFor }) => {
  const lang = tab.languages?.[0] ?? 'de'

  it('asks for another page differently, or shows another part of the reply', () => {
    expect(Number.isInteger(tab.lastPage) && tab.lastPage >= 1).toBe(true)
    const requests = Array.from({ length: tab.lastPage }, (_, index) => JSON.stringify(requestFor({ page: index + 1 })))
    if (new Set(requests).size === tab.lastPage) return
    const reply = readFixture(`${fixture}-page`)
    expect(tab.parse(reply, { ...QUERY, page: 2 }).hits).not.toEqual(tab.parse(reply, QUERY).hits)
  })

  it.each<{ filter: Filter; changes: Partial<EngineQuery>[] }>([
    { filter: 'safe', changes: [{ safe: false }] },
    { filter: 'date', changes: [{ date: 'd' }, { date: 'w' }, { date: 'm' }, { date: 'y' }] },
    { filter: 'lang', changes: [{ lang }] },
  ])('passes $filter on exactly when it declares to honour it', ({ filter, changes }) => {
    const requests = [{}, ...changes].map((change) => JSON.stringify(requestFor(change)))
    const needsNoWord = tab.byNature?.includes(filter) === true
    if (needsNoWord) expect(tab.honours).toContain(filter)
    const isPassedOn = tab.honours.includes(filter) && !needsNoWord
    // Where the host filters by date, the newest may be asked for first.
    if (filter === 'date' && tab.knowsDates) return
    expect(new Set(requests).size).toBe(isPassedOn ? requests.length : 1)
  })

  it('passes dates on exactly when it declares to take them', () => {
    const bounds = [{ dateFrom: Date.UTC(2026, 9, 1) }, { dateTo: Date.UTC(2026, 9, 9) }]
    const requests = [{}, ...bounds].map((change) => JSON.stringify(requestFor(change)))
    expect(new Set(requests).size).toBe(tab.takesDateRange ? requests.length : 1)
  })

  it('passes every region on that it declares to take, each differently', () => {
    let all = 0
    for (const anyLang of ['', 'en', lang]) {
      const taken = REGIONS.filter((region) => tab.takesRegion?.(region, anyLang))
      const requests = taken.map((region) => JSON.stringify(requestFor({ region, lang: anyLang })))
      expect(new Set(requests).size).toBe(taken.length)
      all += taken.length
      for (const [at, request] of requests.entries())
        expect(request).toMatch(new RegExp(`${taken[at]}|${countryName(taken[at])?.replace(' ', ' ?')}`, 'i'))
    }
    expect(all > 0).toBe(tab.takesRegion !== undefined)
  })

  it('passes a filter for pictures on exactly when it declares to', () => {
    const plain = JSON.stringify(requestFor({}))
    const passedOn: Record<string, string[]> = {}
    for (const filter of Object.keys(IMAGE_FILTERS) as ImageFilter[]) {
      const changes = IMAGE_FILTERS[filter].filter(
        (value) => JSON.stringify(requestFor({ image: { [filter]: value } })) !== plain,
      )
      if (changes.length > 0) passedOn[filter] = changes
    }
    const byNature = PHOTOS_ALONE.has(engine.slug) && tabName === 'images' ? { kind: ['photo'] } : {}
    expect({ ...passedOn, ...byNature }).toEqual(tab.imageFilters ?? {})
  })

  it('leaves a filter by date or language to one side only', () => {
    expect(tab.knowsDates === true && tab.honours.includes('date')).toBe(false)
    expect(tab.hasTextInAnyLanguage === true && tab.honours.includes('lang')).toBe(false)
  })
})

describe.each([...EVERY_TAB, ...EVERY_SUGGEST])('$engine.slug $fixture request', ({ engine, requestFor }) => {
  it('keeps the key out of the address unless the provider takes it nowhere else', () => {
    const request = requestFor({})
    const needsKey = Object.values(engine.settings).some(({ isSecret }) => isSecret)
    expect(JSON.stringify(request).includes(CANARY_KEY) || basicPassword(request) === CANARY_KEY).toBe(needsKey)
    expect(request.path.includes(CANARY_KEY)).toBe(KEY_IN_ADDRESS.has(engine.slug))
  })

  it('sends a body only with POST, and declares its type', () => {
    const { method = 'GET', body, headers = {} } = requestFor({})
    expect(method === 'POST').toBe(body !== undefined)
    if (body !== undefined) expect(headers['content-type']).toBe('application/json')
  })

  it('is a valid address from which any query, in any language, can be read back', () => {
    const langs = fc.oneof(fc.constantFrom('', 'en', 'pt-BR', 'zh-Hant-TW', 'sr_Latn_RS', 'es-419'), fc.string())
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 500, unit: ANY_CHARACTER }), langs, (text, anyLang) => {
        const request = requestFor({ text, lang: anyLang })
        expect(request.path).toMatch(/^\/[\x21-\x7e]*$/)
        expect(request.path).not.toContain('#')
        const parameters = new URL(request.path, BASE_URL).searchParams
        expect(new Set(parameters.keys()).size).toBe(parameters.size)
        if (DISARMS_QUERY.has(engine.slug)) return
        expect(valuesIn(request).some((value) => value.toWellFormed().includes(text.toWellFormed()))).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('survives a query with half a character in it', () => {
    const values = valuesIn(requestFor({ text: 'halved\ud83d' })).map((value) => value.toWellFormed())
    expect(values.some((value) => value.includes('halved\ufffd'))).toBe(true)
  })
})
