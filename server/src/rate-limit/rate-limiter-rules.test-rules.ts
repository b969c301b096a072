// The rules every rate limiter keeps, run by `memory-rate-limiter.test.ts` and `redis-rate-limiter.test.ts` alike, with
// a simulated clock.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NaiveRateLimiter, type Outcome } from './naive-rate-limiter.test-rules.ts'
import type { ConsumeVerdict, Limits, RateLimiter } from './rate-limiter.ts'

export interface MeterOnTrial {
  rateLimiter: RateLimiter
  setTime: (ms: number) => void
  /** What the rate limiter is told when it asks for a month's usage. */
  setMonthUsage: (used: number) => void
  close: () => Promise<void>
}

/** 2026-11-15 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 15, 12)
const DEFAULTS: Limits = {
  burst: { count: 60, windowMs: 60_000 },
  sustained: { count: 5_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const outcomeOf = ({ refusedBy, retryAfterSeconds, burst, sustained }: ConsumeVerdict): Outcome => ({
  refusedBy,
  retryAfterSeconds,
  burst,
  sustained,
})

/** Pauses that crowd around what matters: none, a bucket, a window, a day, and one millisecond to either side. */
const pause = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0, 0, 1, 41, 42, 999, 1_000, 1_001) },
  { weight: 2, arbitrary: fc.constantFrom(58_999, 59_958, 59_999, 60_000, 60_001, 60_042) },
  { weight: 1, arbitrary: fc.constantFrom(3_600_000, 86_339_999, 86_399_999, 86_400_000, 86_460_000) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
)
const aRate = (count: number, windows: number[]) =>
  fc.record({ count: fc.integer({ min: 1, max: count }), windowMs: fc.constantFrom(...windows) })
const someLimits: fc.Arbitrary<Limits> = fc.record({
  burst: aRate(6, [1_000, 60_000]),
  sustained: aRate(12, [1_000, 60_000, 3_600_000, 86_400_000]),
  monthlyCap: fc.constant(undefined),
})

/** A subject that is refused under wider limits than those of its last admission is not forgotten meanwhile. */
const WIDENED: [arrivals: [number, boolean][], first: Limits, second: Limits] = [
  [
    [60_001, false],
    [1_545, true],
    [60_042, false],
  ],
  { burst: { count: 2, windowMs: 1_000 }, sustained: { count: 11, windowMs: 1_000 }, monthlyCap: undefined },
  { burst: { count: 3, windowMs: 1_000 }, sustained: { count: 1, windowMs: 86_400_000 }, monthlyCap: undefined },
]

export function rateLimiterRules(name: string, open: () => Promise<MeterOnTrial>, runs: number): void {
  describe(name, () => {
    let trial: MeterOnTrial
    let subjects = 0
    const newSubject = () => `${1_000 + subjects++}`
    beforeAll(async () => {
      trial = await open()
    })
    afterAll(async () => await trial.close())
    const context: RuleContext = {
      runs,
      newSubject,
      rateLimiter: () => trial.rateLimiter,
      setMonthUsage: (used) => trial.setMonthUsage(used),
      async spendAt(time, subject, limits) {
        trial.setTime(time)
        return await trial.rateLimiter.consume({ subject, limits, counts: true })
      },
      setTime: (time) => trial.setTime(time),
    }
    modelRule(context)
    propertyRules(context)
    exampleRules(context)
    weighRule(context)
    monthRules(context)
  })
}

interface RuleContext {
  runs: number
  newSubject: () => string
  rateLimiter: () => RateLimiter
  setTime: (time: number) => void
  setMonthUsage: (used: number) => void
  spendAt: (time: number, subject: string, limits: Limits) => Promise<ConsumeVerdict>
}

