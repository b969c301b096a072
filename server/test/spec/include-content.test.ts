// `include=content`: a search that also reads the first pages it finds, through the sandbox's page proxy.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allEvents } from '../support/read-events.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const LIMITS = { burst: '100000/min', sustained: '1000000/day' }

interface Read {
  url: string
  content: string
  content_truncated: boolean
  content_reason: string
}

let scripted: ScriptedProvider
let server: TestInstance
beforeAll(async () => {
  scripted = await startScriptedProvider()
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, ...scripted.settings('brave') })
})
afterAll(async () => {
  await server.close()
  await scripted.close()
})

const readingKey = () => server.createKey({ ...LIMITS, scopes: ['search', 'read'] })
/** Pages found by one engine. */
const find = (...urls: string[]) =>
  scripted.show(
    'brave',
    urls.map((url) => ({ title: 'A page', url })),
  )
const search = (key: string, parameters = '') =>
  server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=engine_a&include=content${parameters}`, { key })
const reasonsOf = (results: Read[]) => results.map((result) => result.content_reason)

/** On a busy machine a page may time out; it is available on a retry. */
const PATIENCE = { timeout: 30_000, interval: 100 }
const TIDES = 'https://harbour-gazette.example/stories/tides'
vi.setConfig({ testTimeout: 60_000 })

describe('include=content', () => {
  it('reads the first results; without it the body has none of these members', async () => {
    const key = await readingKey()
    const first = await vi.waitFor(async () => {
      const { status, json } = await server.api.get('/api/v1/news/?q=tides&include=content', { key })
      expect(status).toBe(200)
      const [result] = json.results as Read[]
      expect(result?.content).toContain('## What to look at first')
      return result
    }, PATIENCE)
    expect(first).toMatchObject({ content_truncated: false, content_reason: '' })
    expect((await server.api.get('/api/v1/news/?q=tides', { key })).text).not.toContain('content_')
  })

  it('an unreadable page has a reason, and is not billed', async () => {
    const key = await readingKey()
    find(
      TIDES,
      'https://slow-notebook.example/hostile-drip',
      'https://tide-letters.example/private/letters',
      'https://deep-archive.example/hostile-deep',
      'http://169.254.169.254/latest/meta-data',
      'https://harbour-gazette.example/stories/shells',
    )
    let expected = 0
    await vi.waitFor(async () => {
      const reasons = reasonsOf((await search(key, '&content_results=5')).json.results)
      expected += 1 + reasons.filter((reason) => reason === '').length
      expect(reasons).toEqual(['', 'timeout', 'robots', 'too_complex', 'blocked', 'not_requested'])
    }, PATIENCE)
    const { usage } = (await server.api.get('/api/v1/key/', { key })).json
    expect(usage.searches).toBe(expected)
    expect(server.logged()).not.toMatch(/harbour-gazette|slow-notebook|tide-letters|169\.254/)
  })

  it('in a stream, done has the text', async () => {
    find(TIDES)
    const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_a&include=content`
    const authorization = `Api-Key ${await readingKey()}`
    const headers = { authorization, accept: 'text/event-stream' }
    const done = (await allEvents(await fetch(server.url + path, { headers }))).at(-1)
    expect(done?.event).toBe('done')
    const json = await (await fetch(server.url + path, { headers: { authorization } })).json()
    expect(done?.json.body).toEqual(json)
    expect(done?.json.body.results[0].content).toContain('## What to look at first')
  })
})
