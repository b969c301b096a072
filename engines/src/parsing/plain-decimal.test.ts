import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactDecimal, plainDecimal } from './plain-decimal.ts'

it.each([
  [48.8584, '48.8584'],
  [2.2945006, '2.294501'],
  [100, '100'],
  [-180, '-180'],
  [0.5, '0.5'],
  [1e-7, '0'],
  [-1e-7, '0'],
  [-0, '0'],
  [-0.000001, '-0.000001'],
])('%d with at most six decimals is %s', (value, text) => {
  expect(plainDecimal(value, 6)).toBe(text)
})

it('is never anything but a plain decimal, and near the number', () => {
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), fc.integer({ min: 1, max: 8 }), (value, decimals) => {
      const text = plainDecimal(value, decimals)
      expect(text).toMatch(/^(?:0|-?[1-9]\d*|-?\d+\.\d*[1-9])$/)
      expect(text.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals)
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(10 ** -decimals)
    }),
  )
})

it.each([
  [48.8582599, '48.8582599'],
  [-0.1276474, '-0.1276474'],
  [5e-7, '0.0000005'],
  [-1.25e-9, '-0.00000000125'],
  [-0, '0'],
  [180, '180'],
])('%d has the digits that JSON writes: %s', (value, text) => {
  expect(exactDecimal(value)).toBe(text)
})

it('an exact decimal is the very number, and has no exponent', () => {
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (value) => {
      expect(exactDecimal(value)).toMatch(/^-?\d+(?:\.\d+)?$/)
      expect(Number(exactDecimal(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})
