import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource, FindSource } from '@bowerbird/engines/source.ts'
import { apertium } from '@bowerbird/engines/sources/apertium.ts'
import { libretranslate } from '@bowerbird/engines/sources/libretranslate.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.ts'
import { OPERATOR } from '../search/caller.ts'
import { createTranslate, findLanguage } from './translate.ts'

const UNAVAILABLE = { detail: 'Translation is unavailable or not configured on this deployment.' }

type Answers = Record<string, unknown>

interface Asked {
  call: string
  query: unknown
}

/** A source that answers each of its calls by name; what is an error is thrown. */
function sourceOf(slug: string, answers: Answers, asked: Asked[]): FindSource {
  const bound = {
    ask: async (call: { name: string }, query: unknown) => {
      asked.push({ call: call.name, query })
      const found = answers[call.name]
      if (found instanceof Error) throw found
      return { found, isStale: false, ageMs: 0 }
    },
  }
  // Stands for the bound source of one slug; the tests give each call the answer of its own type.
  return ((source: { slug: string }) =>
    source.slug === slug ? (bound as unknown as BoundSource) : undefined) as FindSource
}

function stage(find: FindSource, maxCharacters = 1_000) {
  return createTranslate({ find, maxCharacters, startDeadline: () => createDeadline(5_000) })
}

const refusalOf = async (promise: Promise<unknown>): Promise<Refusal> => {
  const thrown = await promise.catch((error: unknown) => error)
  if (!(thrown instanceof Refusal)) throw new Error('it was not refused')
  return thrown
}

const LIBRE: Answers = {
  languages: [
    { code: 'en', name: 'English', targets: ['en', 'fr', 'zh-Hans'] },
    { code: 'fr', name: 'French', targets: ['en'] },
    { code: 'zh-Hans', name: 'Chinese (simplified)', targets: ['en'] },
    { code: 'la', name: 'Latin', targets: ['en'] },
  ],
  'longest text': null,
  translation: { text: 'bonjour', detected: 'en' },
}

const APERTIUM: Answers = {
  pairs: [
    { source: 'eng', target: 'spa' },
    { source: 'spa', target: 'eng' },
    { source: 'spa', target: 'por' },
    { source: 'eus', target: 'eng' },
  ],
  names: { eng: 'English', spa: 'Spanish', por: '', eus: 'Basque' },
  translation: 'hola',
}

describe('without a backend', () => {
  it('503: every call, with a fixed text and no Retry-After', async () => {
    const translate = stage(() => undefined)
    expect(translate.isConfigured).toBe(false)
    for (const act of [
      translate.languages(OPERATOR),
      translate.translate(OPERATOR, { text: 'x', source: 'auto', target: 'fr' }),
    ]) {
      expect(await refusalOf(act)).toMatchObject({ status: 503, body: UNAVAILABLE, headers: {} })
    }
  })
})

