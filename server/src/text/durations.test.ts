import { expect, it } from 'vitest'
import { clockDuration, relativeAge } from './durations.ts'

const NOW = Date.UTC(2026, 10, 15)
const HOUR = 3_600_000

it.each([
  [0, '', 'now'],
  [90_000, '', '1 minute ago'],
  [5 * HOUR, '', '5 hours ago'],
  [3 * 24 * HOUR, '', '3 days ago'],
  [3 * 24 * HOUR, 'de', 'vor 3 Tagen'],
  [15 * 24 * HOUR, 'fr', 'il y a 2 semaines'],
  [70 * 24 * HOUR, 'en-GB', '2 months ago'],
  [800 * 24 * HOUR, 'xx-not-a-language', '2 years ago'],
])('an age of %d ms in %j reads %j', (age, lang, words) => {
  expect(relativeAge(NOW - age, NOW, lang)).toBe(words)
})

it('an unknown time has no age, and a future time counts as now', () => {
  expect(relativeAge(undefined, NOW, 'en')).toBe('')
  expect(relativeAge(Number.NaN, NOW, 'en')).toBe('')
  expect(relativeAge(NOW + HOUR, NOW, 'en')).toBe('now')
})

it.each([
  [undefined, ''],
  [Number.NaN, ''],
  [0, '0:00'],
  [62.4, '1:02'],
  [253, '4:13'],
  [3600, '1:00:00'],
  [3723, '1:02:03'],
])('%s seconds read %j', (seconds, clock) => {
  expect(clockDuration(seconds)).toBe(clock)
})
