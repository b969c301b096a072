import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setUpApi } from '../api.test-stage.ts'

const stage = setUpApi()
const TOO_MANY_IN_FLIGHT = 2_000

describe('an overloaded node', () => {
  beforeEach(() => {
    stage.load.inFlight = TOO_MANY_IN_FLIGHT
  })
  afterEach(() => {
    stage.load.inFlight = 0
  })

  it.each([
    '/api/v1/web/?q=new',
    '/api/v1/images/?q=new',
    '/api/v1/maps/?q=paris',
    '/api/v1/instant/?q=2%2B2',
    '/api/v1/cards/?q=paris',
    '/api/v1/suggest/?q=par',
    '/api/v1/translate/?q=hello&target=de',
    '/api/v1/key/',
  ])('503: %s, with a wait, and nothing is done or counted for it', async (url) => {
    const { status, json, headers } = await stage.get(url)
    expect({ status, json }).toEqual({
      status: 503,
      json: { detail: 'The server is overloaded. Try again in 1 second.' },
    })
    expect(headers['retry-after']).toBe('1')
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(stage.asked).toEqual([])
    expect(stage.consumed).toEqual([])
  })

  it('503: a translation in a body that is not even read', async () => {
    const headers = { 'content-type': 'application/json' }
    const reply = await stage.get('/api/v1/translate/', {
      method: 'POST',
      headers,
      body: '{"q":"hello","target":"de"}',
    })
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(stage.consumed).toEqual([])
  })

  it('200: goes on with health', async () => {
    for (const url of ['/livez', '/readyz']) expect((await stage.http.inject(url)).statusCode).toBe(200)
  })
})
