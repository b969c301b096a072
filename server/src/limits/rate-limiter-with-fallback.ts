// The rate limiter of an instance: Redis while it is available, this process on its own while it is not, with no delay
// in between and never an error. The local fallback is informed of every admission, with the time of the request. So it
// knows at least what this node has let through, and never asks for a longer wait than Redis would have.
//
// When Redis comes back, it may have lost its data, and it does not know what the nodes let through without it. Until
// the last of those admissions has left every window, a request must therefore also pass the local fallback. What other
// nodes let through meanwhile is known only to them: across an outage, a limit holds per node and not for all nodes
// together.
//
// A call that Redis did not answer may have been counted there, or may be counted yet: `unsettled-calls.ts` finds out,
// so that the request counts once. `unrolled-usage.ts` keeps what Redis has counted until PostgreSQL has it.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import type { RedisClient } from '../storage/redis-client.ts'
import type { Schema } from '../storage/schema.ts'
import { REDIS_CLOCK } from './consume-script.ts'
import { createMemoryRateLimiter, type MemoryRateLimiter } from './memory-rate-limiter.ts'
import type { LoadMonthUsage, RateLimiter, WindowState } from './rate-limiter.ts'
import { redisName } from './redis-names.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'
import { createSharedUsage, type SharedUsage } from './redis-usage.ts'
import { createUnsettledCalls } from './unsettled-calls.ts'
import { createMonthUsageLoader } from './usage-reading.ts'
import { createKeyOwners } from './users/key-owners.ts'

export interface RateLimiterWithFallback extends RateLimiter {
  /** The two places where usage is counted, for the roll-up. */
  fallback: MemoryRateLimiter
  sharedUsage: SharedUsage | undefined
  /** How many requests were limited without Redis although there is one. */
  localDecisions: () => number
  /** Finds out what became of calls that Redis did not answer, as far as it can. Never throws. */
  settle: () => Promise<void>
}

interface RateLimiterParts {
  redis: RedisClient | undefined
  /** Read if a monthly cap is set, to learn how much of it is used. */
  db: Kysely<Schema>
  clock: () => number
  log: Log
  /** Whether requests come with limits for all keys of their user together. */
  limitsUsers?: boolean
  luaClock?: string
  prefix?: string
}

/** The longest possible window (see rate.ts), plus its last bucket. */
const GUARD_MS = 86_400_000 + 60_000

export function createRateLimiter({
  redis,
  db,
  clock,
  log,
  limitsUsers = false,
  luaClock = REDIS_CLOCK,
  prefix = 'bb:',
}: RateLimiterParts): RateLimiterWithFallback {
  const owners = createKeyOwners(db)
  const nameOf = async (caller: string) => redisName(caller, limitsUsers ? await owners.ownerOf(caller) : undefined)
  const loadMonthUsage: LoadMonthUsage = (caller, month) => monthUsage(caller, month)
  const fallback = createMemoryRateLimiter({
    clock,
    source: `memory:${randomBytes(8).toString('hex')}`,
    loadMonthUsage,
  })
  const rateLimiter = redis
    ? joinWithRedis({ redis, fallback, clock, luaClock, prefix, loadMonthUsage, nameOf })
    : { ...fallback, fallback, sharedUsage: undefined, localDecisions: () => 0, settle: nothingToSettle }
  const monthUsage = createMonthUsageLoader({ db, rateLimiter, clock, log }, owners.keysOf)
  return rateLimiter
}

interface JoinParts {
  redis: RedisClient
  fallback: MemoryRateLimiter
  clock: () => number
  luaClock: string
  prefix: string
  loadMonthUsage: LoadMonthUsage
  nameOf: (caller: string) => Promise<string>
}

function joinWithRedis({ fallback, loadMonthUsage, nameOf, ...parts }: JoinParts): RateLimiterWithFallback {
  const { redis, clock, luaClock, prefix } = parts
  const sharedUsage = createSharedUsage({ redis, clock, luaClock, prefix })
  const { unrolled } = sharedUsage
  const unsettled = createUnsettledCalls({ redis, luaClock, prefix, onFound: sharedUsage.holdOn })
  const { refund: refundElsewhere } = fallback.usage
  const counting = { usage: sharedUsage, unsettled, unrolled, loadMonthUsage, refundElsewhere }
  const shared = createRedisRateLimiter({ redis, clock, luaClock, prefix, nameOf, ...counting })
  let guardedUntil = 0
  let localDecisions = 0
  const guard = () => {
    guardedUntil = clock() + GUARD_MS
  }
  redis.onReady(guard)

  return {
    fallback,
    sharedUsage,
    localDecisions: () => localDecisions,
    settle: unsettled.settle,
    async consume(request) {
      const askedAt = clock()
      const refusal = askedAt < guardedUntil ? fallback.refusalOf(request) : undefined
      if (refusal) return refusal
      const verdict = await shared.consume(request)
      if (verdict) {
        if (!verdict.refusedBy) fallback.note(request, askedAt)
        return verdict
      }
      guard()
      localDecisions++
      return await fallback.consume(request)
    },
    async peek(caller, limits) {
      const own = await fallback.peek(caller, limits)
      const states = await shared.peek(caller, limits)
      if (!states || clock() >= guardedUntil) return states ?? own
      return { burst: fuller(states.burst, own.burst), sustained: fuller(states.sustained, own.sustained) }
    },
    async usageOf(caller, day) {
      const [inRedis, inMemory] = await Promise.all([shared.usageOf(caller, day), fallback.usageOf(caller, day)])
      return [...(inRedis ?? []), ...unrolled.of(caller, day), ...inMemory]
    },
  }
}

const nothingToSettle = async (): Promise<void> => undefined

/** The stricter of what Redis knows and what this node knows. */
const fuller = (one: WindowState, other: WindowState): WindowState => (other.remaining < one.remaining ? other : one)
