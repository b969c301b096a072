// What clients get besides the body, and when a provider fails: compression, ETags, caching, waits and fallbacks, over
// real HTTP. docs/api/conventions.md has the reasons.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server.close())
afterEach(() => server.sandbox.reset())

describe('ETag', () => {
  it.each(['/api/v1/openapi.json', '/api/v1/translate/languages/', '/docs'])('304: %s', async (path) => {
    const get = (headers: Record<string, string> = {}) =>
      fetch(server.url + path, { headers: { authorization: `Api-Key ${server.key}`, ...headers } })
    // The page shows a dot for provider status, which may change while the first probes complete.
    const askTwice = async () => {
      const first = await get()
      const etag = first.headers.get('etag') ?? ''
      const again = await get({ 'if-none-match': etag })
      const isSame = again.headers.get('etag') === etag
      return { whole: (await first.text()).length > 100, isSame, status: again.status, body: await again.text() }
    }
    await expect.poll(askTwice).toEqual({ whole: true, isSame: true, status: 304, body: '' })
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200)
  })
})

it.each([
  ['engine_a', 'brave'],
  ['engine_b', 'mojeek'],
  ['engine_c', 'marginalia'],
])('503: %s has the Retry-After that %s sent', async (engine, slug) => {
  server.sandbox.setFault(slug, { kind: 'throttled', retryAfterSeconds: 37 })
  const { status, headers } = await server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=${engine}`)
  expect([status, headers.get('retry-after')]).toEqual([503, '37'])
})
