import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockSeconds } from './clock-seconds.ts'

describe('clockSeconds', () => {
  it.each([
    ['03:45:00', 13_500],
    ['3:45', 225],
    ['00:59', 59],
    ['90:00', 5400],
    [' 1:02:03 ', 3723],
    ['100:00:01', 360_001],
  ])('reads %j as %i', (clock, seconds) => {
    expect(clockSeconds(clock)).toBe(seconds)
  })

  it.each([
    '',
    '0:00',
    '00:00:00',
    'live',
    '45',
    '3:5',
    '3:75',
    '1:2:3:04',
    '-1:00',
    '1e3:00',
    225,
    null,
    undefined,
    {},
  ])('does not take %j for a clock', (value) => {
    expect(clockSeconds(value)).toBe(undefined)
  })

  it('reads back every whole second of a day', () => {
    const two = (part: number) => String(part).padStart(2, '0')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_399 }), (seconds) => {
        const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
        expect(clockSeconds(clock)).toBe(seconds)
      }),
    )
  })
})
