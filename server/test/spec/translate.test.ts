// Translation and its languages, by GET. POST is in
// translate-by-post.test.ts.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'

const PATH = '/api/v1/translate/'

const server = useTestInstance({ TRANSLATE_MAX_CHARACTERS: '100' })

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

describe('languages/', () => {
  it('lists what the backend offers, by code and name', async () => {
    const { status, json } = await server.api.get('/api/v1/translate/languages/')
    expect([status, Object.keys(json)]).toEqual([200, ['languages']])
    expect(json.languages).toContainEqual({ code: 'fr', name: 'French' })
    for (const language of json.languages) expect(Object.keys(language)).toEqual(['code', 'name'])
    expect(json.languages.map(({ code }: { code: string }) => code)).not.toContain('auto')
  })
})
