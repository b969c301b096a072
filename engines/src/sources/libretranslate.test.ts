import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import {
  libretranslate,
  libretranslateLanguages,
  libretranslateLongestText,
  libretranslateTranslation,
} from './libretranslate.ts'

const VALUES = { baseUrl: '', apiKey: '' }
const QUERY = { text: 'hello', source: 'auto', target: 'fr', isPairSupported: true }

const reply = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const languages = (body: unknown, status = 200) =>
  libretranslateLanguages.parse(reply(body, status), { query: null, now: 0 })
const translation = (body: unknown, status = 200) =>
  libretranslateTranslation.parse(reply(body, status), { query: QUERY, now: 0 })
const longest = (body: unknown, status = 200) =>
  libretranslateLongestText.parse(reply(body, status), { query: null, now: 0 })

const NO_JSON: [string, unknown][] = [
  ['a web page', '<!doctype html><title>One moment</title>'],
  ['nothing', ''],
  ['half a reply', '{"translatedText": "bon'],
]

const STATUSES = [
  [429, 'throttled'],
  [500, 'unreachable'],
  [302, 'malformed'],
] as const

describe('requests', () => {
  it('a translation is a POST whose body has everything, and the key only if there is one', () => {
    const { method, path, headers, body } = libretranslateTranslation.request(QUERY, VALUES)
    expect([method, path, headers?.['content-type']]).toEqual(['POST', '/translate', 'application/json'])
    expect(JSON.parse(body ?? '')).toEqual({ q: 'hello', source: 'auto', target: 'fr', format: 'text' })
    const keyed = libretranslateTranslation.request(QUERY, { baseUrl: '', apiKey: 'secret' })
    expect(JSON.parse(keyed.body ?? '')).toMatchObject({ api_key: 'secret' })
    expect(keyed.path).toBe('/translate')
  })

  it('language names are requested in English', () => {
    expect(libretranslateLanguages.request(null, VALUES)).toEqual({
      path: '/languages',
      headers: { accept: 'application/json', 'accept-language': 'en' },
    })
  })

  it('translations are never kept, the languages for ten minutes', () => {
    expect([libretranslateTranslation.keepSeconds, libretranslateLanguages.keepSeconds]).toEqual([0, 600])
  })
})

describe('languages', () => {
  it('are read with their targets', () => {
    const found = libretranslateLanguages.parse(readFixture('libretranslate-languages', 'sources'), {
      query: null,
      now: 0,
    })
    expect(found[0]).toEqual({ code: 'en', name: 'English', targets: ['de', 'en', 'fr', 'zh-Hans'] })
    expect(found.map(({ code }) => code)).toEqual(['en', 'de', 'fr', 'zh-Hans'])
    expect(libretranslateLanguages.schema.parse(found)).toEqual(found)
  })

  it('none at all is an answer', () => {
    expect(languages([])).toEqual([])
  })

  it('invalid languages are dropped, a missing name becomes the code, markup is removed', () => {
    const given = [
      { code: 'en' },
      { code: '<script>', name: 'x' },
      7,
      { code: 'de', name: '<b>German</b>', targets: [7] },
    ]
    expect(languages(given)).toEqual([
      { code: 'en', name: 'en', targets: null },
      { code: 'de', name: 'German', targets: [] },
    ])
  })

  it.each([...NO_JSON, ['an object', {}], ['languages of a wrong type', [7, { code: 7 }]]])(
    'malformed: %s',
    (_what, body) => {
      expect(() => languages(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  it.each(STATUSES)('status %i is %s', (status, kind) => {
    expect(() => languages([], status)).toThrow(expect.objectContaining({ kind }))
  })
})

describe('translations', () => {
  it('are returned unchanged, with their line breaks and symbols', () => {
    const given = readFixture('libretranslate-translation', 'sources')
    const found = libretranslateTranslation.parse(given, { query: QUERY, now: 0 })
    expect(found).toEqual({ text: 'Le jardinier construit\n  un <b>berceau</b> & attend.', detected: 'en' })
    expect(libretranslateTranslation.schema.parse(found)).toEqual(found)
  })

  it('a detected language that is none is not passed on', () => {
    expect(translation({ translatedText: 'x', detectedLanguage: { language: '<b>' } }).detected).toBe('')
    expect(translation({ translatedText: 'x' }).detected).toBe('')
  })

  it('rejected: any 400, because languages were checked before', () => {
    const refused = readFixture('libretranslate-refused', 'sources')
    const act = () => libretranslateTranslation.parse(refused, { query: QUERY, now: 0 })
    expect(act).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: false }))
    expect(act).not.toThrow(/Schlüssel/)
  })

  it('a 400 for a pair that may be missing does not count against the provider', () => {
    const query = { ...QUERY, isPairSupported: false }
    const act = () => libretranslateTranslation.parse(reply({ error: 'x' }, 400), { query, now: 0 })
    expect(act).toThrow(expect.objectContaining({ kind: 'rejected', isQueryFault: true }))
  })

  it('rejected: a wrong key', () => {
    expect(() => translation({ error: 'Invalid API key' }, 403)).toThrow(expect.objectContaining({ kind: 'rejected' }))
  })

  it.each([...NO_JSON, ['a list', []], ['a text of a wrong type', { translatedText: ['x'] }], ['no text', {}]])(
    'malformed: %s',
    (_what, body) => {
      expect(() => translation(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  it.each(STATUSES)('status %i is %s', (status, kind) => {
    expect(() => translation({ error: 'x' }, status)).toThrow(expect.objectContaining({ kind }))
  })
})

describe('the longest text', () => {
  it('is the limit that the server reports', () => {
    const given = readFixture('libretranslate-settings', 'sources')
    expect(libretranslateLongestText.parse(given, { query: null, now: 0 })).toBe(2000)
  })

  it.each([
    ['no limit', { charLimit: -1 }, 200],
    ['a limit of a wrong type', { charLimit: '2000' }, 200],
    ['a server that has no such page', '<h1>Not Found</h1>', 404],
    ['a web page', '<h1>Hello</h1>', 200],
  ])('is not known for %s, and that is no failure', (_what, body, status) => {
    expect(longest(body, status)).toBeNull()
  })
})

it('the check asks for /health and is content with any JSON', () => {
  const { probe } = libretranslate
  expect(probe?.request(null, VALUES).path).toBe('/health')
  expect(() => probe?.parse(reply({ status: 'ok' }), { query: null, now: 0 })).not.toThrow()
  expect(() => probe?.parse(reply('<h1>'), { query: null, now: 0 })).toThrow()
})
