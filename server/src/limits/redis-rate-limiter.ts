// The rate limiter that all nodes share: one script and one round trip per request (`consume-script.ts`). Every key of
// a caller carries the same hash tag (`redis-names.ts`), so that the script finds them on one node of a cluster. A month's counter
// lives only as long as the value it was seeded with is valid; the script then asks for a new one, and nothing is
// admitted in between.

import { type Reply, Unanswered, type Value } from '../storage/redis-answer.ts'
import type { RedisClient } from '../storage/redis-client.ts'
import { defineScript, type Script } from '../storage/redis-script.ts'
import { consumeScript, LATE, peekScript, refundScript } from './consume-script.ts'
import {
  type ConsumeRequest,
  type ConsumeVerdict,
  type LimitName,
  type LimitStates,
  type Limits,
  type LoadMonthUsage,
  type Rate,
  type UsageCount,
  userCaller,
} from './rate-limiter.ts'
import { redisName, tagOf, userTagOf } from './redis-names.ts'
import { type Counted, createRefund } from './redis-refund.ts'
import type { SharedUsage } from './redis-usage.ts'
import type { UnrolledUsage } from './unrolled-usage.ts'
import type { UnsettledCalls } from './unsettled-calls.ts'
import { dayOf, endOfMonth, monthOf, startOfMonth } from './usage-reading.ts'
import { USER_LIMITS } from './users/user-limits-script.ts'

/** Like `RateLimiter`, but `undefined` means that Redis is unavailable. */
interface RedisRateLimiter {
  consume: (request: ConsumeRequest) => Promise<ConsumeVerdict | undefined>
  peek: (caller: string, limits: Limits) => Promise<LimitStates | undefined>
  usageOf: (caller: string, day: string) => Promise<UsageCount[] | undefined>
}

interface RedisRateLimiterParts {
  redis: RedisClient
  usage: SharedUsage
  clock: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock: string
  prefix: string
  /** A caller's name in Redis; see `redis-names.ts`. */
  nameOf: (caller: string) => Promise<string>
  loadMonthUsage: LoadMonthUsage
  unsettled: UnsettledCalls
  unrolled: UnrolledUsage
  /** Refunds what Redis has counted if Redis cannot. */
  refundElsewhere: (caller: string, day: string, endpoint: string) => void
}

/** In a millisecond. */
const MICROSECONDS = 1_000
const REFUSED_BY: Record<number, LimitName> = {
  1: 'burst',
  2: 'sustained',
  3: 'month',
  6: 'user-burst',
  7: 'user-sustained',
  8: 'user-month',
}
const MONTH_UNKNOWN = 4
/** Redis, or this process, may be so busy that a call is late although it is answered. Nothing was counted then. */
const MOST_ATTEMPTS = 5
/** A month may end, or a seed expire, between two attempts, but not repeatedly. */
const MOST_QUESTIONS = 4

interface Call {
  script: Script
  keys: string[]
  values: Value[]
}

/** What a month's counter starts with. */
interface Seed {
  used: number | ''
  validMs: number
}

interface Seeds {
  key: Seed
  user: Seed
}

const UNKNOWN: Seed = { used: '', validMs: 0 }

