import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const TIMEOUT = { kind: 'timeout', retryAfterSeconds: undefined } as const
const throttledFor = (retryAfterSeconds: number | undefined) => ({ kind: 'throttled', retryAfterSeconds }) as const

function openTrial(random = () => 0.5, restSeconds = 0) {
  const time = { now: 1_000_000 }
  const breaker = createCircuitBreaker({ clock: () => time.now, random, restSeconds })
  const enter = () => breaker.enter() ?? expect.unreachable('it is not open')
  const failTimes = (times: number) => {
    for (let i = 0; i < times; i++) breaker.fail(enter(), TIMEOUT)
  }
  return { breaker, time, enter, failTimes }
}

describe('the circuit breaker of a provider with a quota', () => {
  it('stays open for its rest period when throttled without Retry-After', () => {
    const { breaker, time, enter } = openTrial(() => 0.5, 3_600)
    breaker.fail(enter(), throttledFor(undefined))
    time.now += 3_599_000
    expect(breaker.enter()).toBe(undefined)
    time.now += 1_000
    expect(breaker.enter()).toBeDefined()
  })

  it('waits as long as the provider asks, up to its rest period', () => {
    const { breaker, enter } = openTrial(() => 0.5, 3_600)
    breaker.fail(enter(), throttledFor(1_800))
    expect(breaker.retryAfterSeconds()).toBe(1_800)
    const other = openTrial(() => 0.5, 3_600)
    other.breaker.fail(other.enter(), throttledFor(86_400))
    expect(other.breaker.retryAfterSeconds()).toBe(3_600)
  })
})

describe('the circuit breaker', () => {
  it('opens with the fifth failure in a row, and not before', () => {
    const { breaker, failTimes } = openTrial()
    failTimes(4)
    expect(breaker.enter()).toBeDefined()
    failTimes(1)
    expect(breaker.enter()).toBeUndefined()
    expect(breaker.retryAfterSeconds()).toBe(1)
  })

  it('a success between failures, or a call without an outcome, does not open it', () => {
    const { breaker, enter, failTimes } = openTrial()
    failTimes(4)
    breaker.succeed(enter())
    failTimes(4)
    for (let i = 0; i < 20; i++) breaker.abandon(enter())
    expect(breaker.enter()).toBeDefined()
  })

  it('a provider that sends Retry-After is not called until then, nor for more than ten minutes', () => {
    const { breaker, time, enter } = openTrial()
    breaker.fail(enter(), throttledFor(30))
    time.now += 29_999
    expect(breaker.enter()).toBeUndefined()
    expect(breaker.retryAfterSeconds()).toBe(1)
    time.now += 1
    breaker.fail(enter(), throttledFor(86_400))
    expect(breaker.retryAfterSeconds()).toBe(600)
    time.now += 600_000
    expect(breaker.enter()).toBeDefined()
  })

  it('of several concurrent Retry-Afters the longest holds', () => {
    const { breaker, time, enter } = openTrial()
    const tickets = [enter(), enter(), enter()]
    for (const [i, seconds] of [10, 40, 20].entries()) breaker.fail(tickets[i] ?? 0, throttledFor(seconds))
    time.now += 39_999
    expect(breaker.enter()).toBeUndefined()
    time.now += 1
    expect(breaker.enter()).toBeDefined()
  })

  it('a throttled call without Retry-After is a failure like any other', () => {
    const { breaker, enter } = openTrial()
    for (let i = 0; i < 4; i++) breaker.fail(enter(), throttledFor(undefined))
    expect(breaker.enter()).toBeDefined()
    breaker.fail(enter(), throttledFor(0))
    expect(breaker.enter()).toBeUndefined()
  })

  it('each failed trial doubles the back-off, up to a minute, and success resets it', () => {
    const { breaker, time, enter, failTimes } = openTrial()
    failTimes(5)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      time.now += seconds * 1_000 - 1
      expect(breaker.enter(), `${seconds} s`).toBeUndefined()
      time.now += 1
      breaker.fail(enter(), TIMEOUT)
    }
    time.now += 60_000
    breaker.succeed(enter())
    failTimes(5)
    time.now += 1_000
    expect(breaker.enter()).toBeDefined()
  })

  it.each([
    [0, 800],
    [1, 1_200],
  ])('the back-off is jittered by a fifth to either side: %i gives %i ms', (random, ms) => {
    const { breaker, time, failTimes } = openTrial(() => random)
    failTimes(5)
    time.now += ms - 1
    expect(breaker.enter()).toBeUndefined()
    time.now += 1
    expect(breaker.enter()).toBeDefined()
  })

  it('a trial that was not made immediately passes to the next call', () => {
    const { breaker, time, enter, failTimes } = openTrial()
    failTimes(5)
    time.now += 1_000
    const trial = enter()
    expect(breaker.enter()).toBeUndefined()
    breaker.abandon(trial)
    expect(breaker.enter()).toBeDefined()
  })
})

