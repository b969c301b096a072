import { describe, expect, it } from 'vitest'
import { durationSeconds } from './duration-seconds.ts'

describe('durationSeconds', () => {
  it.each([
    [1419, 1419],
    [62.7, 63],
    ['3:45', 225],
  ])('reads %j as %i', (value, seconds) => {
    expect(durationSeconds(value)).toBe(seconds)
  })

  it.each([0, 0.2, -5, 1e300, '', '62', null, undefined, [62]])('does not know how long %j is', (value) => {
    expect(durationSeconds(value)).toBe(undefined)
  })
})
