// Engines are slow, broken or hostile. The reply says whether it is complete, partial or empty, and which engine failed, and
// agrees with what the providers saw.
import type { Fault } from '@bowerbird/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ENGINES = ['brave', 'mojeek', 'marginalia'] as const
const TIMEOUT_MS = 4_000

const FAULTS: Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 404 },
  { kind: 'blocked' },
  { kind: 'badKey' },
  { kind: 'html' },
  { kind: 'empty-body' },
  { kind: 'cut-off' },
  { kind: 'reset' },
  { kind: 'refuse' },
  { kind: 'huge' },
  { kind: 'gzip-bomb' },
  { kind: 'wrong-shape' },
]
/** One for each engine, because each of these takes as long as the deadline. */
const SLOW: Fault[] = [{ kind: 'hang' }, { kind: 'drip' }, { kind: 'latency', latencyMs: 10 * TIMEOUT_MS }]

let server: TestInstance
beforeAll(async () => {
  // Without the cache, every search calls the engines.
  const settings = { SEARCH_TIMEOUT_MS: String(TIMEOUT_MS), SEARCH_CACHE_SECONDS: '0' }
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, ...settings })
})
afterAll(() => server?.close())

let searches = 0
const search = async () => {
  const { status, json, headers } = await server.api.get(`/api/v1/web/?q=honest+${searches++}`)
  return {
    status,
    json,
    searchStatus: headers.get('search-status'),
    engineStatus: headers.get('engine-status') ?? '',
    retryAfter: Number(headers.get('retry-after')),
  }
}

/** Failed engines recover once they have answered. */
beforeEach(async () => {
  server.sandbox.reset()
  await expect.poll(async () => (await search()).searchStatus, { timeout: 60_000 }).toBe('complete')
})

describe('one engine of three', () => {
  it.each(FAULTS)('failing by $kind: the others answer, and the reply is partial and names it', async (fault) => {
    server.sandbox.setFault('mojeek', fault)
    const calls = server.sandbox.callCount('mojeek')
    const { status, json, searchStatus, engineStatus } = await search()
    expect(status).toBe(200)
    expect(json.engine).toEqual(['engine_a', 'engine_c'])
    expect(searchStatus).toBe('partial')
    expect(engineStatus).toMatch(
      /^engine_a;ok;n=\d+;ms=\d+, engine_b;(timeout|unreachable|throttled|blocked|rejected|malformed);ms=\d+, engine_c;ok;/,
    )
    expect(server.sandbox.callCount('mojeek')).toBeGreaterThan(calls)
  })

  it('slow beyond the deadline: the others answer by then', async () => {
    server.sandbox.setFault('mojeek', SLOW[0])
    expect(await search()).toMatchObject({
      status: 200,
      searchStatus: 'partial',
      engineStatus: expect.stringMatching(/engine_a;ok;.* engine_b;timeout;ms=\d+, engine_c;ok;/),
    })
  })

  it('returning no results is not a failure: the reply is complete', async () => {
    server.sandbox.setFault('mojeek', { kind: 'no-results' })
    expect(await search()).toMatchObject({ status: 200, searchStatus: 'complete' })
  })
})

describe('all engines', () => {
  const breakAll = (faultOf: (at: number) => Fault | undefined) => {
    for (const [at, slug] of ENGINES.entries()) server.sandbox.setFault(slug, faultOf(at))
  }
  async function expectUnavailable(outcome: RegExp): Promise<void> {
    const { status, json, engineStatus, retryAfter } = await search()
    expect(status).toBe(503)
    expect(json.detail).toMatch(/^\S.*\.$/)
    expect(retryAfter).toBeGreaterThanOrEqual(1)
    expect(engineStatus.split(', ').filter((entry) => !outcome.test(entry))).toEqual([])
  }

  it.each(FAULTS)('failing by $kind: 503, with a reason and Retry-After', async (fault) => {
    breakAll(() => fault)
    await expectUnavailable(/^engine_[abc];(timeout|unreachable|throttled|blocked|rejected|malformed);/)
  })

  it('slow beyond the deadline, each in its way: 503', async () => {
    breakAll((at) => SLOW[at])
    await expectUnavailable(/^engine_[abc];timeout;/)
  })

  it('finding nothing: an empty reply, marked complete', async () => {
    breakAll(() => ({ kind: 'no-results' }))
    expect(await search()).toMatchObject({ status: 200, json: { results: [] }, searchStatus: 'complete' })
  })

  it('failing again and again: 503 without a call, until they have recovered', async () => {
    breakAll(() => ({ kind: 'refuse' }))
    for (let turn = 0; turn < 10; turn += 1) await expectUnavailable(/./)
    const calls = server.sandbox.callCount('mojeek')
    await expectUnavailable(/;open;/)
    expect(server.sandbox.callCount('mojeek')).toBe(calls)
  })

  it('are not marked down by invalid requests', async () => {
    for (const path of ['?q=', '?q=x&page=99', `?q=${'x'.repeat(501)}`, '?q=x&engine=nope'])
      for (let turn = 0; turn < 3; turn += 1) await server.api.get(`/api/v1/web/${path}`)
    const { providers } = (await server.api.get('/api/v1/status/')).json
    expect(providers.filter(({ group, state }: Record<string, string>) => group === 'web' && state === 'down')).toEqual(
      [],
    )
  })

  // Last, because rate-limited engines stay skipped.
  it('asking us to slow down: 503, and they are not called again before that is over', async () => {
    breakAll(() => ({ kind: 'throttled', retryAfterSeconds: 60 }))
    await expectUnavailable(/^engine_[abc];throttled;/)
    const calls = server.sandbox.callCount('marginalia')
    expect((await search()).status).toBe(503)
    expect(server.sandbox.callCount('marginalia')).toBe(calls)
  })
})
