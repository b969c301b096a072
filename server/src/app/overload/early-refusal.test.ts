import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpApi } from '../../api/api.test-stage.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import { createEarlyRefusal } from './early-refusal.ts'

const stage = setUpApi()
/** One more than the limit. */
const TOO_MANY = 1_001
const KEY = 'Api-Key bowerbird_good.key'

let url: string
beforeAll(async () => {
  await stage.http.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(stage.http.server.address() as AddressInfo).port}`
})
beforeEach(() => {
  stage.load.inFlight = TOO_MANY
})
afterEach(() => {
  stage.load.inFlight = 0
  vi.restoreAllMocks()
})

/** Over a connection, as clients ask; and whether Fastify had to do with it. */
async function ask(path: string, headers: Record<string, string> = { authorization: KEY }, method = 'GET') {
  const routing = vi.spyOn(stage.http, 'routing').mockClear()
  const reply = await fetch(url + path, { method, headers })
  return { status: reply.status, body: await reply.text(), headers: reply.headers, isEarly: !routing.mock.calls.length }
}

/** All that does not differ from one reply to the next. */
function lasting(headers: Iterable<[string, unknown]>): Record<string, unknown> {
  const { date: _, connection: __, 'keep-alive': ___, ...rest } = Object.fromEntries(headers)
  return { ...rest, 'x-request-id': /^[\da-f-]{36}$/.test(String(rest['x-request-id'])) }
}

describe('an overloaded node', () => {
  it.each(['/api/v1/web/?q=new', '/api/v1/web?q=new', '/api/v1/suggest/?q=new'])(
    'refuses %s before all else, in the same words as later',
    async (path) => {
      const before = stage.load.refused.costly
      const early = await ask(path)
      expect(early).toMatchObject({ status: 503, isEarly: true })
      expect(stage.load.refused.costly).toBe(before + 1)
      expect(stage.load.inFlight).toBe(TOO_MANY)
      const later = await stage.http.inject({ url: path, headers: { authorization: KEY } })
      expect(early.body).toBe(later.body)
      expect(lasting(early.headers)).toEqual(lasting(Object.entries(later.headers)))
    },
  )

  it('leaves to the usual way whatever may get another answer', async () => {
    expect(await ask('/api/v1/web/?q=new', {})).toMatchObject({ status: 401, isEarly: false })
    expect(await ask('/api/v1/web/?q=new', { authorization: 'Api-Key wrong' })).toMatchObject({
      status: 401,
      isEarly: false,
    })
    expect(await ask('/api/v1/key/')).toMatchObject({ status: 200, isEarly: false })
    expect(await ask('/livez', {})).toMatchObject({ status: 200, isEarly: false })
    expect(await ask('/api/v1/web/?q=new', { authorization: KEY, origin: 'https://page.test' })).toMatchObject({
      status: 503,
      isEarly: false,
    })
    expect(await ask('/api/v1/translate/', { authorization: KEY }, 'POST')).toMatchObject({ isEarly: false })
  })

  it('answers what is in memory', async () => {
    stage.load.inFlight = 0
    expect(await ask('/api/v1/web/?q=known')).toMatchObject({ status: 200, isEarly: false })
    stage.load.inFlight = TOO_MANY
    stage.isInMemory = true
    expect(await ask('/api/v1/web/?q=known')).toMatchObject({ status: 200, isEarly: false })
    stage.load.inFlight = 2 * TOO_MANY
    expect(await ask('/api/v1/web/?q=known')).toMatchObject({ status: 503, isEarly: true })
    stage.isInMemory = false
  })

  it('does nothing of the kind with time to spare', async () => {
    stage.load.inFlight = 0
    expect(await ask('/api/v1/web/?q=other')).toMatchObject({ status: 200, isEarly: false })
  })
})

it('is recorded with its route and key, says so over HTTPS, and closes the connection while the node drains', async () => {
  const recorded: unknown[] = []
  const refuse = createEarlyRefusal({
    load: Object.assign(stage.load, { delayMs: 30 }),
    keys: { verifyCached: () => ({ ok: true, key: { keyId: '42' } as VerifiedKey }) },
    costlyPaths: new Map([['/costly/', { route: '/costly/', isCostly: () => true }]]),
    publicUrl: 'https://search.test',
    isReady: () => false,
    record: (request) => void recorded.push(request),
  })
  const server = createServer((request, response) => void (refuse(request, response) || response.end('served')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reply = await fetch(`http://127.0.0.1:${port}/costly/?q=secret`, { headers: { authorization: KEY } })
  expect(reply.status).toBe(503)
  expect(reply.headers.get('connection')).toBe('close')
  expect(reply.headers.get('strict-transport-security')).toMatch(/^max-age=/)
  const id = reply.headers.get('x-request-id')
  expect(recorded).toEqual([{ id, method: 'GET', route: '/costly/', status: 503, ms: 30, keyId: '42' }])
  await new Promise((done) => server.close(done))
})
