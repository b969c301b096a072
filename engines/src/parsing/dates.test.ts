import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseClockDuration, parseDuration, parseWrittenDate, rangeStart } from './dates.ts'

const NOW = Date.UTC(2026, 10, 14, 12)

it.each([
  ['3 hours ago', NOW - 3 * 3_600_000],
  ['an hour ago', NOW - 3_600_000],
  ['1 day ago', NOW - 86_400_000],
  ['2 weeks ago', NOW - 14 * 86_400_000],
  ['yesterday', NOW - 86_400_000],
  ['Oct 2, 2026', Date.UTC(2026, 9, 2)],
  ['2 October 2026', Date.UTC(2026, 9, 2)],
  ['Sat, 14 Nov 2026 10:00:00 GMT', Date.UTC(2026, 10, 14, 10)],
  ['Sat, 14 Nov 2026 10:00:00 +0900', Date.UTC(2026, 10, 14, 1)],
  ['2026-11-14T10:00:00Z', Date.UTC(2026, 10, 14, 10)],
  [1_763_114_400, 1_763_114_400_000],
  ['1763114400', 1_763_114_400_000],
  ['2020', undefined],
  [2020, undefined],
  ['20201231', undefined],
  ['vor 3 Stunden', undefined],
  ['02.10.2026', undefined],
  ['999999 years ago', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('parseWrittenDate: %j is %j', (value, time) => {
  expect(parseWrittenDate(value, NOW)).toBe(time)
})

const now = Date.UTC(2026, 2, 1, 0, 30)

describe('rangeStart', () => {
  it.each([
    ['d', '2026-02-28T00:30:00.000Z'],
    ['w', '2026-02-22T00:30:00.000Z'],
    ['m', '2026-01-30T00:30:00.000Z'],
    ['y', '2025-03-01T00:30:00.000Z'],
  ] as const)('of %s is %s', (date, start) => {
    expect(rangeStart({ date, now })?.toISOString()).toBe(start)
  })

  it('is undefined if no range was requested', () => {
    expect(rangeStart({ date: undefined, now })).toBe(undefined)
  })
})

describe('parseDuration', () => {
  it.each([
    [1419, 1419],
    [62.7, 63],
    ['3:45', 225],
  ])('reads %j as %i', (value, seconds) => {
    expect(parseDuration(value)).toBe(seconds)
  })

  it.each([0, 0.2, -5, 1e300, '', '62', null, undefined, [62]])('does not know how long %j is', (value) => {
    expect(parseDuration(value)).toBe(undefined)
  })
})

describe('parseClockDuration', () => {
  it.each([
    ['03:45:00', 13_500],
    ['3:45', 225],
    ['00:59', 59],
    ['90:00', 5400],
    [' 1:02:03 ', 3723],
    ['100:00:01', 360_001],
  ])('reads %j as %i', (clock, seconds) => {
    expect(parseClockDuration(clock)).toBe(seconds)
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
    expect(parseClockDuration(value)).toBe(undefined)
  })

  it('reads back every whole second of a day', () => {
    const two = (part: number) => String(part).padStart(2, '0')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_399 }), (seconds) => {
        const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
        expect(parseClockDuration(clock)).toBe(seconds)
      }),
    )
  })
})
