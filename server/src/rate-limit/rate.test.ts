import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRate, parseRate } from './rate.ts'

describe('a rate', () => {
  it.each([
    ['60/min', 60, 60_000],
    ['60/m', 60, 60_000],
    ['60/minute', 60, 60_000],
    ['1/s', 1, 1_000],
    ['2/sec', 2, 1_000],
    ['3/second', 3, 1_000],
    ['7/h', 7, 3_600_000],
    ['7/hour', 7, 3_600_000],
    ['5000/d', 5000, 86_400_000],
    ['5000/day', 5000, 86_400_000],
    [' 60 / MIN ', 60, 60_000],
  ])('%s is understood', (text, count, windowMs) => {
    expect(parseRate(text)).toEqual({ count, windowMs })
  })

  it.each([
    '',
    '60',
    '/min',
    '0/min',
    '-1/min',
    '1.5/min',
    '60/week',
    '60/mins',
    '60/constructor',
    '60/min/day',
    'x/min',
    '1e3/s',
    '99999999/s',
  ])('"%s" is not a rate', (text) => {
    expect(parseRate(text)).toBeUndefined()
  })

  it('reads back as what it was written from', () => {
    const windowMs = fc.constantFrom(1_000, 60_000, 3_600_000, 86_400_000)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), windowMs, (count, windowMs) => {
        expect(parseRate(formatRate({ count, windowMs }))).toEqual({ count, windowMs })
      }),
    )
  })
})
