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

  it('tells a provider that answers with an error from one that cannot be reached, and from a fault of the proxy', () => {
    const unreachable = { ok: false, kind: 'unreachable' } as const
    expect(after([unreachable])?.lastError).toBe('The connection to the provider failed.')
    expect(after([{ ...unreachable, hasReplied: true }])?.lastError).toBe('The provider responded with a server error.')
    expect(after([{ ...unreachable, isProxyFault: true }])?.lastError).toBe(
      'The outgoing proxy did not connect to the provider.',
    )
    expect(after([{ ok: false, kind: 'throttled', hasReplied: true }])?.lastError).toContain('throttling')
  })

  it('tells a provider that blocks us from one whose address our own guard refuses', () => {
    expect(after([{ ok: false, kind: 'blocked', hasReplied: true }])?.lastError).toBe(
      'The provider is blocking this instance.',
    )
    expect(after([{ ok: false, kind: 'guarded' }])?.lastError).toBe('The address of the provider is a private one.')
  })

  it('is unknown as long as nothing that counts was observed', () => {
    fc.assert(
      fc.property(silent, (outcome) => {
        expect(observe(undefined, outcome, 5)).toMatchObject({ state: 'unknown', checkedAt: undefined, lastError: '' })
      }),
    )
    expect(after([{ ok: false, kind: 'overBudget' }, failure])?.state).toBe('down')
  })

  it("is not changed by a searcher's mistake or a spent budget", () => {
    fc.assert(
      fc.property(fc.array(anyOutcome, { minLength: 1 }), silent, (outcomes, outcome) => {
        const before = after(outcomes)
        expect(observe(before, outcome, 999)).toEqual(before)
      }),
    )
  })

  it('is up after every success and down after every two failures in a row', () => {
    fc.assert(
      fc.property(fc.array(anyOutcome), anyFailure, anyFailure, (outcomes, one, two) => {
        expect(after([...outcomes, success])?.state).toBe('up')
        expect(after([...outcomes, one, two])?.state).toBe('down')
      }),
    )
  })

  it('has an error text exactly when the last thing observed was a failure', () => {
    fc.assert(
      fc.property(fc.array(anyOutcome), (outcomes) => {
        const health = after(outcomes)
        expect(health?.lastError !== '').toBe((health?.consecutiveFailures ?? 1) > 0)
        if (health?.state === 'down') expect(health.consecutiveFailures).toBeGreaterThan(0)
      }),
    )
  })

  it('never changes what it was given', () => {
    const health = Object.freeze(observe(undefined, success, 1))
    expect(() => observe(health, failure, 2)).not.toThrow()
  })
})
