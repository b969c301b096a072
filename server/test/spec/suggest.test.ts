// Suggestions, with exactly two keys, what they include and exclude, and
// what happens if suggestion providers fail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PATH = '/api/v1/suggest/'

describe('an instance with default settings', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance(WITHOUT_RATE_LIMIT)
  })
  afterAll(() => server.close())

  const suggest = (parameters: string) => server.api.get(`${PATH}?${parameters}`)
  const askedOf = (slug: string) => server.sandbox.calls(slug).at(-1)?.query ?? {}

  it('returns exactly query and suggestions', async () => {
    const { status, json, headers } = await suggest('q=clim')
    expect(status).toBe(200)
    expect(json).toEqual({ query: 'clim', suggestions: expect.any(Array) })
    expect(json.suggestions.length).toBeGreaterThan(3)
    expect(json.suggestions.length).toBeLessThanOrEqual(10)
    for (const suggestion of json.suggestions) expect(suggestion).toMatch(/^clim/i)
    expect(headers.get('search-status')).toBe('complete')
  })

  it('keeps both keys if there is nothing to suggest', async () => {
    const { status, json, headers } = await suggest('q=nothingtofind')
    expect([status, json]).toEqual([200, { query: 'nothingtofind', suggestions: [] }])
    expect(headers.get('search-status')).toBe('complete')
  })

  it('calls every suggestion provider, with the text as typed', async () => {
    const text = 'c++ & naïve 鳥 "x'
    const { json } = await suggest(`q=${encodeURIComponent(` ${text}  `)}`)
    expect(json.query).toBe(text)
    expect([askedOf('wikipedia')['search'], askedOf('duckduckgo')['q']]).toEqual([text, text])
  })

  it.each([
    ['missing', ''],
    ['empty', 'q='],
    ['only white space', 'q=%20%09%C2%A0'],
    ['sent twice', 'q=one&q=two'],
    ['with 501 characters', `q=${'x'.repeat(501)}`],
  ])('400: q %s', async (_name, parameters) => {
    const { status, json } = await suggest(parameters)
    expect([status, Object.keys(json)]).toEqual([400, ['q']])
    expect(json.q[0]).toMatch(/\w.*\.$/)
  })

  it('400: lang is not a language tag', async () => {
    const { status, json } = await suggest('q=clim&lang=english')
    expect([status, Object.keys(json)]).toEqual([400, ['lang']])
  })

  it('lang skips providers without that language, and the response is complete', async () => {
    server.sandbox.reset()
    // Klingon has no Wikipedia.
    const { headers } = await suggest(`q=${freshQuery('clim')}&lang=tlh`)
    expect(headers.get('search-status')).toBe('complete')
    expect(server.sandbox.callCount('wikipedia')).toBe(0)
  })

  it('lang calls every provider with that language, in that language', async () => {
    server.sandbox.reset()
    const { json, headers } = await suggest(`q=${freshQuery('clim')}&lang=de`)
    expect(json.suggestions.length).toBeGreaterThan(0)
    expect(headers.get('search-status')).toBe('complete')
    expect(server.sandbox.callCount('wikipedia')).toBe(1)
    expect(askedOf('duckduckgo')['kl']).toBe('de-de')
  })

  it('other parameters are ignored', async () => {
    const plain = await suggest('q=clim')
    const odd = await suggest('q=clim&engine=nosuch&page=zero&safe=maybe&date=never&include=nosuch')
    expect([odd.status, odd.json]).toEqual([200, plain.json])
  })

  it('if one provider fails, the others are used, and the response is partial', async () => {
    server.sandbox.setFault('wikipedia', { kind: 'status', status: 500 })
    const { status, json, headers } = await suggest(`q=${freshQuery('clim')}`)
    server.sandbox.setFault('wikipedia', undefined)
    expect(status).toBe(200)
    expect(json.suggestions.length).toBeGreaterThan(0)
    expect(headers.get('search-status')).toBe('partial')
  })

  it.each([{ kind: 'status', status: 500 }, { kind: 'html' }, { kind: 'refuse' }] as const)(
    '503, never an empty list, if all fail ($kind)',
    async (fault) => {
      const key = await server.createKey()
      for (const slug of ['wikipedia', 'duckduckgo']) server.sandbox.setFault(slug, fault)
      const { status, json, headers } = await server.api.get(`${PATH}?q=${freshQuery('clim')}`, { key })
      for (const slug of ['wikipedia', 'duckduckgo']) server.sandbox.setFault(slug, undefined)
      expect(status).toBe(503)
      expect(json).toEqual({ detail: expect.stringMatching(/\w/) })
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect((await server.api.get('/api/v1/usage/', { key })).json.searches).toBe(0)
      // A success, so that no circuit stays open.
      expect((await suggest(`q=${freshQuery('clim')}`)).headers.get('search-status')).toBe('complete')
    },
  )

  it('counts as a search', async () => {
    const key = await server.createKey()
    for (const q of ['clim', 'clim', 'nothingtofind']) await server.api.get(`${PATH}?q=${q}`, { key })
    await server.api.get(PATH, { key })
    expect((await server.api.get('/api/v1/usage/', { key })).json).toMatchObject({
      searches: 3,
      by_endpoint: { suggest: 3 },
    })
  })

  it('403: a key without the scope search', async () => {
    const key = await server.createKey({ scopes: ['maps'] })
    expect((await server.api.get(`${PATH}?q=clim`, { key })).status).toBe(403)
  })

  it('a slow provider does not hold up the others for long', async () => {
    server.sandbox.setFault('wikipedia', { kind: 'hang' })
    const started = performance.now()
    const { json, headers } = await suggest(`q=${freshQuery('clim')}`)
    server.sandbox.setFault('wikipedia', undefined)
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(json.suggestions.length).toBeGreaterThan(0)
    expect(headers.get('search-status')).toBe('partial')
  })
})

