// Translation and its languages, by GET. POST is in
// translate-by-post.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const UNAVAILABLE = { detail: 'Translation is unavailable or not configured on this deployment.' }
const PATH = '/api/v1/translate/'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ TRANSLATE_MAX_CHARACTERS: '100', TRANSLATE_TIMEOUT_MS: '2000' })
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

  it('codes match loosely, and are returned as the backend writes them', async () => {
    const { json } = await translate({ q: 'hello', target: 'PT-br', source: 'en-GB' })
    expect([json.source, json.target, json.translated_text]).toEqual(['en', 'pt-BR', 'olá'])
    expect((await translate({ q: 'hello', target: 'fr', source: 'AUTO' })).json.source).toBe('auto')
    expect((await translate({ q: 'hello', target: 'fr', source: '' })).json.source).toBe('auto')
  })

  it('is never cached', async () => {
    const count = () => server.sandbox.calls('libretranslate').filter(({ path }) => path === '/translate').length
    const before = count()
    for (let turn = 0; turn < 3; turn++) await translate({ q: 'good night', target: 'fr', source: 'en' })
    expect(count()).toBe(before + 3)
  })

  it('HEAD works too', async () => {
    const { status, text } = await server.api.get(`${PATH}?q=hello&target=fr`, { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
  })
})

