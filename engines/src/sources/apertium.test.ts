import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { apertium, apertiumNames, apertiumPairs, apertiumTranslation } from './apertium.ts'

const VALUES = { baseUrl: '' }
const QUERY = { text: 'Where is the train station?', source: 'eng', target: 'spa' }

const reply = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const pairs = (body: unknown, status = 200) => apertiumPairs.parse(reply(body, status), { query: null, now: 0 })
const translation = (translatedText: unknown, text = QUERY.text) =>
  apertiumTranslation.parse(reply({ responseData: { translatedText } }), { query: { ...QUERY, text }, now: 0 })
const names = (body: unknown, status = 200) =>
  apertiumNames.parse(reply(body, status), { query: { codes: ['eng', 'spa'] }, now: 0 })

const NO_JSON: [string, unknown][] = [
  ['a web page', '<html><title>404: Not Found</title></html>'],
  ['nothing', ''],
  ['half a reply', '{"responseData": {"translatedT'],
  ['a list', []],
]

describe('requests', () => {
  it('a text travels in the body, never in the address', () => {
    const { method, path, headers, body } = apertiumTranslation.request({ ...QUERY, text: 'a & b\nc=d' }, VALUES)
    expect([method, path]).toEqual(['POST', '/translate'])
    expect(headers?.['content-type']).toBe('application/x-www-form-urlencoded')
    expect(body).toBe('langpair=eng%7Cspa&markUnknown=no&format=txt&q=a+%26+b%0Ac%3Dd')
  })

  it('pairs and names are requested as documented', () => {
    expect(apertiumPairs.request(null, VALUES).path).toBe('/listPairs')
    expect(apertiumNames.request({ codes: ['eng', 'spa'] }, VALUES).path).toBe(
      '/listLanguageNames?locale=en&languages=eng%20spa',
    )
  })

  it('translations are never kept, the pairs for ten minutes', () => {
    expect([apertiumTranslation.keepSeconds, apertiumPairs.keepSeconds]).toEqual([0, 600])
  })
})

describe('pairs', () => {
  it('are read without the variants', () => {
    const found = apertiumPairs.parse(readFixture('apertium-pairs', 'sources'), { query: null, now: 0 })
    expect(found).toEqual([
      { source: 'spa', target: 'eng' },
      { source: 'eng', target: 'spa' },
      { source: 'eus', target: 'eng' },
    ])
    expect(apertiumPairs.schema.parse(found)).toEqual(found)
  })

  it('none at all is an answer', () => {
    expect(pairs({ responseData: [] })).toEqual([])
  })

  it.each([...NO_JSON, ['no list', { responseData: 'x' }], ['pairs of a wrong type', { responseData: [7, {}] }]])(
    'malformed: %s',
    (_what, body) => {
      expect(() => pairs(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  it.each([
    [404, 'rejected'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('status %i is %s', (status, kind) => {
    expect(() => pairs({}, status)).toThrow(expect.objectContaining({ kind }))
  })

  it('serve as the health check', () => {
    expect(apertium.probe?.request(null, VALUES).path).toBe('/listPairs')
  })
})

describe('names', () => {
  it('are those of the languages asked for', () => {
    expect(names({ eng: 'English', spa: '<i>Spanish</i>', fra: 'French' })).toEqual({ eng: 'English', spa: 'Spanish' })
  })

  it('a server without its file of names has none, and that is no failure', () => {
    expect(names({})).toEqual({ eng: '', spa: '' })
    expect(names('<html>404', 404)).toEqual({})
  })

  it('a server in trouble has failed', () => {
    expect(() => names({}, 500)).toThrow(expect.objectContaining({ kind: 'unreachable' }))
  })
})

describe('translations', () => {
  it('lose the marks of the translator and the space before them', () => {
    const given = readFixture('apertium-translation', 'sources')
    const found = apertiumTranslation.parse(given, { query: QUERY, now: 0 })
    expect(found).toBe('Dónde es la canal de tren, bower y zxqwv?')
    expect(apertiumTranslation.schema.parse(found)).toBe(found)
  })

  it.each([
    ['Sigue @ada, la #canal', 'Follow @ada, the station', 'Sigue @ada, la canal'],
    ['#clima y #canal', '#climate and station', '#clima y #canal'],
    ['user@example.com escribe en C#', 'user@example.com writes C#', 'user@example.com escribe en C#'],
    ['5 * x * y', '5 * x * y', '5 * x * y'],
    ['*esto*', '*this*', '*esto*'],
  ])('%j, which was %j, becomes %j', (translated, text, expected) => {
    expect(translation(translated, text)).toBe(expected)
  })

  it('keep line breaks, inner spaces and text that looks like markup', () => {
    expect(translation('Primera.\n\n  <b>dos</b> & tres', 'First')).toBe('Primera.\n\n  <b>dos</b> & tres')
    expect(translation(' hola', ' hello')).toBe(' hola')
  })

  it.each([...NO_JSON, ['no text', { responseData: {} }], ['a wrong type', { responseData: { translatedText: 7 } }]])(
    'malformed: %s',
    (_what, body) => {
      const act = () => apertiumTranslation.parse(reply(body), { query: QUERY, now: 0 })
      expect(act).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  it('rejected: a pair that is not installed', () => {
    const refused = readFixture('apertium-refused', 'sources')
    const act = () => apertiumTranslation.parse(refused, { query: QUERY, now: 0 })
    expect(act).toThrow(expect.objectContaining({ kind: 'rejected' }))
  })
})
