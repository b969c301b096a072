// For any mix of engine failures, the reply reports what failed and agrees with what the providers saw.
import type { Fault } from '@bowerbird/sandbox'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const SLOTS = { engine_a: 'brave', engine_b: 'mojeek', engine_c: 'marginalia' } as const

const FAULTS: readonly (Fault | undefined)[] = [
  undefined,
  undefined,
  { kind: 'no-results' },
  { kind: 'status', status: 500 },
  { kind: 'badKey' },
  { kind: 'blocked' },
  { kind: 'html' },
  { kind: 'cut-off' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'wrong-shape' },
]

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance({ ...WITHOUT_RATE_LIMIT, SEARCH_TIMEOUT_MS: '250', SEARCH_CACHE_SECONDS: '0' })
})
afterAll(() => server?.close())

/** `engine_a;ok;n=10;ms=3, …` → engine_a: ok */
const outcomesIn = (header: string | null): Record<string, string> =>
  Object.fromEntries((header ?? '').split(', ').map((item) => item.split(';', 2)))

it('without any engine the reply is never complete and never 200; Engine-Status agrees with what the providers saw', async () => {
  let number = 0
  await fc.assert(
    fc.asyncProperty(fc.tuple(fc.nat(10), fc.nat(10), fc.nat(10)), async (choice) => {
      const before: Record<string, number> = {}
      Object.entries(SLOTS).forEach(([slot, slug], index) => {
        server.sandbox.setFault(slug, FAULTS[choice[index] ?? 0])
        before[slot] = server.sandbox.callCount(slug)
      })
      number += 1
      const reply = await server.api.get(`/api/v1/web/?q=mix+${number}`)
      const outcomes = outcomesIn(reply.headers.get('engine-status'))
      const answered = Object.keys(SLOTS).filter((slot) => outcomes[slot] === 'ok')

      expect(reply.status).toBe(answered.length > 0 ? 200 : 503)
      if (reply.status === 200) {
        expect(reply.json.engine).toEqual(answered)
        expect(reply.headers.get('search-status')).toBe(answered.length === 3 ? 'complete' : 'partial')
      } else {
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(reply.json.detail).toMatch(/\w/)
      }
      Object.entries(SLOTS).forEach(([slot, slug], index) => {
        const isWell = choice[index] === undefined || choice[index] < 3
        const wasAsked = server.sandbox.callCount(slug) > (before[slot] ?? 0)
        // An open circuit, or a half-open one whose trial is taken, makes no call; every other engine was called.
        expect([slot, wasAsked]).toEqual([slot, outcomes[slot] !== 'open'])
        if (wasAsked) expect([slot, outcomes[slot] === 'ok']).toEqual([slot, isWell])
      })
    }),
    { numRuns: 60 },
  )
})

it('invalid requests mark no provider down', async () => {
  server.sandbox.reset()
  const before = await server.api.get('/api/v1/status/')
  for (const path of [
    '?q=',
    '?q=x&page=99',
    `?q=${'x'.repeat(501)}`,
    `?q=${'word%20'.repeat(60)}`,
    '?q=x&engine=nope',
  ]) {
    for (let turn = 0; turn < 3; turn += 1) await server.api.get(`/api/v1/web/${path}`)
  }
  const states = (reply: typeof before) =>
    reply.json.providers.map(({ slug, group, state }: Record<string, string>) => [slug, group, state])
  const after = await server.api.get('/api/v1/status/')
  const isDown = ([, , state]: string[]) => state === 'down'
  expect(states(after).filter(isDown).length).toBeLessThanOrEqual(states(before).filter(isDown).length)
})
