// The life of a cached response, seen from outside: fresh for its first half, then served while it is renewed, then, if
// the provider fails, served as stale until it expires. `src/cache/response-cache.test.ts` has the exact moments.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const LIFE_MS = 600_000
const OUT_OF_ORDER = { kind: 'status', status: 500 } as const

/** The instance runs in this process, so it reads the same clock. */
let ahead = 0
const wait = (ms: number): void => {
  ahead += ms
}

let server: TestInstance
beforeAll(async () => {
  const realNow = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead)
  // Redis has a clock of its own.
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, REDIS_URL: '', SEARCH_CACHE_SECONDS: `${LIFE_MS / 1_000}` })
})
afterEach(() => server.sandbox.reset())
afterAll(async () => {
  await server.close()
  vi.restoreAllMocks()
})

const statusOf = ({ headers }: ApiReply) => headers.get('search-status')

/** Repeats the request until the background call has ended and the response has this status. */
const askUntil = (wanted: string, ask: () => Promise<ApiReply>) =>
  vi.waitFor(
    async () => {
      const reply = await ask()
      expect(statusOf(reply)).toBe(wanted)
      return reply
    },
    { timeout: 20_000 },
  )

it('in its second half a response is served at once, and one background call renews it', async () => {
  const ask = () => server.api.get(path)
  const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_b`
  await ask()
  wait(LIFE_MS / 2 + 1)
  server.sandbox.setFault('mojeek', { kind: 'hang' })
  for (const reply of await Promise.all(Array.from({ length: 10 }, ask))) {
    expect(statusOf(reply)).toBe('complete')
    expect(reply.headers.get('engine-status')).toMatch(/^engine_b;ok;n=10;ms=\d+;cached=memory$/)
  }
  expect(server.sandbox.callCount('mojeek')).toBe(2)
})

it('if the provider fails it is served as stale, then 503 once expired, then fresh after a success', async () => {
  const ask = () => server.api.get(path)
  const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_c`
  const first = await ask()
  server.sandbox.setFault('marginalia', OUT_OF_ORDER)
  expect(statusOf(await ask())).toBe('complete')
  wait(LIFE_MS / 2 + 1)
  const stale = await askUntil('stale', ask)
  expect(stale.json.results.length).toBe(first.json.results.length)
  expect(stale.headers.get('engine-status')).toMatch(/^engine_c;ok;n=10;ms=\d+;cached=stale$/)
  expect(stale.headers.get('cache-status')).toBe('bowerbird; hit')
  wait(LIFE_MS / 2)
  const gone = await ask()
  expect(gone).toMatchObject({ status: 503, json: { detail: expect.stringMatching(/\w/) } })
  expect(gone.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  server.sandbox.reset()
  wait(60_000)
  await askUntil('complete', ask)
})

it('a stale engine next to a fresh one makes the response partial', async () => {
  const ask = () => server.api.get(path)
  const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_b,engine_c`
  await ask()
  server.sandbox.setFault('mojeek', OUT_OF_ORDER)
  wait(LIFE_MS / 2 + 1)
  const reply = await askUntil('partial', ask)
  expect(reply.json.engine).toEqual(['engine_b', 'engine_c'])
  expect(reply.headers.get('engine-status')).toMatch(/^engine_b;ok;n=\d+;ms=\d+;cached=stale, engine_c;ok;/)
})

it('suggestions are stale and expire in the same way', async () => {
  const ask = () => server.api.get(path)
  const path = `/api/v1/suggest/?q=${freshQuery('clim')}`
  const first = await ask()
  for (const slug of ['wikipedia', 'duckduckgo']) server.sandbox.setFault(slug, OUT_OF_ORDER)
  wait(LIFE_MS / 2 + 1)
  expect((await askUntil('stale', ask)).json).toEqual(first.json)
  wait(LIFE_MS / 2)
  expect((await ask()).status).toBe(503)
})
