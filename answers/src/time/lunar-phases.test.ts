import { describe, expect, it } from 'vitest'
import { phasesFrom } from './lunar-phases.ts'

const MINUTE = 60_000

describe('phases of the moon', () => {
  // From almanacs, to the minute.
  it.each([
    ['2000-01-06T18:14Z', 'new_moon'],
    ['2024-04-08T18:21Z', 'new_moon'],
    ['2025-03-14T06:55Z', 'full_moon'],
    ['2026-03-03T11:38Z', 'full_moon'],
    ['2026-06-29T23:57Z', 'full_moon'],
    ['2026-08-12T17:37Z', 'new_moon'],
    ['2026-11-17T11:48Z', 'first_quarter'],
    ['2026-11-24T14:53Z', 'full_moon'],
    ['2026-12-01T06:09Z', 'last_quarter'],
    ['2026-12-09T00:52Z', 'new_moon'],
    ['2026-12-24T01:28Z', 'full_moon'],
  ])('%s is %s, to within three minutes', (moment, phase) => {
    const [found] = phasesFrom(Date.parse(moment) - 60 * MINUTE, 1)
    expect(found?.phase).toBe(phase)
    expect(Math.abs((found?.epochMs ?? 0) - Date.parse(moment))).toBeLessThanOrEqual(3 * MINUTE)
  })

  it('follow each other in order, 5.9 to 9 days apart, through the century', () => {
    const phases = phasesFrom(Date.UTC(2001, 0), 4500)
    const order = ['new_moon', 'first_quarter', 'full_moon', 'last_quarter']
    for (const [index, { phase, epochMs }] of phases.entries()) {
      const next = phases[index + 1]
      if (!next) break
      expect(order[(order.indexOf(phase) + 1) % 4]).toBe(next.phase)
      const days = (next.epochMs - epochMs) / 86_400_000
      expect(days).toBeGreaterThan(5.9)
      expect(days).toBeLessThan(9)
    }
  })
})
