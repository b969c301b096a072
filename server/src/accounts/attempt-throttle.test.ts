import { describe, expect, it } from 'vitest'
import { createAttemptThrottle } from './attempt-throttle.ts'

const MINUTE_MS = 60_000
const SUBJECT = { name: 'lena', patience: { free: 3, longestWaitMs: MINUTE_MS, sinkMs: 10 * MINUTE_MS } }

function setUp() {
  const time = { now: 1_000_000 }
  return { time, throttle: createAttemptThrottle(() => time.now) }
}

describe('attempts', () => {
  it('are free at first; then each waits twice as long as the one before, up to the longest wait', () => {
    const { time, throttle } = setUp()
    for (let n = 0; n < 4; n++) expect(throttle.begin([SUBJECT]).ok).toBe(true)
    const waits: number[] = []
    for (let n = 0; n < 7; n++) {
      const attempt = throttle.begin([SUBJECT])
      if (attempt.ok) throw new Error('it should have had to wait')
      waits.push(attempt.retryAfterSeconds)
      time.now += attempt.retryAfterSeconds * 1_000
      expect(throttle.begin([SUBJECT]).ok).toBe(true)
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60])
  })

  it('that are refused cost nothing, so whoever obeys gets through', () => {
    const { time, throttle } = setUp()
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    for (let n = 0; n < 100; n++) expect(throttle.begin([SUBJECT])).toEqual({ ok: false, retryAfterSeconds: 2 })
    time.now += 1_999
    expect(throttle.begin([SUBJECT]).ok).toBe(false)
    time.now += 1
    expect(throttle.begin([SUBJECT]).ok).toBe(true)
  })

  it('count before they are judged: of a thousand at once only the free ones pass', () => {
    const { throttle } = setUp()
    const passed = Array.from({ length: 1_000 }, () => throttle.begin([SUBJECT])).filter(({ ok }) => ok)
    expect(passed).toHaveLength(SUBJECT.patience.free + 1)
  })

  it('are taken back when they succeed', () => {
    const { throttle } = setUp()
    for (let n = 0; n < 100; n++) {
      const attempt = throttle.begin([SUBJECT])
      if (!attempt.ok) throw new Error('it should not have had to wait')
      attempt.takeBack(SUBJECT)
    }
  })

  it('are forgotten little by little', () => {
    const { time, throttle } = setUp()
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    time.now += 20 * MINUTE_MS
    expect([throttle.begin([SUBJECT]).ok, throttle.begin([SUBJECT]).ok]).toEqual([true, true])
    expect(throttle.begin([SUBJECT]).ok).toBe(false)
  })

  it('need the patience of every subject', () => {
    const { throttle } = setUp()
    const other = { ...SUBJECT, name: 'otto' }
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    expect(throttle.begin([other, SUBJECT]).ok).toBe(false)
    expect(throttle.begin([other]).ok).toBe(true)
    throttle.forget(SUBJECT)
    expect(throttle.begin([other, SUBJECT]).ok).toBe(true)
  })

  it('keep their waits when the clock is set back', () => {
    const { time, throttle } = setUp()
    for (let n = 0; n < 4; n++) throttle.begin([SUBJECT])
    time.now -= 500_000
    expect(throttle.begin([SUBJECT]).ok).toBe(false)
  })
})
