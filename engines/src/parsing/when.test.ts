import { expect, it } from 'vitest'
import { when } from './when.ts'

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
  ['vor 3 Stunden', undefined],
  ['02.10.2026', undefined],
  ['999999 years ago', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('%j is %j', (value, time) => {
  expect(when(value, NOW)).toBe(time)
})
