import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Traffic } from './traffic.ts'

describe('traffic', () => {
  it('never admits more than allowed within any span, and counts every other call as a violation', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 60 }),
        (calls, perMs, gaps) => {
          const traffic = new Traffic()
          const admitted: number[] = []
          let at = 0
          for (const gap of gaps) {
            at += gap
            if (traffic.admits(at, { calls, perMs })) admitted.push(at)
          }
          for (const [index, time] of admitted.entries()) {
            const earlier = admitted[index - calls]
            if (earlier !== undefined) expect(time - earlier).toBeGreaterThanOrEqual(perMs)
          }
          expect(admitted.length + traffic.violations).toBe(gaps.length)
        },
      ),
    )
  })

  it('a call exactly at the rate is no violation, and a refused one does not delay the next', () => {
    const traffic = new Traffic()
    const allowance = { calls: 1, perMs: 1000 }
    const admitted = [0, 999, 1000, 1500, 2000].filter((at) => traffic.admits(at, allowance))
    expect(admitted).toEqual([0, 1000, 2000])
    expect(traffic.violations).toBe(2)
  })
})
