import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectAfterStart } from './collect-after-start.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('what the start left behind is collected once, as soon as no request is in flight', () => {
  const inFlight = [2, 1, 0, 0, 0]
  const count = vi.fn(() => inFlight.shift() ?? 0)
  collectAfterStart(count)
  expect(count).not.toHaveBeenCalled()
  vi.advanceTimersByTime(5_000)
  expect(count).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(60_000)
  expect(count).toHaveBeenCalledTimes(3)
})