describe('LibreTranslate', () => {
  const open = (answers: Answers = {}, asked: Asked[] = []) =>
    stage(sourceOf(libretranslate.slug, { ...LIBRE, ...answers }, asked))

  it('is called with its own codes, however the client wrote them', async () => {
    const asked: Asked[] = []
    const request = { text: 'hello', source: 'EN-gb', target: 'zh-CN' }
    expect(await open({}, asked).translate(OPERATOR, request)).toEqual({
      text: 'bonjour',
      source: 'en',
      target: 'zh-Hans',
      detected: '',
    })
    expect(asked.at(-1)?.query).toEqual({ text: 'hello', source: 'en', target: 'zh-Hans', isPairSupported: true })
  })

  it('reports the detected language only if it detected one', async () => {
    expect(await open().translate(OPERATOR, { text: 'hello', source: 'auto', target: 'fr' })).toMatchObject({
      source: 'auto',
      detected: 'en',
    })
  })

  it.each([
    ['an unknown target', { source: 'auto', target: 'xx' }, ['target']],
    ['an unknown source', { source: 'xx', target: 'fr' }, ['source']],
    ['both unknown', { source: 'xx', target: 'yy' }, ['source', 'target']],
    ['a pair that it has not got', { source: 'fr', target: 'zh-Hans' }, ['target']],
    ['a language that nothing can be translated into', { source: 'auto', target: 'la' }, ['target']],
  ])('400: %s, without asking for a translation', async (_what, languages, parameters) => {
    const asked: Asked[] = []
    const { status, body } = await refusalOf(open({}, asked).translate(OPERATOR, { text: 'hello', ...languages }))
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(parameters)
    expect(JSON.stringify(body)).not.toMatch(/xx|yy/)
    expect(asked.map(({ call }) => call)).not.toContain('translation')
  })

  it('400: longer than the instance or the backend allows, keyed by the text’s parameter', async () => {
    const text = '𝕏'.repeat(900)
    const request = { text, source: 'en', target: 'fr', textParameter: 'text' }
    expect((await open().translate(OPERATOR, request)).text).toBe('bonjour')
    expect((await refusalOf(open({ 'longest text': 899 }).translate(OPERATOR, request))).body).toEqual({
      text: ['Send at most 899 characters.'],
    })
    expect((await refusalOf(open().translate(OPERATOR, { ...request, text: 'x'.repeat(1_001) }))).body).toEqual({
      text: ['Send at most 1000 characters.'],
    })
  })

  it.each([
    ['a language into itself', { text: 'salut', source: 'fr', target: 'fr' }, 'salut'],
    ['blank text, which it would reject', { text: '\0', source: 'auto', target: 'fr' }, ''],
  ])('is not called to translate %s', async (_, request, text) => {
    const asked: Asked[] = []
    expect(await open({}, asked).translate(OPERATOR, request)).toMatchObject({ text, detected: '' })
    expect(asked.map(({ call }) => call)).not.toContain('translation')
  })

  it('is sent nothing that cannot be encoded', async () => {
    const asked: Asked[] = []
    await open({}, asked).translate(OPERATOR, { text: 'a\0b\ud800', source: 'en', target: 'fr' })
    expect(asked.at(-1)?.query).toMatchObject({ text: 'ab\ufffd' })
  })

  it('400: it cannot translate from the detected language, keyed target, and that is not its failure', async () => {
    const asked: Asked[] = []
    const translation = new UpstreamError('rejected', 'our words', { isQueryFault: true })
    const request = { text: 'salut', source: 'auto', target: 'zh' }
    const { status, body } = await refusalOf(open({ translation }, asked).translate(OPERATOR, request))
    expect([status, Object.keys(body)]).toEqual([400, ['target']])
    expect(asked.at(-1)?.query).toMatchObject({ source: 'auto', isPairSupported: false })
  })

  it('503: any call fails, with the wait that it asks for', async () => {
    for (const call of ['languages', 'translation']) {
      const error = new UpstreamError('throttled', 'our words', { retryAfterSeconds: 7 })
      const request = { text: 'x', source: 'auto', target: 'fr' }
      expect(await refusalOf(open({ [call]: error }).translate(OPERATOR, request))).toMatchObject({
        status: 503,
        body: UNAVAILABLE,
        headers: { 'Retry-After': '7' },
      })
    }
  })

  it('a bug is not turned into a refusal', async () => {
    const act = open({ translation: new TypeError('x') }).translate(OPERATOR, { text: 'x', source: 'en', target: 'fr' })
    await expect(act).rejects.toThrow(TypeError)
  })

  it('any pair is assumed possible if it lists no targets', async () => {
    const languages = [
      { code: 'en', name: 'English', targets: null },
      { code: 'fr', name: 'French', targets: null },
    ]
    expect((await open({ languages }).translate(OPERATOR, { text: 'x', source: 'fr', target: 'en' })).text).toBe(
      'bonjour',
    )
  })

  it('translateIfOffered returns the detected language, or null for a pair that is not offered', async () => {
    const translate = open()
    const answer = await translate.translateIfOffered(OPERATOR, { text: 'hello', target: 'FR' })
    expect(answer).toEqual({ text: 'bonjour', source: 'en', target: 'fr' })
    expect(await translate.translateIfOffered(OPERATOR, { text: 'hello', target: 'klingon' })).toBeNull()
    const failing = open({ translation: new UpstreamError('timeout', 'x') })
    expect(await refusalOf(failing.translateIfOffered(OPERATOR, { text: 'hello', target: 'fr' }))).toMatchObject({
      status: 503,
    })
  })
})

