import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration, parseMoment } from './operations.ts'

describe('a duration', () => {
  it('is a whole number and a unit', () => {
    expect(parseDuration('30s')).toBe(30_000)
    expect(parseDuration('15m')).toBe(900_000)
    expect(parseDuration('24h')).toBe(86_400_000)
    expect(parseDuration('90d')).toBe(7_776_000_000)
    expect(parseDuration(' 0s ')).toBe(0)
  })

  it('is rejected in any other form', () => {
    for (const text of ['', '90', 'd', '-1d', '1.5h', '1e3s', '90 d', '1d2h', '90D', '1w', '1y', '1000000d', 'ten']) {
      expect(parseDuration(text), text).toBeUndefined()
    }
  })

  it('never throws and is never negative', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,8}[a-z]$/)), (text) => {
        expect(parseDuration(text) ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('a moment', () => {
  const now = Date.UTC(2026, 10, 15, 12)

  it('is a duration from now, or the start of a UTC day', () => {
    expect(parseMoment('90d', now)?.toISOString()).toBe('2027-02-13T12:00:00.000Z')
    expect(parseMoment('2027-01-31', now)?.toISOString()).toBe('2027-01-31T00:00:00.000Z')
    expect(parseMoment('2028-02-29', now)?.toISOString()).toBe('2028-02-29T00:00:00.000Z')
  })

  it('is not a day that does not exist', () => {
    for (const text of ['2027-02-29', '2027-02-30', '2027-13-01', '2027-00-10', '2027-1-1', '31.01.2027', 'tomorrow']) {
      expect(parseMoment(text, now), text).toBeUndefined()
    }
  })

  it('can always be written as a date', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,7}[smhd]$/), (text) => {
        expect(() => parseMoment(text, now)?.toISOString()).not.toThrow()
      }),
    )
  })
})
