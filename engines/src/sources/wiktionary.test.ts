import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { wiktionaryDefinitions, wiktionaryPage } from './wiktionary.ts'

const asked = { query: { word: 'bower' }, now: 0 }
const parse = (body: unknown, status = 200) =>
  wiktionaryDefinitions.parse(
    { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) },
    asked,
  )

describe('wiktionary', () => {
  it.each([
    ['bower', '/api/rest_v1/page/definition/bower?redirect=false'],
    ['ice cream', '/api/rest_v1/page/definition/ice_cream?redirect=false'],
    ['and/or', '/api/rest_v1/page/definition/and%2For?redirect=false'],
    ['../../w', '/api/rest_v1/page/definition/..%2F..%2Fw?redirect=false'],
    ['naïve?x=1', '/api/rest_v1/page/definition/na%C3%AFve%3Fx%3D1?redirect=false'],
    ['\ud800', '/api/rest_v1/page/definition/%EF%BF%BD?redirect=false'],
  ])('asks for %j as one part of the path', (word, path) => {
    expect(wiktionaryDefinitions.request({ word }, { baseUrl: '' }).path).toBe(path)
  })

  it('gives every entry that means something, as plain text, by language', () => {
    const found = wiktionaryDefinitions.parse(readFixture('wiktionary-word', 'sources'), asked)
    expect(found).toEqual([
      {
        lang: 'en',
        language: 'English',
        partOfSpeech: 'Noun',
        senses: [
          { definition: 'A shelter of sticks & leaves.', examples: ['He built a bower.', 'The bower fell.'] },
          { definition: '(poetic) A small house.', examples: [] },
        ],
      },
      {
        lang: 'en',
        language: 'English',
        partOfSpeech: 'Verb',
        senses: [{ definition: 'To shade.', examples: [] }],
      },
      {
        lang: 'nl',
        language: 'Dutch',
        partOfSpeech: 'Noun',
        senses: [{ definition: 'A made-up meaning.', examples: [] }],
      },
      {
        lang: 'other',
        language: 'Yola',
        partOfSpeech: 'Noun',
        senses: [{ definition: 'Another one.', examples: [] }],
      },
    ])
    expect(wiktionaryDefinitions.schema.parse(found)).toEqual(found)
  })

  it('404: a word it has not got is an answer', () => {
    expect(wiktionaryDefinitions.parse(readFixture('wiktionary-unknown', 'sources'), asked)).toEqual([])
  })

  it('a page whose definitions are all empty means nothing, and is no fault', () => {
    expect(parse({ en: [{ partOfSpeech: 'Noun', language: 'English', definitions: [{ definition: '' }] }] })).toEqual(
      [],
    )
    expect(parse({})).toEqual([])
  })

  it('caps the number of entries and senses', () => {
    const definitions = Array.from({ length: 50 }, () => ({ definition: `<p>${'x '.repeat(300)}` }))
    const entries = Array.from({ length: 200 }, () => ({ partOfSpeech: 'y'.repeat(500), language: 'z', definitions }))
    const found = parse({ en: entries })
    expect(found).toHaveLength(60)
    expect(found[0]?.senses).toHaveLength(10)
    expect(found[0]?.senses[0]?.definition.length).toBeLessThanOrEqual(500)
    expect(found[0]?.partOfSpeech.length).toBeLessThanOrEqual(60)
  })

  it.each([
    ['a web page', '<!doctype html><title>Wikimedia Error</title>'],
    ['nothing', ''],
    ['half a reply', '{"en":[{"partOfSpeech":"Noun","defin'],
    ['a list', []],
    ['languages of a wrong type', { en: 'not a list' }],
    ['definitions of a wrong type', { en: [{ partOfSpeech: 7, language: 7, definitions: [{ definition: 7 }] }] }],
  ])('malformed: %s', (_what, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    [429, 'throttled'],
    [403, 'blocked'],
    [501, 'unreachable'],
    [503, 'unreachable'],
    [302, 'malformed'],
  ])('status %i is %s', (status, kind) => {
    expect(() => parse({}, status)).toThrow(expect.objectContaining({ kind }))
  })

  it('gives the public page of a word', () => {
    expect(wiktionaryPage('ice cream')).toBe('https://en.wiktionary.org/wiki/ice_cream')
  })
})