type Outcome = 'success' | 'failure' | 'throttled' | 'nothing'
const outcome = fc.constantFrom<Outcome>('success', 'failure', 'failure', 'failure', 'throttled', 'nothing')
const step = fc.oneof(
  fc.record({ do: fc.constant('enter' as const) }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat(), as: outcome }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 900, 1_300, 5_000, 73_000) }),
)
const history = fc.array(step, { minLength: 20, maxLength: 200 })

/** A breaker with calls in flight that end one by one. */
function live(seed: number) {
  const random = () => (Math.sin(seed++) + 1) / 2
  const { breaker, time } = openTrial(random)
  const underWay: number[] = []
  const ends: Record<Outcome, (ticket: number) => void> = {
    success: (ticket) => breaker.succeed(ticket),
    failure: (ticket) => breaker.fail(ticket, TIMEOUT),
    throttled: (ticket) => breaker.fail(ticket, throttledFor(20)),
    nothing: (ticket) => breaker.abandon(ticket),
  }
  const end = (which: number, as: Outcome) => {
    const [ticket] = underWay.splice(which % Math.max(1, underWay.length), 1)
    if (ticket !== undefined) ends[as](ticket)
    return ticket
  }
  return { breaker, time, underWay, end }
}

describe('in any history, the circuit breaker', () => {
  it('never has two trials in flight, and admits no other call during a trial', () => {
    fc.assert(
      fc.property(history, fc.nat(), (steps, seed) => {
        const { breaker, time, underWay, end } = live(seed)
        // Open from the start, with earlier calls still in flight.
        for (let i = 0; i < 8; i++) underWay.push(breaker.enter() ?? expect.unreachable('it is closed'))
        for (let i = 0; i < 5; i++) end(0, 'failure')
        expect(breaker.enter()).toBeUndefined()
        const stragglers = new Set(underWay)
        for (const step of steps) {
          if (step.do === 'wait') time.now += step.ms
          else if (step.do === 'enter') {
            const ticket = breaker.enter()
            if (ticket !== undefined) underWay.push(ticket)
            expect(underWay.filter((ticket) => !stragglers.has(ticket)).length).toBeLessThanOrEqual(1)
          } else {
            const ticket = end(step.which, step.as)
            // Closed by its trial: from here on many may enter.
            if (step.as === 'success' && ticket !== undefined && !stragglers.has(ticket)) return
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('always tries again: ten minutes after the last call has ended, one may enter', () => {
    fc.assert(
      fc.property(history, fc.nat(), (steps, seed) => {
        const { breaker, time, underWay, end } = live(seed)
        for (const step of steps) {
          if (step.do === 'wait') time.now += step.ms
          else if (step.do === 'end') end(step.which, step.as)
          else {
            const ticket = breaker.enter()
            if (ticket !== undefined) underWay.push(ticket)
          }
        }
        while (underWay.length > 0) end(0, 'failure')
        time.now += 600_000
        expect(breaker.enter()).toBeDefined()
      }),
      { numRuns: 200 },
    )
  })
})
