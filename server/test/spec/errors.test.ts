// Every status, its condition and its body.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { EVERY_FAILURE } from './every-failure.ts'
import { freshQuery } from './fresh-query.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ SEARCH_TIMEOUT_MS: '2000' })
})
afterAll(() => server.close())

const SLUGS = ['brave', 'mojeek', 'marginalia']
const detail = { detail: expect.stringMatching(/^[A-Z].*\.$/) }

/** A successful search, so that failures of one test don't add up with those of the next. */
const recover = () => server.api.get(`/api/v1/web/?q=${freshQuery()}`)

async function withFault<T>(
  fault: Parameters<TestInstance['sandbox']['setFault']>[1],
  act: () => Promise<T>,
): Promise<T> {
  for (const slug of SLUGS) server.sandbox.setFault(slug, fault)
  try {
    return await act()
  } finally {
    for (const slug of SLUGS) server.sandbox.setFault(slug, undefined)
    await recover()
  }
}

describe('each status', () => {
  it('200: a successful request', async () => {
    expect((await server.api.get('/api/v1/web/?q=climate')).status).toBe(200)
  })

  it.each([
    ['missing q', '/api/v1/web/', 'q'],
    ['a page that is not an integer', '/api/v1/web/?q=climate&page=two', 'page'],
    ['an unknown engine', '/api/v1/web/?q=climate&engine=engine_x', 'engine'],
  ])('400: %s, as a list of messages under the name of the parameter', async (_name, path, parameter) => {
    const { status, json } = await server.api.get(path)
    expect(status).toBe(400)
    expect(json).toEqual({ [parameter]: [expect.stringMatching(/^[A-Z].*\.$/)] })
  })

  it('400: a message never echoes the input', async () => {
    const { text } = await server.api.get(
      '/api/v1/web/?q=climate&page=canary1&engine=canary2&safe=canary3&lang=canary-canary4',
    )
    expect(text).not.toMatch(/canary/)
  })

  it('401: no key', async () => {
    const { status, json } = await server.api.get('/api/v1/web/?q=climate', { key: undefined })
    expect(status).toBe(401)
    expect(json).toEqual(detail)
  })

  it('403: the key of a disabled account', async () => {
    const { access } = server.instance.services
    await createUser(access, { username: 'linus', password: 'correct horse battery' })
    const key = await server.createKey({ owner: { username: 'linus' } })
    await disableUser(access, 'linus')
    const { status, json } = await server.api.get('/api/v1/web/?q=climate', { key })
    expect(status).toBe(403)
    expect(json).toEqual(detail)
  })

  it('429: a limit exceeded, in the documented words, and Retry-After has the same wait', async () => {
    const key = await server.createKey({ burst: '1/min' })
    await server.api.get('/api/v1/status/', { key })
    const { status, json, headers } = await server.api.get('/api/v1/status/', { key })
    expect(status).toBe(429)
    const [, seconds] = /^Request was throttled\. Expected available in (\d+) seconds\.$/.exec(json.detail) ?? []
    expect(Object.keys(json)).toEqual(['detail'])
    expect(headers.get('retry-after')).toBe(seconds)
  })
})

describe('503: if no engine answers, never an empty 200', () => {
  it('200: engines that find nothing have answered', async () => {
    const { status, json } = await withFault({ kind: 'no-results' }, () =>
      server.api.get(`/api/v1/web/?q=${freshQuery()}`),
    )
    expect([status, json.results]).toEqual([200, []])
  })

  it.each(EVERY_FAILURE)('503: every engine with $kind: a detail and Retry-After', async (fault) => {
    const { status, json, headers } = await withFault(fault, () => server.api.get(`/api/v1/web/?q=${freshQuery()}`))
    expect(status).toBe(503)
    expect(json).toEqual(detail)
    expect(headers.get('error-code')).toBe('no_engine_responded')
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(headers.get('engine-status')).toMatch(/^engine_a;\w+;ms=\d+, engine_b;\w+;ms=\d+, engine_c;\w+;ms=\d+$/)
    expect(JSON.stringify(json)).not.toMatch(/http|127\.0\.0\.1|sandbox|brave|mojeek|marginalia/i)
  })

  it('503: Retry-After is at most the shortest wait that an engine requests', async () => {
    const { headers } = await withFault({ kind: 'throttled', retryAfterSeconds: 3 }, () =>
      server.api.get(`/api/v1/web/?q=${freshQuery()}&engine=engine_a`),
    )
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3)
  })
})

describe('every error', () => {
  it.each([
    ['/api/v1/web/', 400],
    ['/api/v1/nowhere/', 404],
  ])('%s is JSON, has a request id and reveals no internals', async (path, expected) => {
    const { status, headers, text } = await server.api.get(path)
    expect(status).toBe(expected)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/./)
    expect(text).not.toMatch(/stack|node_modules|\.ts\b|Error:/)
  })

  it('400: a malformed URL is answered in JSON', async () => {
    const response = await fetch(`${server.url}/api/v1/web/%zz?q=climate`)
    const body = await response.json()
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    expect(body).toEqual(detail)
  })
})