export function createRedisRateLimiter(parts: RedisRateLimiterParts): RedisRateLimiter {
  const { redis, usage, clock, luaClock, prefix, loadMonthUsage } = parts
  const consume = defineScript(consumeScript(luaClock))
  const consumeForUser = defineScript(consumeScript(luaClock, USER_LIMITS))
  const judge = createJudge(parts)
  const fixedPartsOf = createFixedParts(prefix)

  const ask = (request: ConsumeRequest, script: Script, usageValues: Value[]) => {
    const { keys, rates } = fixedPartsOf(request)
    return attempt({ script, keys, values: [...rates, ...usageValues] }, MOST_ATTEMPTS)
  }

  const attempt = (call: Call, attempts: number): Promise<Reply | Unanswered | undefined> =>
    redis
      .evaluateOnce(call.script, call.keys, call.values)
      .then((reply) => (isLate(reply) && attempts > 1 ? attempt(call, attempts - 1) : reply))

  /** With a monthly cap, or with limits for all keys of a user together. */
  async function consumeWithMonth(request: ConsumeRequest, endpoint: string | undefined) {
    const cap = endpoint === undefined ? undefined : request.limits.monthlyCap
    let month = monthOf(clock())
    let seeds: Seeds = { key: UNKNOWN, user: UNKNOWN }
    for (let question = 0; question < MOST_QUESTIONS; question++) {
      const counted = endpoint === undefined ? undefined : countedAs(parts, request, month)
      const bounds = [startOfMonth(month) * MICROSECONDS, endOfMonth(month) * MICROSECONDS]
      const values = [endpoint ?? '', cap ?? '', month, ...bounds, seeds.key.used, seeds.key.validMs]
      const userValues = request.user ? userValuesOf(request, seeds.user) : []
      const script = request.user ? consumeForUser : consume
      const reply = await ask(request, script, [...values, ...userValues])
      const [code, now] = Array.isArray(reply) ? reply.map(Number) : []
      if (code !== MONTH_UNKNOWN) return judge(reply, request, counted)
      month = monthOf(now ?? 0)
      seeds = await loadSeeds(loadMonthUsage, request, month)
    }
    return undefined
  }

  return {
    // Every request comes through here, so without a monthly cap there is only one promise.
    consume(request) {
      const { endpoint, limits, user } = request
      if (endpoint !== undefined) usage.announce(redisName(request.caller, request.user?.id))
      if (user || (endpoint !== undefined && limits.monthlyCap !== undefined))
        return consumeWithMonth(request, endpoint)
      const counted = endpoint === undefined ? undefined : countedAs(parts, request, '')
      return ask(request, consume, [endpoint ?? '']).then((reply) => judge(reply, request, counted))
    },
    peek: createPeek(parts),
    // Why it could not be read, the client has logged.
    usageOf: (caller, day) =>
      parts
        .nameOf(caller)
        .then((name) => usage.read(name, day))
        .catch(() => undefined),
  }
}

/** Turns a reply into a verdict, and notes what is to be settled or rolled up. */
function createJudge(parts: RedisRateLimiterParts) {
  const { usage, luaClock, unsettled, unrolled, refundElsewhere } = parts
  const refundParts = { ...parts, refund: defineScript(refundScript(luaClock)) }

  /** The request was counted elsewhere, or refused, so if Redis has counted it too, that is taken back. */
  const undo =
    ({ deadline }: Unanswered, caller: string, endpoint: string) =>
    (hasRun: boolean): void => {
      if (hasRun) refundElsewhere(caller, dayOf(deadline / MICROSECONDS), endpoint)
    }

  return (reply: Reply | Unanswered | undefined, request: ConsumeRequest, counted: Counted | undefined) => {
    const { caller, endpoint } = request
    if (reply instanceof Unanswered) {
      if (counted && endpoint !== undefined)
        unsettled.add({ name: counted.name, call: reply, settle: undo(reply, caller, endpoint) })
      return undefined
    }
    // An admission is a text; a list of whole numbers says why there is none.
    if (Array.isArray(reply)) return isLate(reply) ? undefined : verdictOf(reply as number[], nothingToRefund)
    if (typeof reply !== 'string') return undefined
    const fields = reply.split(' ')
    const numbers = fields.map(Number)
    if (endpoint === undefined || !counted) return verdictOf(numbers, nothingToRefund)
    const { name, months } = counted
    const [day, value, born, run] = [numbers[6] ?? 0, numbers[8] ?? 0, numbers[9] ?? 0, fields[10] ?? '']
    unrolled.note({ caller, day, endpoint, run, born, counted: value, refunded: 0 })
    // The first of the day, or Redis has lost the others, and then also the announcement.
    if (value === 1) usage.announceAgain(name)
    return verdictOf(numbers, createRefund(refundParts, { name, endpoint, day, born, run, months }))
  }
}

