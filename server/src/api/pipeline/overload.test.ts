import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setUpApi } from '../api.test-stage.ts'

const stage = setUpApi()
const MOST_IN_FLIGHT = 1_000

const enter = (count: number) => {
  for (let i = 0; i < count; i++) stage.load.enter()
}

afterEach(() => {
  stage.load.inFlight = 0
})

describe('an overloaded node', () => {
  beforeEach(() => enter(MOST_IN_FLIGHT))

  it.each([
    '/api/v1/web/?q=new',
    '/api/v1/images/?q=new',
    '/api/v1/maps/?q=paris',
    '/api/v1/instant/?q=2%2B2',
    '/api/v1/cards/?q=paris',
    '/api/v1/suggest/?q=par',
    '/api/v1/translate/?q=hello&target=de',
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

  it('200: goes on with what asks nobody, and with health', async () => {
    for (const url of ['/api/v1/', '/api/v1/key/', '/api/v1/status/', '/api/v1/openapi.json', '/livez', '/readyz']) {
      expect(
        (await stage.http.inject({ url, headers: { authorization: 'Api-Key bowerbird_good.key' } })).statusCode,
      ).toBe(200)
    }
  })

  it('200: a search that was asked before, as long as its answer is in memory', async () => {
    stage.load.inFlight = 0
    expect((await stage.get('/api/v1/web/?q=known')).status).toBe(200)
    enter(MOST_IN_FLIGHT)
    expect((await stage.get('/api/v1/web/?q=known')).status).toBe(503)
    stage.isInMemory = true
    expect((await stage.get('/api/v1/web/?q=known')).status).toBe(200)
    // One that nobody has asked is not looked for.
    expect((await stage.get('/api/v1/web/?q=unknown')).status).toBe(503)
    stage.isInMemory = false
  })

  it('401: still tells who has no key', async () => {
    expect((await stage.get('/api/v1/web/?q=new', { key: null })).status).toBe(401)
  })

  it('503: everything but health, with twice as much in flight', async () => {
    enter(MOST_IN_FLIGHT)
    for (const url of ['/api/v1/key/', '/api/v1/openapi.json', '/api/v1/nothing/']) {
      const { statusCode, headers } = await stage.http.inject(url)
      expect([statusCode, headers['retry-after']]).toEqual([503, '1'])
    }
    for (const url of ['/livez', '/readyz']) expect((await stage.http.inject(url)).statusCode).toBe(200)
  })
})
