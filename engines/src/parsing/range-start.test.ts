import { describe, expect, it } from 'vitest'
import { rangeStart } from './range-start.ts'

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

  it('is nowhere when no range was asked for', () => {
    expect(rangeStart({ date: undefined, now })).toBe(undefined)
  })
})
