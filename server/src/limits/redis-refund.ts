// Refunds what Redis has counted for a request that failed after all. Redis does it if it still has the count, in the
// same run of the server; otherwise this process records the refund, which comes to the same sum.
import { type Reply, Unanswered } from '../storage/redis-answer.ts'
import type { RedisClient } from '../storage/redis-client.ts'
import type { Script } from '../storage/redis-script.ts'
import { callerOf, tagOf } from './redis-names.ts'
import type { SharedUsage } from './redis-usage.ts'
import type { UnrolledUsage } from './unrolled-usage.ts'
import type { UnsettledCalls } from './unsettled-calls.ts'
import { dayOf } from './usage-reading.ts'

export interface RefundParts {
  redis: RedisClient
  usage: SharedUsage
  prefix: string
  unsettled: UnsettledCalls
  unrolled: UnrolledUsage
  refund: Script
  /** Refunds what Redis has counted if Redis cannot. */
  refundElsewhere: (caller: string, day: string, endpoint: string) => void
}

/** Where a request was counted. */
export interface Counted {
  /** The caller's name in Redis. */
  name: string
  /** The full names of the months' counters, or of something that does not exist. */
  months: () => [key: string, user: string]
}

/** What a refund needs to know about the count. */
interface Refundable extends Counted {
  /** Days since 1970, as in the key. */
  day: number
  endpoint: string
  /** Of the server that has counted it, and of its hash. */
  run: string
  born: number
}

const DAY_MS = 86_400_000
const REFUNDED = 1

/** Not waited for. */
export function createRefund(parts: RefundParts, count: Refundable): () => void {
  let isRefunded = false
  return () => {
    if (isRefunded) return
    isRefunded = true
    const { redis, usage, prefix, refund } = parts
    const { name, day, months, endpoint, run } = count
    const usageKey = `${tagOf(prefix, name)}:usage:${day}`
    if (redis.isAway(usageKey) || redis.run(usageKey) !== run) {
      conclude(parts, count, undefined)
      return
    }
    usage.announce(name)
    const fields = [`counted:${run}:${endpoint}`, `refunded:${run}:${endpoint}`]
    void redis
      .evaluateOnce(refund, [usageKey, ...months()], [...fields, run])
      .then((reply) => conclude(parts, count, reply))
  }
}

function conclude(parts: RefundParts, count: Refundable, reply: Reply | Unanswered | undefined): void {
  const { unsettled, unrolled, refundElsewhere } = parts
  const { name, day, endpoint, born, run } = count
  const caller = callerOf(name)
  const refundHere = () => refundElsewhere(caller, dayOf(day * DAY_MS), endpoint)
  if (reply instanceof Unanswered) {
    unsettled.add({ name, call: reply, settle: (hasRun) => hasRun || refundHere() })
    return
  }
  // The script returns only whole numbers.
  const [code, , counted = 0, , refunded = 0] = Array.isArray(reply) ? (reply as number[]) : []
  if (code === REFUNDED) {
    unrolled.note({ caller, day, endpoint, run, born, counted, refunded })
    return
  }
  if (code === 0) unrolled.noteLoss({ caller, day, endpoint, born })
  refundHere()
}