describe('the list of suggestions', () => {
  let server: TestInstance
  let scripted: ScriptedProvider
  beforeAll(async () => {
    scripted = await startScriptedProvider()
    const settings = scripted.settings('brave', 'searxng')
    server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, ...settings, SUGGEST: 'brave searxng' })
  })
  afterAll(async () => {
    await server.close()
    await scripted.close()
  })

  /** The merged completions of two providers. `{q}` in them is the typed text, which is new each time. */
  async function joined(one: unknown[], other: unknown[] = [], typed = decodeURIComponent(freshQuery())) {
    const told = (text: unknown) => (typeof text === 'string' ? text.replace('{q}', typed) : text)
    scripted.answer('brave', 200, { type: 'suggest', results: one.map((query) => ({ query: told(query) })) })
    scripted.answer('searxng', 200, [typed, other.map(told)])
    const { status, json } = await server.api.get(`${PATH}?q=${encodeURIComponent(typed)}`)
    expect(status).toBe(200)
    return json.suggestions
  }

  it('ranks what several providers suggest first, then by position', async () => {
    expect(await joined(['a', 'b', 'c'], ['b', 'd'])).toEqual(['b', 'a', 'd', 'c'])
  })

  it('has nothing blank, whatever providers send', async () => {
    expect(await joined(['a', '', '  ', null, 7], ['\t', ' b ', '<i></i>'])).toEqual(['a', 'b'])
  })

  it('has no duplicates, ignoring case and white space', async () => {
    expect(await joined(['Oak bark', 'oak BARK', 'oak  bark'], [' oak bark ', 'oak tree'])).toEqual([
      'Oak bark',
      'oak tree',
    ])
  })

  it.each(['bower bird', 'Bower Bird', 'bower  bird', 'bower\tbird'])(
    'never has the query itself, ignoring case and white space: %j',
    async (words) => {
      const typed = `${words} ${decodeURIComponent(freshQuery())}`
      const plain = typed.replace(/\s+/g, ' ')
      const found = await joined([plain, plain.toUpperCase(), `${plain} nest`], [typed, ` ${plain} `], typed)
      expect(found).toEqual([`${plain} nest`])
    },
  )

  it('is plain text only', async () => {
    expect(await joined(['<b>oak</b> bark &amp; roots'])).toEqual(['oak bark & roots'])
  })

  it('has at most ten', async () => {
    const many = (word: string) => Array.from({ length: 12 }, (_, n) => `${word} ${n}`)
    expect(await joined(many('oak'), many('elm'))).toHaveLength(10)
  })
})

describe('an instance without suggestion providers', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance({ SUGGEST: 'none' })
  })
  afterAll(() => server.close())

  it('503, with a detail that explains why, and it does not count as usage', async () => {
    const { status, json } = await server.api.get(`${PATH}?q=clim`)
    expect(status).toBe(503)
    expect(json).toEqual({ detail: expect.stringMatching(/configured/) })
    expect((await server.api.get('/api/v1/usage/')).json.searches).toBe(0)
  })

  it('400: bad parameters are reported first', async () => {
    expect((await server.api.get(PATH)).status).toBe(400)
  })
})
