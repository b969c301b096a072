import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectAfterStart } from './collect-after-start.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([0, 1])('the moment for a collection comes once, with %i requests in flight', (inFlight) => {
  const count = vi.fn(() => inFlight)
  collectAfterStart(count)
  expect(count).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(count).toHaveBeenCalledOnce()
})
