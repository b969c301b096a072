// The life of a cached response, seen from outside: fresh for its first half, then served while it is renewed, then, if
// the provider fails, served as stale until it expires. Its lifetime is eight seconds here, so that a busy machine hits
// each half. The tests run concurrently, each with its own providers.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const LIFE_MS = 8_000
const SOFT_MS = LIFE_MS / 2
const OUT_OF_ORDER = { kind: 'status', status: 500 } as const

let server: TestInstance
let scripted: ScriptedProvider
beforeAll(async () => {
  scripted = await startScriptedProvider()
  server = await startTestInstance({
    ...WITHOUT_RATE_LIMIT,
    ...scripted.settings('marginalia'),
    SEARCH_CACHE_SECONDS: String(LIFE_MS / 1000),
    ENGINE_D: 'kagi',
    ENGINE_E: 'searxng',
  })
})
afterAll(async () => {
  await server.close()
  await scripted.close()
})

const statusOf = ({ headers }: ApiReply) => headers.get('search-status')
const engineStatusOf = ({ headers }: ApiReply) => headers.get('engine-status') ?? ''

/** Repeats the request until the response is right, and returns it. */
async function askUntil(ask: () => Promise<ApiReply>, isRight: (reply: ApiReply) => boolean): Promise<ApiReply> {
  let reply = await ask()
  const cameTrue = await eventually(async () => {
    reply = await ask()
    return isRight(reply)
  }, LIFE_MS)
  expect([cameTrue, engineStatusOf(reply)]).toEqual([true, engineStatusOf(reply)])
  return reply
}

describe.concurrent('the life of a cached response', () => {
  it('in its second half it is served immediately, and one background call renews it', async () => {
    const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_b`
    const ask = () => server.api.get(path)
    await ask()
    expect(server.sandbox.callCount('mojeek')).toBe(1)
    await sleep(SOFT_MS + 50)
    server.sandbox.setFault('mojeek', { kind: 'latency', latencyMs: 3_000 })
    const started = performance.now()
    const replies = await Promise.all(Array.from({ length: 10 }, ask))
    expect(performance.now() - started).toBeLessThan(3_000)
    for (const reply of replies) {
      expect([reply.status, statusOf(reply)]).toEqual([200, 'complete'])
      expect(reply.headers.get('cache-status')).toBe('bowerbird; hit')
      expect(engineStatusOf(reply)).toMatch(/^engine_b;ok;n=10;ms=\d+;cached=memory$/)
    }
    await sleep(3_200)
    expect(statusOf(await ask())).toBe('complete')
    expect(server.sandbox.callCount('mojeek')).toBe(2)
    // After the first response has expired: this is the renewed one.
    await sleep(1_000)
    expect((await ask()).headers.get('cache-status')).toBe('bowerbird; hit')
  })

  it('the next request gets the renewed response', async () => {
    const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_c`
    const titleNow = async () => (await server.api.get(path)).json.results[0].title
    scripted.show('marginalia', [{ title: 'Old', url: 'https://site.example/' }])
    expect(await titleNow()).toBe('Old')
    scripted.show('marginalia', [{ title: 'New', url: 'https://site.example/' }])
    expect(await titleNow()).toBe('Old')
    await sleep(SOFT_MS + 50)
    expect(await titleNow()).toBe('Old')
    expect(await eventually(async () => (await titleNow()) === 'New', 3_000)).toBe(true)
  })

  it('if the provider fails it is served as stale, then 503 once expired, then fresh after a success', async () => {
    const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_a`
    const ask = () => server.api.get(path)
    const first = await ask()
    server.sandbox.setFault('brave', OUT_OF_ORDER)
    expect([statusOf(await ask()), server.sandbox.callCount('brave')]).toEqual(['complete', 1])
    await sleep(SOFT_MS + 50)
    const stale = await askUntil(ask, (reply) => statusOf(reply) === 'stale')
    expect([stale.status, stale.json]).toEqual([200, first.json])
    expect(engineStatusOf(stale)).toMatch(/^engine_a;ok;n=10;ms=\d+;cached=stale$/)
    expect(stale.headers.get('cache-status')).toBe('bowerbird; hit')
    const gone = await askUntil(ask, ({ status }) => status !== 200)
    expect(gone.status).toBe(503)
    expect(gone.json).toEqual({ detail: expect.stringMatching(/\w/) })
    expect(gone.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(engineStatusOf(gone)).toMatch(/^engine_a;(unreachable|open);ms=\d+$/)
    server.sandbox.setFault('brave', undefined)
    const well = await askUntil(ask, ({ status }) => status === 200)
    expect([statusOf(well), engineStatusOf(well).includes('stale')]).toEqual(['complete', false])
  })

  it('a stale engine next to a fresh one makes the response partial', async () => {
    const path = `/api/v1/web/?q=${freshQuery()}&engine=engine_d,engine_e`
    const ask = () => server.api.get(path)
    await ask()
    server.sandbox.setFault('kagi', OUT_OF_ORDER)
    await sleep(SOFT_MS + 50)
    const reply = await askUntil(ask, (reply) => statusOf(reply) !== 'complete')
    server.sandbox.setFault('kagi', undefined)
    expect([reply.status, statusOf(reply), reply.json.engine]).toEqual([200, 'partial', ['engine_d', 'engine_e']])
    expect(engineStatusOf(reply)).toMatch(
      /^engine_d;ok;n=\d+;ms=\d+;cached=stale, engine_e;ok;n=\d+;ms=\d+;cached=memory$/,
    )
  })

  it('suggestions follow the same rules', async () => {
    const ask = () => server.api.get(path)
    const path = `/api/v1/suggest/?q=${freshQuery('clim')}`
    const first = await ask()
    for (const slug of ['wikipedia', 'duckduckgo']) server.sandbox.setFault(slug, OUT_OF_ORDER)
    await sleep(SOFT_MS + 50)
    const stale = await askUntil(ask, (reply) => statusOf(reply) === 'stale')
    expect([stale.status, stale.json]).toEqual([200, first.json])
    expect((await askUntil(ask, ({ status }) => status !== 200)).status).toBe(503)
  })
})
