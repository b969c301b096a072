// The rules of the limits of all keys of a user together, for the rate limiter in memory and for the one in Redis.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsumeVerdict, Limits, UserLimits } from './rate-limiter.ts'
import { type MeterOnTrial, NOON } from './rate-limiter-rules.test-rules.ts'

const limits: Limits = {
  burst: { count: 3, windowMs: 60_000 },
  sustained: { count: 1_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const none: UserLimits = { burst: undefined, sustained: undefined, monthlyCap: undefined }

let ids = 1_000

/** A user with some keys. */
function createUser(trial: () => MeterOnTrial, userLimits: Partial<UserLimits>) {
  const user = { id: `${++ids}`, limits: { ...none, ...userLimits } }
  const keys = [`${++ids}`, `${++ids}`, `${++ids}`]
  const ask = (key: number, own: Partial<Limits>, counts: boolean) =>
    trial().rateLimiter.consume({ subject: keys[key] ?? '', limits: { ...limits, ...own }, counts, user })
  const consume = (key: number, own: Partial<Limits> = {}) => ask(key, own, true)
  const consumeUncounted = (key: number) => ask(key, {}, false)
  return { consume, consumeUncounted }
}

export function userLimitsRules(name: string, open: () => Promise<MeterOnTrial>): void {
  describe(`${name}, with limits for all keys of a user`, () => {
    let trial: MeterOnTrial
    beforeAll(async () => {
      trial = await open()
    })
    afterAll(() => trial.close())

    const aUser = (userLimits: Partial<UserLimits>) => createUser(() => trial, userLimits)
    const outcome = ({ refusedBy, retryAfterSeconds }: ConsumeVerdict) => [refusedBy, retryAfterSeconds]
    const ADMITTED = [undefined, 0]

    it('its keys share the burst, and the longest wait is told', async () => {
      trial.setTime(NOON)
      const { consume } = aUser({ burst: { count: 4, windowMs: 60_000 } })
      for (const key of [0, 0, 0]) expect(outcome(await consume(key))).toEqual(ADMITTED)
      trial.setTime(NOON + 10_000)
      expect(outcome(await consume(1))).toEqual(ADMITTED)
      expect(outcome(await consume(1))).toEqual(['user-burst', 50])
      expect(outcome(await consume(0))).toEqual(['burst', 50])
      expect((await consume(1)).burst.remaining).toBe(2)
      expect(outcome(await aUser({ burst: { count: 4, windowMs: 60_000 } }).consume(0))).toEqual(ADMITTED)
      trial.setTime(NOON + 60_000)
      expect(outcome(await consume(2))).toEqual(ADMITTED)
    })

    it('they share the sustained limit, and a refused request costs nothing', async () => {
      trial.setTime(NOON)
      const { consume } = aUser({ sustained: { count: 5, windowMs: 86_400_000 } })
      for (const key of [0, 1, 2, 0, 1]) expect(outcome(await consume(key))).toEqual(ADMITTED)
      trial.setTime(NOON + 60_000)
      for (let i = 0; i < 3; i++) expect((await consume(2)).refusedBy).toBe('user-sustained')
      expect((await consume(2)).burst.remaining).toBe(3)
    })

    it('they share the monthly cap, which only counted requests use and failed ones give back', async () => {
      trial.setTime(NOON)
      trial.setMonthUsage(5)
      const { consume, consumeUncounted } = aUser({ monthlyCap: 7 })
      const first = await consume(0)
      expect(outcome(await consume(1))).toEqual(ADMITTED)
      expect((await consume(2)).refusedBy).toBe('user-month')
      expect(outcome(await consumeUncounted(2))).toEqual(ADMITTED)
      first.giveBack()
      expect(outcome(await consume(2))).toEqual(ADMITTED)
      expect((await consume(1)).refusedBy).toBe('user-month')
    })

    it('a key’s own cap holds as well', async () => {
      trial.setTime(NOON)
      trial.setMonthUsage(0)
      const { consume } = aUser({ monthlyCap: 100 })
      expect(outcome(await consume(0, { monthlyCap: 1 }))).toEqual(ADMITTED)
      expect((await consume(0, { monthlyCap: 1 })).refusedBy).toBe('month')
      expect(outcome(await consume(1, { monthlyCap: 1 }))).toEqual(ADMITTED)
    })
  })
}
