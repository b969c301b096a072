import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Observation, observe, type ProviderHealth } from './health-store.ts'

const COUNTED = ['timeout', 'unreachable', 'throttled', 'blocked', 'rejected', 'malformed'] as const

const success: Observation = { ok: true }
const failure: Observation = { ok: false, kind: 'timeout' }
const anyFailure: fc.Arbitrary<Observation> = fc.constantFrom(...COUNTED).map((kind) => ({ ok: false, kind }))
const silent: fc.Arbitrary<Observation> = fc.constantFrom<Observation>(
  { ok: false, kind: 'rejected', isQueryFault: true },
  { ok: false, kind: 'malformed', isQueryFault: true },
  { ok: false, kind: 'overBudget' },
)
const anyOutcome = fc.oneof(fc.constant(success), anyFailure, silent)

/** The health after these, observed at 1, 2, 3 … */
const after = (outcomes: readonly Observation[]): ProviderHealth | undefined =>
  outcomes.reduce<ProviderHealth | undefined>((health, outcome, at) => observe(health, outcome, at + 1), undefined)

describe('provider health', () => {
  it.each([
    ['the first success', [success], 'up'],
    ['the first failure', [failure], 'down'],
    ['one failure after a success', [success, failure], 'up'],
    ['two failures after a success', [success, failure, failure], 'down'],
    ['failures with a success between', [success, failure, success, failure], 'up'],
    ['a success after many failures', [failure, failure, failure, success], 'up'],
    ['one failure after a recovery', [failure, success, failure], 'up'],
  ] as const)('%s decides: %j is %s', (_, outcomes, state) => {
    expect(after(outcomes)?.state).toBe(state)
  })

  it('says when it was checked, when it last worked and what went wrong, in our own words', () => {
    expect(after([success, failure])).toEqual({
      state: 'up',
      checkedAt: 2,
      lastOkAt: 1,
      lastError: 'The provider did not respond in time.',
      consecutiveFailures: 1,
    })
    expect(after([failure])).toMatchObject({ checkedAt: 1, lastOkAt: undefined })
    expect(after([failure, success])).toMatchObject({ lastError: '', lastOkAt: 2, consecutiveFailures: 0 })
  })

  it.each<[string, Observation]>([
    ['The connection to the provider failed.', { ok: false, kind: 'unreachable' }],
    ['The provider responded with a server error.', { ok: false, kind: 'unreachable', hasReplied: true }],
    ['The outgoing proxy did not connect to the provider.', { ok: false, kind: 'unreachable', isProxyFault: true }],
    ['The provider is throttling this instance.', { ok: false, kind: 'throttled', hasReplied: true }],
    ['The provider is blocking this instance.', { ok: false, kind: 'blocked', hasReplied: true }],
    ['The address of the provider is a private one.', { ok: false, kind: 'guarded' }],
  ])('says what went wrong: %s', (text, outcome) => {
    expect(after([outcome])?.lastError).toBe(text)
  })

  it('is unknown as long as nothing that counts was observed', () => {
    const overBudget: Observation = { ok: false, kind: 'overBudget' }
    expect(after([overBudget])).toMatchObject({ state: 'unknown', checkedAt: undefined, lastError: '' })
    expect(after([overBudget, failure])?.state).toBe('down')
  })

  it("is not changed by a searcher's mistake or a spent budget", () => {
    fc.assert(
      fc.property(fc.array(anyOutcome, { minLength: 1 }), silent, (outcomes, outcome) => {
        const before = after(outcomes)
        expect(observe(before, outcome, 999)).toEqual(before)
      }),
    )
  })
})