/** Where a request will be counted. */
function countedAs({ prefix }: RedisRateLimiterParts, request: ConsumeRequest, month: string): Counted {
  const name = redisName(request.caller, request.user?.id)
  const months = (): [string, string] => {
    const tag = tagOf(prefix, name)
    // Without limits for users there is one counter, not to be refunded twice.
    return [
      `${tag}:month:${month}`,
      request.user ? `${userTagOf(prefix, request.user.id)}:month:${month}` : `${tag}:month:`,
    ]
  }
  return { name, months }
}

/** What is known of the months that are capped. */
async function loadSeeds(loadMonthUsage: LoadMonthUsage, request: ConsumeRequest, month: string): Promise<Seeds> {
  const { caller, limits, user } = request
  const load = (cap: number | undefined, caller: string) =>
    cap === undefined ? UNKNOWN : loadMonthUsage(caller, month)
  const [key, ofUser] = await Promise.all([
    load(limits.monthlyCap, caller),
    load(user?.limits.monthlyCap, userCaller(user?.id ?? '')),
  ])
  return { key, user: ofUser }
}

function createPeek({ redis, luaClock, prefix, nameOf }: RedisRateLimiterParts): RedisRateLimiter['peek'] {
  const script = defineScript(peekScript(luaClock))
  return async (caller, limits) => {
    const tag = tagOf(prefix, await nameOf(caller))
    const rates = [limits.burst, limits.sustained].flatMap(({ count, windowMs }) => [count, windowMs * MICROSECONDS])
    const reply = await redis.evaluate(script, [`${tag}:burst`, `${tag}:sustained`], rates)
    if (!Array.isArray(reply)) return undefined
    const [burst = 0, burstReset = 0, sustained = 0, sustainedReset = 0] = reply.map(Number)
    return {
      burst: { remaining: burst, resetSeconds: burstReset },
      sustained: { remaining: sustained, resetSeconds: sustainedReset },
    }
  }
}

/** What is the same for every call: remembered by the request, because a caller passes the same object again and again. */
function createFixedParts(prefix: string) {
  const known = new WeakMap<ConsumeRequest, { keys: string[]; rates: string[] }>()
  return (request: ConsumeRequest) => {
    const before = known.get(request)
    if (before) return before
    const { burst, sustained } = request.limits
    const rates = [burst, sustained].flatMap((rate) => [String(rate.count), String(rate.windowMs * MICROSECONDS)])
    const fixed = { keys: keysOf(prefix, request), rates }
    known.set(request, fixed)
    return fixed
  }
}

function keysOf(prefix: string, request: ConsumeRequest): string[] {
  const tag = tagOf(prefix, redisName(request.caller, request.user?.id))
  const keys = [`${tag}:burst`, `${tag}:sustained`, `${tag}:usage:`, `${tag}:month:`]
  if (!request.user) return keys
  const userTag = userTagOf(prefix, request.user.id)
  return [...keys, `${userTag}:burst`, `${userTag}:sustained`, `${userTag}:month:`]
}

function userValuesOf({ user, endpoint }: ConsumeRequest, seed: Seed): Value[] {
  const { burst, sustained, monthlyCap } = user?.limits ?? {}
  const rate = (given: Rate | undefined) => (given ? [given.count, given.windowMs * MICROSECONDS] : ['', ''])
  const cap = endpoint === undefined ? undefined : monthlyCap
  return [...rate(burst), ...rate(sustained), cap ?? '', seed.used, seed.validMs]
}

const isLate = (reply: Reply | Unanswered | undefined): boolean => Array.isArray(reply) && reply[0] === LATE

const nothingToRefund = (): void => undefined

function verdictOf(reply: number[], refund: () => void): ConsumeVerdict {
  return {
    refusedBy: REFUSED_BY[reply[0] ?? 0],
    retryAfterSeconds: reply[1] ?? 0,
    burst: { remaining: reply[2] ?? 0, resetSeconds: reply[3] ?? 0 },
    sustained: { remaining: reply[4] ?? 0, resetSeconds: reply[5] ?? 0 },
    refund,
  }
}