describe('Apertium', () => {
  const open = (answers: Answers = {}, asked: Asked[] = []) =>
    stage(sourceOf(apertium.slug, { ...APERTIUM, ...answers }, asked))

  it('its languages have familiar codes and names', async () => {
    expect(await open().languages(OPERATOR)).toEqual([
      { code: 'eu', name: 'Basque' },
      { code: 'en', name: 'English' },
      { code: 'pt', name: 'Portuguese' },
      { code: 'es', name: 'Spanish' },
    ])
  })

  it('is called with its own codes', async () => {
    const asked: Asked[] = []
    const translation = await open({}, asked).translate(OPERATOR, { text: 'hello', source: 'en', target: 'es' })
    expect(translation).toEqual({ text: 'hola', source: 'en', target: 'es', detected: '' })
    expect(asked.at(-1)?.query).toEqual({ text: 'hello', source: 'eng', target: 'spa' })
  })

  it.each([
    ['Where is the train station, please?', 'es', 'en'],
    ['hello', 'es', 'en'],
    ['😀', 'es', 'en'],
    ['El perro come carne todos los días.', 'pt', 'es'],
  ])('%j into %s is detected as %s', async (text, target, detected) => {
    expect(await open().translate(OPERATOR, { text, source: 'auto', target })).toMatchObject({
      source: 'auto',
      detected,
    })
  })

  it('a text already in the target language is returned unchanged', async () => {
    const asked: Asked[] = []
    const text = 'El perro come carne todos los días.'
    const translation = await open({}, asked).translate(OPERATOR, { text, source: 'auto', target: 'es' })
    expect(translation).toMatchObject({ text, detected: 'es' })
    expect(asked.map(({ call }) => call)).not.toContain('translation')
  })

  it('400: no such pair for the detected language, listing the targets it has', async () => {
    const request = { text: 'Where is the train station, please?', source: 'auto', target: 'pt' }
    expect((await refusalOf(open().translate(OPERATOR, request))).body).toEqual({
      target: ['Translation from en into this language is not available. Available targets: es.'],
    })
  })

  it('400: the language cannot be detected, keyed source', async () => {
    const { status, body } = await refusalOf(open().translate(OPERATOR, { text: '😀', source: 'auto', target: 'en' }))
    expect([status, Object.keys(body)]).toEqual([400, ['source']])
  })
})

describe('with both backends', () => {
  const both = (libre: Answers, apertiumAnswers: Answers = APERTIUM): FindSource => {
    const first = sourceOf(libretranslate.slug, { ...LIBRE, ...libre }, [])
    const second = sourceOf(apertium.slug, apertiumAnswers, [])
    return (source) => first(source) ?? second(source)
  }
  const fails = new UpstreamError('unreachable', 'out of order')
  const request = { text: 'hello', source: 'en', target: 'es' }

  it('if the first fails, the second translates and lists its languages', async () => {
    const translate = stage(both({ languages: fails }))
    expect(await translate.translate(OPERATOR, request)).toMatchObject({ text: 'hola', source: 'en', target: 'es' })
    expect((await translate.languages(OPERATOR)).map(({ code }) => code)).toContain('es')
  })

  it('400: a language that the first doesn’t offer; the second is not called', async () => {
    expect((await refusalOf(stage(both({})).translate(OPERATOR, { ...request, target: 'xx' }))).status).toBe(400)
  })

  it('503: the first fails and the second doesn’t offer the language, which the first might', async () => {
    const translate = stage(both({ languages: fails }))
    expect((await refusalOf(translate.translate(OPERATOR, { ...request, target: 'fr' }))).status).toBe(503)
  })
})

const OFFERED = ['en', 'de', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant', 'sr-Latn', 'nb', 'ast'].map((code) => ({ code }))

const MEANINGS =
  'en=en EN=en en-GB=en en_US=en eng=en deu=de pt=pt pt-PT=pt pt-br=pt-BR por_BR=pt-BR pb=pt-BR zh=zh-Hans zh-CN=zh-Hans zh-TW=zh-Hant zt=zh-Hant sh=sr-Latn hbs=sr-Latn nob=nb ast=ast'

it.each(MEANINGS.split(' ').map((pair) => pair.split('=')))('the language %s means %s', (asked = '', code) => {
  expect(findLanguage(OFFERED, asked)?.code).toBe(code)
})

it.each([
  '',
  'auto',
  'fr',
  'xx',
  'sr',
  'english',
  'e',
  'en--',
  '<b>',
  'en\0',
  'x'.repeat(5_000),
  '__proto__',
  'pt-BR-',
])('the language %j matches none', (asked) => {
  expect(findLanguage(OFFERED, asked)).toBeUndefined()
})

it('another script is another language', () => {
  expect(findLanguage([{ code: 'zh' }], 'zh-TW')).toBeUndefined()
  expect(findLanguage([{ code: 'zh' }], 'zh-Hans')?.code).toBe('zh')
})

it('an exact match wins over any interpretation', () => {
  expect(findLanguage([{ code: 'zh-Hant' }, { code: 'zt' }], 'zt')?.code).toBe('zt')
})
