import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()

afterEach(() => {
  stage.load.inFlight = 0
  vi.restoreAllMocks()
})

describe('a node at its limit of requests in flight', () => {
  beforeEach(() => {
    stage.load.inFlight = 1_000
  })

  it.each(['/api/v1/web/?q=new', '/api/v1/instant/?q=2%2B2', '/api/v1/translate/?q=hello&target=de', '/api/v1/key/'])(
    '503: %s, with Retry-After, and nothing is done or counted for it',
    async (url) => {
      const { status, json, headers } = await stage.get(url)
      expect({ status, json }).toEqual({
        status: 503,
        json: { detail: 'The server is overloaded. Try again in 2 seconds.' },
      })
      expect(headers['retry-after']).toBe('2')
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      expect(stage.asked).toEqual([])
      expect(stage.consumed).toEqual([])
    },
  )

  it('503: without a key too, and in the format of each compatible API', async () => {
    for (const [method, url, body] of [
      ['GET', '/searxng/search?q=oak', { error: expect.any(String), detail: expect.any(String) }],
      ['POST', '/tavily/search', { detail: { error: expect.any(String) } }],
      ['POST', '//v1/search', { success: false, error: expect.any(String) }],
      ['POST', '/mcp', { jsonrpc: '2.0', id: null, error: expect.any(Object) }],
    ] as const) {
      const reply = await stage.http.inject({ method, url })
      expect([url, reply.statusCode, reply.headers['retry-after']]).toEqual([url, 503, '2'])
      expect(reply.json()).toMatchObject(body)
    }
  })

  it('does not count refused requests as in flight, and serves again when one has finished', async () => {
    await stage.get('/api/v1/web/?q=new')
    expect(stage.load.inFlight).toBe(1_000)
    stage.load.leave()
    expect((await stage.get('/api/v1/web/?q=new')).status).toBe(200)
  })
})

describe('a request whose body is still arriving', () => {
  const headers = {
    authorization: 'Api-Key bowerbird_good.key',
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  }

  /** `meanwhile` is called when half of the body has arrived. */
  function post(url: string, meanwhile: () => void) {
    async function* body() {
      yield '{"q":"hello",'
      meanwhile()
      yield '"target":"de"}'
    }
    return stage.http.inject({ method: 'POST', url, headers, payload: Readable.from(body()) })
  }

  it.each(['/api/v1/translate/', '/no/such/page'])('is not in flight until it has arrived: %s', async (url) => {
    const enter = vi.spyOn(stage.load, 'enter')
    await post(url, () => expect(enter).not.toHaveBeenCalled())
    expect(enter).toHaveBeenCalledOnce()
    expect(stage.load.inFlight).toBe(0)
  })

  it.each(['/api/v1/translate/', '/no/such/page'])('503: if there is too much to do by then: %s', async (url) => {
    const reply = await post(url, () => {
      stage.load.inFlight = 1_000
    })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
    expect(stage.load.inFlight).toBe(1_000)
  })
})
