import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DistantClock } from './distant-clock.ts'

const exchange = fc.record({
  pauseMs: fc.integer({ min: 0, max: 5_000 }),
  thereMs: fc.integer({ min: 0, max: 300 }),
  backMs: fc.integer({ min: 0, max: 300 }),
})

it('a distant moment is known to a millisecond beyond what is said to be uncertain, though the clocks drift', () => {
  const exchanges = fc.array(exchange, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(exchanges, fc.integer({ min: -900, max: 900 }), (exchanges, driftPpm) => {
      const distant = (ours: number) => 5_000_000 + ours * (1 + driftPpm / 1e6)
      const clock = new DistantClock()
      let now = 0
      for (const { pauseMs, thereMs, backMs } of exchanges) {
        now += pauseMs
        clock.see({ sentAt: now, time: distant(now + thereMs), receivedAt: now + thereMs + backMs })
        now += thereMs + backMs
        const { at, uncertainMs } = clock.locate(distant(now))
        expect(at).toBeGreaterThanOrEqual(now - 1)
        expect(at - now).toBeLessThanOrEqual(uncertainMs + 1)
      }
    }),
  )
})

it('one quick answer is remembered among slow ones', () => {
  const clock = new DistantClock()
  clock.see({ sentAt: 0, time: 1_000, receivedAt: 1 })
  for (let sentAt = 10; sentAt < 1_000; sentAt += 100) {
    clock.see({ sentAt, time: sentAt + 1_090, receivedAt: sentAt + 95 })
  }
  expect(clock.locate(2_000).uncertainMs).toBeLessThan(4)
})

it('a clock that was set is believed', () => {
  const clock = new DistantClock()
  clock.see({ sentAt: 0, time: 1_000, receivedAt: 1 })
  clock.see({ sentAt: 2, time: 90_000, receivedAt: 4 })
  expect(clock.locate(90_000)).toEqual({ at: 4, uncertainMs: 2 })
})
