import { expect, it } from 'vitest'
import { clockDuration } from './clock-duration.ts'

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
