import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFailure, serializeFailure } from './single-flight.ts'

describe('a serialized failure', () => {
  it('keeps the kind, the wait and whether the query was at fault', () => {
    const kind = fc.constantFrom('timeout', 'unreachable', 'throttled', 'blocked', 'rejected', 'malformed')
    const retryAfterSeconds = fc.option(fc.integer({ min: 0, max: 86_400 }), { nil: undefined })
    fc.assert(
      fc.property(kind, retryAfterSeconds, fc.boolean(), (kind, retryAfterSeconds, isQueryFault) => {
        const error = new UpstreamError(kind, 'secret text of this node', { retryAfterSeconds, isQueryFault })
        expect(serializeFailure(error)).not.toContain('secret')
        expect(parseFailure(serializeFailure(error))).toMatchObject({ kind, retryAfterSeconds, isQueryFault })
      }),
    )
  })

  it('that makes no sense becomes an unreachable provider', () => {
    for (const text of ['', 'constructor 1 true', 'nonsense', '\u0000', '{"kind":"timeout"}']) {
      expect(parseFailure(text).kind).toBe('unreachable')
    }
    expect(parseFailure('throttled -5 maybe')).toMatchObject({ retryAfterSeconds: undefined, isQueryFault: false })
  })
})
