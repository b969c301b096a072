import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDecimal, readWholeNumber } from './read-decimal.ts'

describe('a decimal', () => {
  it.each([
    ['48.8584', 48.8584],
    ['.5', 0.5],
    ['1.', 1],
    ['+3', 3],
    ['-0.25', -0.25],
    ['5e-7', 5e-7],
    ['4.88584E1', 48.8584],
    ['007', 7],
  ])('%s is read', (text, value) => {
    expect(readDecimal(text)).toBe(value)
  })

  it.each([
    '',
    ' ',
    '.',
    '+',
    'e5',
    '1e',
    '1,5',
    '1 000',
    '0x1f',
    'Infinity',
    'NaN',
    '1_000',
    '1.2.3',
    '٣',
    '1'.repeat(65),
  ])('%j is none', (text) => {
    expect(readDecimal(text)).toBeUndefined()
  })

  it('whatever JavaScript writes for a number is read as that number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readDecimal(String(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })
})

describe('a whole number', () => {
  it.each([
    ['3', 3],
    ['+3', 3],
    ['3.0', 3],
    ['3.', 3],
    ['-2', -2],
  ])('%s is read', (text, value) => {
    expect(readWholeNumber(text)).toBe(value)
  })

  it.each(['1.5', '1e1', '1e300', 'x', ''])('%j is none', (text) => {
    expect(readWholeNumber(text)).toBeUndefined()
  })
})
