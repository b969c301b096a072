// Documents may come from anybody: each of these is refused with a sentence or does no harm.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import karakeep from '../../documents/karakeep.json' with { type: 'json' }
import mwmbl from '../../documents/mwmbl.json' with { type: 'json' }
import { ANY } from '../../test/engine-query.ts'
import type { EngineQuery, ProviderReply } from '../engine.ts'
import { UpstreamError } from '../upstream-error.ts'
import { engineFrom } from './engine-from.ts'
import { readDocument } from './read-document.ts'

const SHIPPED: readonly unknown[] = [karakeep, mwmbl]

const mistakesIn = (text: string, others = SHIPPED): string[] => {
  const read = readDocument(text, others)
  return read.ok ? [] : read.mistakes.map(({ line, message }) => `${line}: ${message}`)
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
const replaced = (text: string, by: string): string => {
  const whole = pretty(mwmbl)
  expect(whole).toContain(text)
  return whole.replace(text, by)
}

describe('readDocument', () => {
  it('takes what is shipped', () => {
    expect(mistakesIn(pretty(mwmbl))).toEqual([])
    expect(mistakesIn(JSON.stringify(karakeep))).toEqual([])
  })

  it('says on which line a mistake is', () => {
    const text = replaced('"/api/v2/search/"', '"/api/../search/"')
    const line = text.split('\n').findIndex((each) => each.includes('/api/../')) + 1
    expect(mistakesIn(text)).toEqual([expect.stringMatching(`^${line}: tabs/web/request/path does not match`)])
    expect(mistakesIn(replaced('"slug": "mwmbl"', '"slug": 7'))).toEqual([
      expect.stringMatching(/^4: slug invalid input/),
    ])
  })

  it('says on which line JSON ends to be JSON', () => {
    expect(mistakesIn('{\n  "a": 1,\n  b\n}')).toEqual(['3: is not valid JSON here'])
    expect(mistakesIn('{\n  "a": 1')).toEqual(['2: is not valid JSON here'])
    expect(mistakesIn('')).toEqual(['1: is not valid JSON here'])
  })

  it('names a member that is there twice, or is called __proto__', () => {
    expect(mistakesIn('{\n"slug": "a",\n"slug": "b"}')).toEqual(['3: has the member slug twice'])
    expect(mistakesIn('{\n"\\u005f_proto__": {"a": 1}}')).toEqual(['2: has a member called __proto__'])
  })

  it('lets a document extend another, and names one that is not there', () => {
    const own = { bowerbird: 1, extends: 'mwmbl', slug: 'mine', name: 'Mine', baseUrl: null }
    const read = readDocument(pretty(own), SHIPPED)
    expect(read).toMatchObject({ ok: true, document: { slug: 'mine', homepage: 'https://mwmbl.org' } })
    expect(read.ok && 'baseUrl' in read.document).toBe(false)
    expect(mistakesIn(pretty({ ...own, extends: 'nobody' }))).toEqual([
      '3: extends nobody, which is no document that stands alone',
    ])
    expect(mistakesIn(pretty({ ...own, tabs: { web: { paging: { lastPage: 99 } } } }))).toEqual([
      expect.stringMatching(/^10: tabs\/web\/paging\/lastPage /),
    ])
  })
})

describe('a hostile document', () => {
  it('of 10 MB or of a million levels is refused before it is parsed', () => {
    expect(mistakesIn(`{"slug": "${'a'.repeat(10_000_000)}"}`)).toEqual(['1: is larger than 64 kB'])
    expect(mistakesIn('['.repeat(60_000))).toEqual(['1: is nested more than 24 levels deep'])
    expect(mistakesIn(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`)).toEqual(['1: is nested more than 24 levels deep'])
  })

  it.each([
    ['a secret in the path', '"/api/v2/search/"', '"/api/${secret.apiKey}/"'],
    ['a secret in the query', '"${query}"', '"${query} ${apiKey}"'],
    ['another host', '"/api/v2/search/"', '"//evil.example/"'],
    ['another host by a back slash', '"/api/v2/search/"', '"/\\\\evil.example/"'],
    ['credentials in the address', '"https://api.mwmbl.org"', '"https://a:b@api.mwmbl.org"'],
    ['a query in the address', '"https://api.mwmbl.org"', '"https://api.mwmbl.org/?a=b"'],
    ['another scheme', '"https://api.mwmbl.org"', '"file:///etc/passwd"'],
    ['a header of the connection', '"x-api-key"', '"transfer-encoding"'],
    ['a cookie', '"x-api-key"', '"cookie"'],
    ['a line break in a header', '"x-api-key"', '"x-a\\r\\nhost"'],
    ['a pointer that is code', '"/results"', '"$.results[?(@.a)]"'],
    ['an expression', '"/title"', '{"template": "${process.env.HOME}"}'],
    ['a parameter that is two', '"q"', '"q=1&admin"'],
  ])('with %s is refused', (_, text, by) => {
    expect(mistakesIn(replaced(text, by)).length).toBeGreaterThan(0)
  })

  it('of any JSON is refused with a sentence, and never an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        expect(mistakesIn(JSON.stringify(value)).length).toBeGreaterThan(0)
      }),
      { numRuns: 100 },
    )
  })

  it('that is a good one with any one place replaced is refused, or asks only the configured address', () => {
    const places = placesIn(karakeep)
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.oneof(fc.jsonValue(), hostileTexts), (place, value) => {
        const read = readDocument(JSON.stringify(withPlace(karakeep, place, value)), SHIPPED)
        if (read.ok) expectHarmless(read.document)
      }),
      { numRuns: 150 },
    )
  })
})

const hostileTexts = fc.constantFrom(
  '${query}',
  '${since.iso}',
  '$${query}',
  '${setting.index}',
  '/a/${query}/b',
  '/${query}',
  '/*/*/*/*/*/*/*/*',
  '/__proto__/polluted',
  '#/constructor/prototype',
  '../../etc/passwd',
  '__proto__',
)

const placesIn = (value: unknown, path: readonly string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [[...path], ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))]
    : [[...path]]

function withPlace(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const entries = Object.entries(Object(value)).map(([key, inner]) => [
    key,
    key === name ? withPlace(inner, rest, by) : inner,
  ])
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

const EVIL: EngineQuery = {
  ...ANY,
  text: '../..\r\nhost: evil","x":"${setting.a}#?&',
  lang: '../x',
  page: 2,
  date: 'w',
}
const KEY = 'canary-key'

/** Whatever it asks stays below its address, has its key in `auth` only, and reading any reply pollutes nothing. */
function expectHarmless(document: Parameters<typeof engineFrom>[0]): void {
  const engine = engineFrom(document)
  const values: Record<string, string> = {}
  for (const [name, { isSecret, fallback }] of Object.entries(engine.settings))
    values[name] = isSecret ? KEY : (fallback ?? 'x')
  const settings = { ...values, baseUrl: 'https://own.example' }
  for (const tab of Object.values(engine.tabs)) {
    attempt(() => {
      const { path, headers = {}, body = 'null' } = tab.request(EVIL, settings)
      expect(path).toMatch(/^\/(?!\/)[\x21-\x7e]*$/)
      expect(new URL(`https://own.example${path}`).host).toBe('own.example')
      expect(`${path}${body}`).not.toContain(KEY)
      expect(Object.values(headers).filter((value) => !/^[\x20-\x7e]*$/.test(value))).toEqual([])
      JSON.parse(body)
    })
    attempt(() => expect(JSON.stringify(tab.parse(BOMB, EVIL, settings))).not.toContain(KEY))
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
}

/** Many elements on every level, and names that are dangerous. */
const wide = (depth: number): unknown =>
  depth === 0 ? 'https://a.example/' : Array.from({ length: 30 }, () => wide(depth - 1))
const BOMB: ProviderReply = {
  status: 200,
  headers: {},
  body: `{"bookmarks": ${JSON.stringify(wide(3))}, "__proto__": {"polluted": true}, "constructor": {"prototype": {}}}`,
}

function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
  }
}

it('a pointer bomb costs no more than a hundred elements a step', () => {
  const read = readDocument(replaced('"/title"', '"#/*/*/*/*/*/*/*/*"'), SHIPPED)
  const engine = engineFrom(read.ok ? read.document : expect.unreachable('it is valid'))
  const body = JSON.stringify({ results: [{ url: 'https://a.example/' }], a: wide(3) })
  const started = performance.now()
  attempt(() => engine.tabs.web?.parse({ ...BOMB, body }, ANY, { baseUrl: '' }))
  expect(performance.now() - started).toBeLessThan(500)
})
