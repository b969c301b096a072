// The rate limiter shared by all nodes: one script and one round trip per request (`consume-script.ts`). All Redis keys
// of a subject carry the same hash tag, so that a cluster stores them on one node: `{<key>}`, or `{user:<user>}` if the
// user's keys are limited together. A monthly counter expires when the value it was seeded with does. The script then
// asks for a new one, and nothing is admitted in between.
import { defineScript, type RedisClient } from '../redis/redis-client.ts'
import { endOfMonth, monthOf, startOfMonth } from '../text/utc-day.ts'
import { consumeScript, GIVE_BACK, peekScript } from './consume-script.ts'
import {
  type ConsumeRequest,
  type ConsumeVerdict,
  type LimitName,
  type LimitStates,
  type LoadMonthUsage,
  nothingToGiveBack,
  type Rate,
  userSubject,
} from './rate-limiter.ts'

/** Like `RateLimiter`, but `undefined` means that Redis is unavailable. */
interface RedisRateLimiter {
  consume: (request: ConsumeRequest) => Promise<ConsumeVerdict | undefined>
  peek: (request: Omit<ConsumeRequest, 'counts'>) => Promise<LimitStates | undefined>
}

interface RedisRateLimiterParts {
  redis: RedisClient
  clock: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock: string
  prefix: string
  loadMonthUsage: LoadMonthUsage
}

const MICROSECONDS_PER_MS = 1_000
/** The month may end, or the seed expire, between two attempts, but not repeatedly. */
const MAX_ATTEMPTS = 4

/** A monthly cap that a request spends. */
interface Cap {
  name: LimitName
  subject: string
  /** The Redis key of its counter, without the month at the end. */
  counter: string
  count: number
}

export function createRedisRateLimiter(parts: RedisRateLimiterParts): RedisRateLimiter {
  const { redis, clock, luaClock, prefix, loadMonthUsage } = parts
  const script = defineScript(consumeScript(luaClock))
  const peek = defineScript(peekScript(luaClock))
  const giveBack = defineScript(GIVE_BACK)

  async function consumeWithCaps(request: ConsumeRequest, caps: Cap[]): Promise<ConsumeVerdict | undefined> {
    const { keys, values } = windowsOf(prefix, request)
    let month = monthOf(clock())
    let seeds: (string | number)[][] = []
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const counters = caps.map(({ counter }) => `${counter}${month}`)
      const bounds = [startOfMonth(month) * MICROSECONDS_PER_MS, endOfMonth(month) * MICROSECONDS_PER_MS]
      const capValues = caps.flatMap(({ name, count }, at) => [name, count, ...(seeds[at] ?? ['', ''])])
      const reply = await redis.evaluate(script, [...keys, ...counters], [...values, ...bounds, ...capValues])
      const [outcome, now] = String(reply).split(' ')
      if (outcome !== 'unknown') return verdictOf(reply, () => void redis.evaluate(giveBack, counters, []))
      month = monthOf(Number(now))
      const loaded = await Promise.all(caps.map(({ subject }) => loadMonthUsage(subject, month)))
      seeds = loaded.map(({ used, validMs }) => [used, validMs])
    }
    return undefined
  }

  return {
    async consume(request) {
      const caps = capsOf(prefix, request)
      if (caps.length > 0) return await consumeWithCaps(request, caps)
      const { keys, values } = windowsOf(prefix, request)
      return verdictOf(await redis.evaluate(script, keys, values), nothingToGiveBack)
    },
    async peek(request) {
      const { keys, values } = windowsOf(prefix, request)
      const verdict = verdictOf(await redis.evaluate(peek, keys.slice(0, 3), values.slice(0, 5)), nothingToGiveBack)
      return verdict && { burst: verdict.burst, sustained: verdict.sustained }
    },
  }
}

const userTag = (prefix: string, id: string): string => `${prefix}{user:${id}}`
const tagOf = (prefix: string, { subject, user }: Pick<ConsumeRequest, 'subject' | 'user'>): string =>
  user ? `${userTag(prefix, user.id)}:${subject}` : `${prefix}{${subject}}`

function windowsOf(prefix: string, request: Omit<ConsumeRequest, 'counts'>) {
  const { limits, user } = request
  const keys = keysOf(tagOf(prefix, request))
  const values = [...valuesOf(limits.burst), ...valuesOf(limits.sustained)]
  if (!user) return { keys, values: [1, ...values] }
  const userValues = [...valuesOf(user.limits.burst), ...valuesOf(user.limits.sustained)]
  return { keys: [...keys, ...keysOf(userTag(prefix, user.id))], values: [2, ...values, ...userValues] }
}

const keysOf = (tag: string): string[] => [`${tag}:limits`, `${tag}:burst`, `${tag}:sustained`]

const valuesOf = (rate: Rate | undefined): (string | number)[] =>
  rate ? [rate.count, rate.windowMs * MICROSECONDS_PER_MS] : ['', '']

function capsOf(prefix: string, request: ConsumeRequest): Cap[] {
  const { subject, limits, counts, user } = request
  if (!counts) return []
  const caps: Cap[] = []
  const add = (count: number | undefined, cap: Omit<Cap, 'count'>) => {
    if (count !== undefined) caps.push({ ...cap, count })
  }
  add(limits.monthlyCap, { name: 'month', subject, counter: `${tagOf(prefix, request)}:month:` })
  if (user) {
    const counter = `${userTag(prefix, user.id)}:month:`
    add(user.limits.monthlyCap, { name: 'user-month', subject: userSubject(user.id), counter })
  }
  return caps
}

function verdictOf(reply: unknown, giveBack: () => void): ConsumeVerdict | undefined {
  if (typeof reply !== 'string') return undefined
  const [refusedBy = '', ...numbers] = reply.split(' ')
  const [waitMs = 0, burst = 0, burstReset = 0, sustained = 0, sustainedReset = 0] = numbers.map(Number)
  const isAdmitted = refusedBy === '-'
  return {
    // The script uses the names of the contract.
    refusedBy: isAdmitted ? undefined : (refusedBy as LimitName),
    waitMs,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
    burst: { remaining: burst, resetSeconds: burstReset },
    sustained: { remaining: sustained, resetSeconds: sustainedReset },
    giveBack: isAdmitted ? giveBack : nothingToGiveBack,
  }
}