function modelRule({ runs, newSubject, spendAt }: RuleContext): void {
  it('decides as the plainest rate limiter would, also when limits change in between', async () => {
    const arrivals = fc.array(fc.tuple(pause, fc.boolean()), { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(arrivals, someLimits, someLimits, async (arrivals, first, second) => {
        const subject = newSubject()
        const naive = new NaiveRateLimiter()
        let now = NOON
        let limits = first
        for (const [pauseMs, isChanged] of arrivals) {
          now += pauseMs
          // What has left the windows it was admitted under is remembered for another minute, in case one is widened.
          if (isChanged && pauseMs % 5 === 0 && pauseMs <= 60_000) limits = limits === first ? second : first
          expect(outcomeOf(await spendAt(now, subject, limits))).toEqual(naive.consume(limits, now))
        }
      }),
      { numRuns: runs, examples: [WIDENED] },
    )
  })
}

function propertyRules({ runs, newSubject, spendAt }: RuleContext): void {
  it('never admits more than 60 in a minute and 5,000 in a day', async () => {
    // Groups of requests at one moment, so that even the larger limit is met again and again.
    const groups = fc.array(fc.tuple(pause, fc.integer({ min: 1, max: 30 })), { minLength: 5, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(groups, async (groups) => {
        const subject = newSubject()
        const admitted: number[] = []
        let now = NOON
        for (const [pauseMs, requests] of groups) {
          now += pauseMs
          for (let i = 0; i < requests; i++) {
            if (!(await spendAt(now, subject, DEFAULTS)).refusedBy) admitted.push(now)
          }
        }
        for (const { count, windowMs } of [DEFAULTS.burst, DEFAULTS.sustained]) {
          for (let i = count; i < admitted.length; i++) {
            expect((admitted[i] ?? 0) - (admitted[i - count] ?? 0)).toBeGreaterThanOrEqual(windowMs)
          }
        }
      }),
      { numRuns: Math.ceil(runs / 4) },
    )
  })

  it('a refused request passes after the seconds it was told, and not a whole second earlier', async () => {
    const arrivals = fc.array(pause, { minLength: 10, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(arrivals, someLimits, async (arrivals, limits) => {
        const subject = newSubject()
        let now = NOON
        for (const pauseMs of arrivals) {
          now += pauseMs
          const { refusedBy, retryAfterSeconds } = await spendAt(now, subject, limits)
          if (!refusedBy) continue
          expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
          expect((await spendAt(now + (retryAfterSeconds - 1) * 1000, subject, limits)).refusedBy).toBeDefined()
          now += retryAfterSeconds * 1000
          expect((await spendAt(now, subject, limits)).refusedBy).toBeUndefined()
        }
      }),
      { numRuns: runs },
    )
  })
}

function exampleRules({ newSubject, spendAt }: RuleContext): void {
  it('the daily limit holds: 5,000 at one a second, then none until the first minute has left the day', async () => {
    const subject = newSubject()
    for (let second = 0; second < 5_000; second++) {
      expect((await spendAt(NOON + second * 1000, subject, DEFAULTS)).refusedBy).toBeUndefined()
    }
    const now = NOON + 5_000_000
    const refused = await spendAt(now, subject, DEFAULTS)
    expect(refused).toMatchObject({ refusedBy: 'sustained', sustained: { remaining: 0 } })
    expect(refused.retryAfterSeconds).toBe((86_400_000 + 60_000 - 5_000_000) / 1000)
    const later = await spendAt(now + refused.retryAfterSeconds * 1000, subject, DEFAULTS)
    expect(later).toMatchObject({ refusedBy: undefined, sustained: { remaining: 59 } })
  })

  it('60 pass immediately, and the 61st is told how long to wait', async () => {
    const subject = newSubject()
    for (let i = 0; i < 60; i++) expect((await spendAt(NOON, subject, DEFAULTS)).burst.remaining).toBe(59 - i)
    const refused = await spendAt(NOON + 10_500, subject, DEFAULTS)
    expect(refused).toMatchObject({
      refusedBy: 'burst',
      retryAfterSeconds: 50,
      burst: { remaining: 0, resetSeconds: 50 },
    })
    expect((await spendAt(NOON + 59_999, subject, DEFAULTS)).refusedBy).toBe('burst')
    expect((await spendAt(NOON + 60_000, subject, DEFAULTS)).refusedBy).toBeUndefined()
  })
}

function weighRule({ runs, newSubject, rateLimiter, setTime, spendAt }: RuleContext): void {
  it('peeking returns what the next request will find, and spends nothing', async () => {
    const arrivals = fc.array(pause, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(arrivals, someLimits, async (arrivals, limits) => {
        const subject = newSubject()
        let now = NOON
        for (const pauseMs of arrivals) {
          now += pauseMs
          setTime(now)
          const weighed = await rateLimiter().peek({ subject, limits })
          expect(await rateLimiter().peek({ subject, limits })).toEqual(weighed)
          const { refusedBy, burst, sustained } = await spendAt(now, subject, limits)
          const spent = refusedBy ? 0 : 1
          expect(weighed.burst.remaining).toBe(burst.remaining + spent)
          expect(weighed.sustained.remaining).toBe(sustained.remaining + spent)
          if (refusedBy) expect(weighed).toEqual({ burst, sustained })
        }
      }),
      { numRuns: runs },
    )
  })
}

function monthRules({ newSubject, rateLimiter, setTime, setMonthUsage, spendAt }: RuleContext): void {
  const limits: Limits = { ...DEFAULTS, monthlyCap: 10 }

  it('a month cap starts from what was used before, refuses until the next month, and then starts anew', async () => {
    const subject = newSubject()
    setMonthUsage(8)
    expect((await spendAt(NOON, subject, limits)).refusedBy).toBeUndefined()
    expect((await spendAt(NOON, subject, limits)).refusedBy).toBeUndefined()
    const refused = await spendAt(NOON + 500, subject, limits)
    expect(refused).toMatchObject({ refusedBy: 'month', burst: { remaining: 58 } })
    expect(refused.retryAfterSeconds).toBe(15.5 * 86_400)
    setMonthUsage(0)
    expect((await spendAt(Date.UTC(2026, 11, 1), subject, limits)).refusedBy).toBeUndefined()
  })

  it('a request that does not count is free of the month cap, and one that fails gets its share back', async () => {
    const subject = newSubject()
    setMonthUsage(9)
    setTime(NOON)
    const last = await spendAt(NOON, subject, limits)
    expect((await spendAt(NOON, subject, limits)).refusedBy).toBe('month')
    expect((await rateLimiter().consume({ subject, limits, counts: false })).refusedBy).toBeUndefined()
    last.giveBack()
    expect((await spendAt(NOON, subject, limits)).refusedBy).toBeUndefined()
    expect((await spendAt(NOON, subject, limits)).refusedBy).toBe('month')
  })
}