describe('400', () => {
  it.each([
    ['nothing sent', {}, ['target', 'q']],
    ['only white space as text', { q: ' \n ', target: 'fr' }, ['q']],
    ['no target', { q: 'hello' }, ['target']],
    ['a blank target', { q: 'hello', target: ' ' }, ['target']],
    ['an unknown target', { q: 'hello', target: 'canary' }, ['target']],
    ['an unknown source', { q: 'hello', target: 'fr', source: 'canary' }, ['source']],
    ['a pair that the backend does not support', { q: 'hallo', target: 'pt-BR', source: 'nl' }, ['target']],
    ['an unsupported pair with a detected source', { q: 'vandaag', target: 'pt-BR' }, ['target']],
    ['a q that is too long', { q: 'x'.repeat(101), target: 'fr' }, ['q']],
    ['a text that is too long', { text: 'x'.repeat(101), target: 'fr' }, ['text']],
    ['q and text that differ', { q: 'hello', text: 'world', target: 'fr' }, ['text']],
    ['everything at once', { q: 'x'.repeat(101) }, ['q', 'target']],
  ])('%s', async (_what, parameters, names) => {
    const { status, json, text } = await translate(parameters)
    expect(status).toBe(400)
    expect(Object.keys(json).toSorted()).toEqual(names.toSorted())
    for (const messages of Object.values(json)) expect(messages).toEqual([expect.stringMatching(/^[A-Z].*\.$/)])
    expect(text).not.toMatch(/canary/)
  })

  it('a parameter sent twice', async () => {
    const { status, json } = await server.api.get(`${PATH}?q=a&q=b&target=fr&target=de`)
    expect(status).toBe(400)
    expect(json).toEqual({ q: ['Send this parameter only once.'], target: ['Send this parameter only once.'] })
  })

  it('an unsupported language is not a failure: the backend is not called, and stays up', async () => {
    const before = server.sandbox.callCount('libretranslate')
    for (let turn = 0; turn < 5; turn++) await translate({ q: 'hello', target: 'xx' })
    expect(server.sandbox.callCount('libretranslate')).toBe(before)
  })

  it('counts code points, not UTF-16 units', async () => {
    expect((await translate({ q: '𝕏'.repeat(100), target: 'fr', source: 'en' })).status).toBe(200)
    expect((await translate({ q: '𝕏'.repeat(101), target: 'fr', source: 'en' })).status).toBe(400)
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

  it('works without the slash, and allows only GET', async () => {
    expect((await server.api.get('/api/v1/translate/languages')).status).toBe(200)
    const { status, headers } = await server.api.get('/api/v1/translate/languages/', { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('both', () => {
  it('are listed in the root', async () => {
    const { json } = await server.api.get('/api/v1/')
    expect(json.translate).toBe(`${server.url}/api/v1/translate/`)
    expect(json.translate_languages).toBe(`${server.url}/api/v1/translate/languages/`)
  })

  it('a translation counts as a search; errors and the list of languages do not', async () => {
    const key = await server.createKey()
    await translate({ q: 'hello', target: 'fr' }, key)
    await translate({ q: 'hello', target: 'xx' }, key)
    await translate({ q: 'hello' }, key)
    await server.api.get('/api/v1/translate/languages/', { key })
    const { json } = await server.api.get('/api/v1/usage/', { key })
    expect(json.by_endpoint).toEqual({ translate: 1 })
  })

  it('403: a key without the scope translate', async () => {
    const key = await server.createKey({ scopes: ['search', 'maps', 'answers'] })
    for (const path of [`${PATH}?q=hello&target=fr`, '/api/v1/translate/languages/']) {
      expect((await server.api.get(path, { key })).status).toBe(403)
    }
    const allowed = await server.createKey({ scopes: ['translate'] })
    expect((await translate({ q: 'hello', target: 'fr' }, allowed)).status).toBe(200)
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

  it('400: bad parameters are reported first', async () => {
    expect((await bare.api.get(`${PATH}?q=hello`)).status).toBe(400)
  })

  it('no translator is in status/', async () => {
    const { json } = await bare.api.get('/api/v1/status/')
    expect(json.providers.filter(({ group }: { group: string }) => group === 'translate')).toEqual([])
  })
})

describe('503: the backend fails', () => {
  let failing: TestInstance
  beforeAll(async () => {
    failing = await startTestInstance({
      TRANSLATE_TIMEOUT_MS: '300',
      PROBE_SECONDS: '1',
      LIBRETRANSLATE_RATE_LIMIT: 'off',
    })
  })
  afterAll(() => failing.close())
  afterEach(() => failing.sandbox.setFault('libretranslate', undefined))

  const stateOf = async (slug: string) => {
    const { json } = await failing.api.get('/api/v1/status/')
    const found = json.providers.find((provider: { slug: string }) => provider.slug === slug)
    return `${found?.group} ${found?.monitor} ${found?.state}`
  }

  it('probes alone detect that both are up, that one is down, and that it is up again', async () => {
    const patience = { timeout: 8_000, interval: 200 }
    await expect.poll(() => stateOf('libretranslate'), patience).toBe('translate probe up')
    await expect.poll(() => stateOf('apertium'), patience).toBe('translate probe up')
    failing.sandbox.setFault('libretranslate', { kind: 'status', status: 500 })
    await expect.poll(() => stateOf('libretranslate'), patience).toBe('translate probe down')
    expect(await stateOf('apertium')).toBe('translate probe up')
    failing.sandbox.setFault('libretranslate', undefined)
    await expect.poll(() => stateOf('libretranslate'), patience).toBe('translate probe up')
  })

  it.each([
    { kind: 'status', status: 500 },
    { kind: 'throttled', retryAfterSeconds: 2 },
    { kind: 'badKey' },
    { kind: 'html' },
    { kind: 'cut-off' },
    { kind: 'wrong-shape' },
    { kind: 'refuse' },
    { kind: 'hang' },
  ] as const)('$kind: the same words, with Retry-After', async (fault) => {
    // Wait until a success has closed the circuit that an earlier fault opened.
    const works = async () => (await failing.api.get(`${PATH}?q=hello&target=fr`)).status
    await expect.poll(works, { timeout: 20_000, interval: 250 }).toBe(200)
    failing.sandbox.setFault('libretranslate', fault)
    const { status, json, headers } = await failing.api.get(`${PATH}?q=hello&target=fr`)
    expect([status, json]).toEqual([503, UNAVAILABLE])
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  it('the text to translate is not logged', async () => {
    failing.sandbox.setFault('libretranslate', { kind: 'html' })
    await failing.api.get(`${PATH}?q=canarytext&target=fr`)
    expect(failing.logged()).toContain('/api/v1/translate/')
    expect(failing.logged()).not.toMatch(/canarytext|hello/)
  })
})
