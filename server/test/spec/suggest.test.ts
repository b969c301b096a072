// Suggestions, with exactly two keys, what they include and exclude, and
// what happens if suggestion providers fail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance, useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const PATH = '/api/v1/suggest/'

describe('an instance with default settings', () => {
  const server = useTestInstance(WITHOUT_RATE_LIMIT)

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

  it('calls every suggestion provider, with the text as typed', async () => {
    const text = 'c++ & naïve 鳥 "x'
    const { json } = await suggest(`q=${encodeURIComponent(` ${text}  `)}`)
    expect(json.query).toBe(text)
    expect([askedOf('wikipedia')['search'], askedOf('duckduckgo')['q']]).toEqual([text, text])
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

  it('if one provider fails, the others are used, and the response is partial', async () => {
    server.sandbox.setFault('wikipedia', { kind: 'status', status: 500 })
    const { status, json, headers } = await suggest(`q=${freshQuery('clim')}`)
    server.sandbox.setFault('wikipedia', undefined)
    expect(status).toBe(200)
    expect(json.suggestions.length).toBeGreaterThan(0)
    expect(headers.get('search-status')).toBe('partial')
  })

  it.each([{ kind: 'status', status: 500 }, { kind: 'html' }] as const)(
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
