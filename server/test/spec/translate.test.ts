// Translation and its languages, by GET. POST is in
// translate-by-post.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const UNAVAILABLE = { detail: 'Translation is unavailable or not configured on this deployment.' }
const PATH = '/api/v1/translate/'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ TRANSLATE_MAX_CHARACTERS: '100' })
})
afterAll(() => server.close())

const translate = (parameters: Record<string, string>, key = server.key) =>
  server.api.get(`${PATH}?${new URLSearchParams(parameters).toString()}`, { key })

describe('a translation', () => {
  it('has exactly these keys; with auto, detected_lang is filled', async () => {
    const { status, json } = await translate({ q: 'hello', target: 'fr' })
    expect(status).toBe(200)
    expect(json).toEqual({ source: 'auto', target: 'fr', translated_text: 'bonjour', detected_lang: 'en' })
  })

  it('with a source, detected_lang is empty', async () => {
    const { json } = await translate({ q: 'La casa es roja.', target: 'en', source: 'es' })
    expect(json).toEqual({ source: 'es', target: 'en', translated_text: 'The house is red.', detected_lang: '' })
  })

  it('text is an alias of q', async () => {
    expect((await translate({ text: 'hello', target: 'fr' })).json.translated_text).toBe('bonjour')
    expect((await translate({ q: '', text: 'hello', target: 'fr' })).json.translated_text).toBe('bonjour')
  })

  it('keeps white space, line breaks and special characters', async () => {
    const { json } = await translate({ q: '  hello\n\n<b>world</b> & 5 < 6 ', target: 'fr', source: 'en' })
    expect(json.translated_text).toBe('  bonjour\n\n<b>monde</b> & 5 < 6 ')
  })

  it('is never cached', async () => {
    const count = () => server.sandbox.calls('libretranslate').filter(({ path }) => path === '/translate').length
    const before = count()
    for (let turn = 0; turn < 3; turn++) await translate({ q: 'good night', target: 'fr', source: 'en' })
    expect(count()).toBe(before + 3)
  })
})

describe('400', () => {
  it.each([
    ['nothing sent', {}, ['target', 'q']],
    ['an unknown target', { q: 'hello', target: 'canary' }, ['target']],
    ['an unknown source', { q: 'hello', target: 'fr', source: 'canary' }, ['source']],
    ['an unsupported pair with a detected source', { q: 'vandaag', target: 'pt-BR' }, ['target']],
    ['a text that is too long', { text: 'x'.repeat(101), target: 'fr' }, ['text']],
  ])('%s', async (_what, parameters, names) => {
    const { status, json, text } = await translate(parameters)
    expect(status).toBe(400)
    expect(Object.keys(json).toSorted()).toEqual(names.toSorted())
    for (const messages of Object.values(json)) expect(messages).toEqual([expect.stringMatching(/^[A-Z].*\.$/)])
    expect(text).not.toMatch(/canary/)
  })
})

describe('languages/', () => {
  it('lists what the backend offers, by code and name', async () => {
    const { status, json } = await server.api.get('/api/v1/translate/languages/')
    expect([status, Object.keys(json)]).toEqual([200, ['languages']])
    expect(json.languages).toContainEqual({ code: 'fr', name: 'French' })
    for (const language of json.languages) expect(Object.keys(language)).toEqual(['code', 'name'])
    expect(json.languages.map(({ code }: { code: string }) => code)).not.toContain('auto')
  })
})

describe('503: not configured', () => {
  let bare: TestInstance
  beforeAll(async () => {
    bare = await startTestInstance({ LIBRETRANSLATE_URL: '', APERTIUM_URL: '' })
  })
  afterAll(() => bare.close())

  it('in the documented words, also for languages/, and it does not count as usage', async () => {
    for (const path of [`${PATH}?q=hello&target=fr`, '/api/v1/translate/languages/']) {
      const { status, json, headers } = await bare.api.get(path)
      expect([status, json]).toEqual([503, UNAVAILABLE])
      expect(headers.get('retry-after')).toBeNull()
    }
    expect((await bare.api.get('/api/v1/usage/')).json.searches).toBe(0)
  })
})
