import { describe, expect, it } from 'vitest'
import { SANDBOX_KEYS } from '../sandbox.ts'
import { apertium } from './apertium.ts'
import { libretranslate } from './libretranslate.ts'
import { askProvider } from './provider-testing.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const KEYED = { api_key: SANDBOX_KEYS.libretranslate }

interface Reply {
  translatedText: string
  detectedLanguage?: { confidence: number; language: string }
  error: string
}

const translate = (body: unknown) =>
  askProvider<Reply>(libretranslate, { path: '/translate', headers: JSON_TYPE, body: JSON.stringify(body) })

describe('libretranslate', () => {
  it('translates, by JSON and by form', () => {
    expect(translate({ q: 'hello', source: 'en', target: 'fr', ...KEYED }).json).toEqual({ translatedText: 'bonjour' })
    const body = new URLSearchParams({ q: 'hello', source: 'EN', target: 'pb', ...KEYED }).toString()
    const { json } = askProvider<Reply>(libretranslate, { path: '/translate', headers: FORM_TYPE, body })
    expect(json).toEqual({ translatedText: 'olá' })
  })

  it('detects the language on request, and takes unknown text for English', () => {
    const { json } = translate({ q: 'Guten Morgen', source: 'auto', target: 'en', ...KEYED })
    expect(json).toEqual({ detectedLanguage: { confidence: 92, language: 'de' }, translatedText: 'Good morning' })
    expect(translate({ q: '😀', source: 'auto', target: 'de', ...KEYED }).json).toEqual({
      detectedLanguage: { confidence: 0, language: 'en' },
      translatedText: '😀',
    })
  })

  it.each([
    [400, 'no key', { q: 'hello', source: 'en', target: 'fr' }],
    [403, 'a wrong key', { q: 'hello', source: 'en', target: 'fr', api_key: 'other' }],
    [400, 'no q', { source: 'en', target: 'fr', ...KEYED }],
    [400, 'no source', { q: 'hello', target: 'fr', ...KEYED }],
    [400, 'no target', { q: 'hello', source: 'en', ...KEYED }],
    [400, 'an unknown language', { q: 'hello', source: 'en', target: 'zz', ...KEYED }],
    [400, 'a missing pair', { q: 'hallo', source: 'nl', target: 'pt-BR', ...KEYED }],
    [400, 'another format', { q: 'hello', source: 'en', target: 'fr', format: 'pdf', ...KEYED }],
    [400, 'no object', ['hello']],
  ])('%i: %s', (status, _what, body) => {
    const reply = translate(body)
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ error: expect.stringMatching(/\w/) })
  })

  it('405: by GET', () => {
    expect(askProvider(libretranslate, { path: '/translate', query: { q: 'hello' } }).status).toBe(405)
  })

  it('lists its languages with their targets, without `auto`', () => {
    const { json } = askProvider<{ code: string; name: string; targets: string[] }[]>(libretranslate, {
      path: '/languages',
    })
    expect(json.map(({ code }) => code)).not.toContain('auto')
    expect(json.find(({ code }) => code === 'nl')?.targets).not.toContain('pt-BR')
  })
})

describe('apertium', () => {
  const ask = (query: Record<string, string>) =>
    askProvider<Record<string, unknown>>(apertium, { path: '/translate', query })

  it('translates by GET and by POST, with three-letter and two-letter codes', () => {
    const body = 'langpair=eng%7Cspa&q=The+house+is+red.'
    const posted = askProvider<Record<string, unknown>>(apertium, { path: '/translate', headers: FORM_TYPE, body })
    for (const { json } of [ask({ langpair: 'en|es', q: 'The house is red.' }), posted]) {
      expect(json).toEqual({
        responseData: { translatedText: 'La casa es roja.' },
        responseDetails: null,
        responseStatus: 200,
      })
    }
  })

  it('marks a word that it cannot inflect', () => {
    expect(ask({ langpair: 'eng|spa', q: 'the station', markUnknown: 'no' }).json['responseData']).toEqual({
      translatedText: 'the #station (traducción simulada)',
    })
  })

  it.each([
    ['That pair is not installed', { langpair: 'eng|fra', q: 'hello' }],
    ['Missing argument langpair', { q: 'hello' }],
    ['Missing argument q', { langpair: 'eng|spa' }],
  ])('400: %s', (explanation, query) => {
    const { status, json } = ask(query)
    expect([status, json]).toEqual([400, { status: 'error', code: 400, message: 'Bad Request', explanation }])
  })

  it('names the requested languages that are known', () => {
    const { json } = askProvider(apertium, {
      path: '/listLanguageNames',
      query: { locale: 'en', languages: 'eng spa xyz' },
    })
    expect(json).toEqual({ eng: 'English', spa: 'Spanish' })
  })
})
