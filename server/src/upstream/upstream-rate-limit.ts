// A provider's rate limit, enforced by all nodes together. `MemoryUpstreamRateLimit` explains the rule; in Redis the
// same bookkeeping is three sorted sets per provider and one script per operation.
//
// While Redis is unavailable, and on instances without it, each process enforces the limit alone. Its own record also
// includes the calls that Redis let it make, and takes precedence if Redis has lost them, so this node never makes more
// calls because Redis went away or came back. It doesn't know about other nodes' calls meanwhile: across an outage, the
// limit holds per node.
import { randomBytes } from 'node:crypto'
import { REDIS_CLOCK } from '../rate-limit/consume-script.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import { defineScript } from '../redis/redis-client.ts'

/** As an engine's terms declare it. */
export interface UpstreamRate {
  calls: number
  perSeconds: number
}

/** One call, from its request for a slot until it has ended. */
export interface Permit {
  /** Returns whether the call may be made now. If it's queued, try again after `waitMs`. */
  tryAcquire: (maxWaitMs: number) => Promise<AcquireVerdict>
  /** Call once, when the call has ended or is given up. Doesn't wait for Redis. */
  release: () => void
}

export interface UpstreamRateLimit {
  createPermit: () => Permit
}

/** A rate limit whose current wait can be read. */
export interface UpstreamQuota extends UpstreamRateLimit {
  /** Milliseconds until a call could be made; 0 if one could be made now. */
  peek: () => Promise<number>
}

interface UpstreamRateLimitParts {
  redis: RedisClient | undefined
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock?: string
  prefix?: string
}

const MICROSECONDS_PER_MS = 1_000
/** Sorted sets are kept this much longer than needed. */
const SPARE_MS = 1_000

const microseconds = (ms: number): string => `${Math.ceil(ms * MICROSECONDS_PER_MS)}`

const VERDICT = { go: 0, queued: 1, refused: 2 }

/**
 * KEYS: calls in progress by start, answered calls by answer, queue by expiry.
 * ARGV: id, calls, window, maximum wait, wait by the node's own record; times in microseconds.
 * Returns one of `VERDICT` and the wait: `queued` if a slot may be free within the maximum wait, `refused` if not.
 */
const tryAcquireLua = (clock: string): string => `
local call, now = redis.call, ${clock}
local underWay, answered, queue = KEYS[1], KEYS[2], KEYS[3]
local id, calls, window, maxWait, ownWait = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local lease = ${MAX_CALL_MS * MICROSECONDS_PER_MS} + window
call('ZREMRANGEBYSCORE', underWay, '-inf', now - lease)
call('ZREMRANGEBYSCORE', answered, '-inf', now - window)
call('ZREMRANGEBYSCORE', queue, '-inf', now)

local recent = call('ZCARD', answered)
local ahead = call('ZRANK', queue, id) or call('ZCARD', queue)
local place, wait = ahead - (calls - call('ZCARD', underWay) - recent), 0
if place >= 0 then
  local at = call('ZRANGE', answered, place, place, 'WITHSCORES')[2]
  wait = at and at + window - now or window * (1 + math.floor((place - recent) / calls))
end
wait = math.max(wait, ownWait)

if wait > 0 and wait <= maxWait then
  call('ZADD', queue, 'NX', now + maxWait, id)
  call('PEXPIRE', queue, math.ceil(maxWait / 1000) + ${SPARE_MS})
  return { ${VERDICT.queued}, wait }
end
call('ZREM', queue, id)
if wait > 0 then return { ${VERDICT.refused}, wait } end
call('ZADD', underWay, now, id)
call('PEXPIRE', underWay, math.ceil(lease / 1000))
return { ${VERDICT.go}, 0 }
`

/** KEYS as for `tryAcquireLua`. ARGV: id, '1' if the call was made, window in microseconds. */
const releaseLua = (clock: string): string => `
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] == '1' then
  redis.call('ZADD', KEYS[2], ${clock}, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], math.ceil(ARGV[3] / 1000) + ${SPARE_MS})
end
`

/** Creates the rate limit of each provider. */
export function createUpstreamRateLimits(
  parts: UpstreamRateLimitParts,
): (slug: string, rate: UpstreamRate) => UpstreamQuota {
  const { redis, clock = () => performance.now(), luaClock = REDIS_CLOCK, prefix = 'bb:' } = parts
  const tryAcquireScript = defineScript(tryAcquireLua(luaClock))
  const releaseScript = defineScript(releaseLua(luaClock))
  const node = randomBytes(6).toString('hex')
  let idCount = 0

  return (slug, { calls, perSeconds }) => {
    const tag = `${prefix}{provider:${slug}}:rate`
    const keys = [`${tag}:under-way`, `${tag}:answered`, `${tag}:line`]
    // A little longer than the provider's window, because its clock may differ from ours.
    const windowMs = perSeconds * 1_010 + 20
    const own = new MemoryUpstreamRateLimit({ calls, windowMs })

    /** Undefined: Redis is unavailable. */
    async function tryAcquireInRedis(id: string, maxWaitMs: number): Promise<AcquireVerdict | undefined> {
      const limits = [windowMs, maxWaitMs, own.earliestMs(clock())].map(microseconds)
      const reply = await redis?.evaluate(tryAcquireScript, keys, [id, calls, ...limits])
      if (!Array.isArray(reply)) return undefined
      const [code, wait] = reply
      if (code !== VERDICT.go) {
        return { go: false, waitMs: Number(wait) / MICROSECONDS_PER_MS, isQueued: code === VERDICT.queued }
      }
      own.begin(id, clock())
      return { go: true }
    }

    // Of equal length, so that calls in the same microsecond stay in order.
    const newId = () => `${node}:${String(++idCount).padStart(12, '0')}`

    return {
      async peek() {
        const id = newId()
        const limits = [windowMs, 0, own.earliestMs(clock())].map(microseconds)
        const reply = await redis?.evaluate(tryAcquireScript, keys, [id, calls, ...limits])
        if (!Array.isArray(reply)) return own.earliestMs(clock())
        if (reply[0] !== VERDICT.go) return Number(reply[1]) / MICROSECONDS_PER_MS
        // Give the slot back, like a call that wasn't made.
        await redis?.evaluate(releaseScript, keys, [id, '', microseconds(windowMs)])
        return 0
      },
      createPermit() {
        const id = newId()
        let wasMade = false
        return {
          async tryAcquire(maxWaitMs) {
            const verdict = (await tryAcquireInRedis(id, maxWaitMs)) ?? own.tryAcquire(id, clock(), maxWaitMs)
            wasMade = verdict.go
            return verdict
          },
          release() {
            own.release(id, clock())
            void redis?.evaluate(releaseScript, keys, [id, wasMade ? '1' : '', microseconds(windowMs)])
          },
        }
      },
    }
  }
}

/** `isQuotaUsedUp`: it was the daily quota that refused. */
export type AcquireVerdict = { go: true } | { go: false; waitMs: number; isQueued: boolean; isQuotaUsedUp?: true }

interface UpstreamRateRule {
  calls: number
  windowMs: number
}

/** If its process was killed, a call stops counting after this plus the window. No real call takes nearly as long. */
const MAX_CALL_MS = 60_000

/**
 * Enforces a provider's rate limit in one process.
 *
 * "20 calls a second" means as the provider sees it, and we don't know when it sees a call: a connection may have to be
 * opened first, a network or an event loop may stall. But once a call has been answered, we know that it had arrived.
 * So a call counts from its start until one window after its answer, and at most `calls` of them count at any time. Of
 * any calls that arrive within one window, the last one to start found all the others counting, so there are never too
 * many, however late they arrived. The price is that a slow provider is called somewhat less often.
 *
 * A call that finds no free slot can queue if one may become free in time. The queue is FIFO, and each call gets
 * the earliest time at which it could have a slot.
 */
class MemoryUpstreamRateLimit {
  readonly #calls: number
  readonly #windowMs: number
  /** Start times by id. */
  readonly #underWay = new Map<string, number>()
  /** Times of the answers, oldest first. */
  readonly #answered: number[] = []
  /** The queue in order of arrival: until when each call waits, by id. */
  readonly #queue = new Map<string, number>()

  constructor({ calls, windowMs }: UpstreamRateRule) {
    this.#calls = calls
    this.#windowMs = windowMs
  }

  tryAcquire(id: string, now: number, maxWaitMs: number): AcquireVerdict {
    this.#forget(now)
    const ahead = this.#aheadOf(id)
    const waitMs = this.#waitMs(now, ahead)
    if (waitMs > 0 && waitMs <= maxWaitMs) {
      if (!this.#queue.has(id)) this.#queue.set(id, now + maxWaitMs)
      return { go: false, waitMs, isQueued: true }
    }
    this.#queue.delete(id)
    if (waitMs > 0) return { go: false, waitMs, isQueued: false }
    this.begin(id, now)
    return { go: true }
  }

  /** The time until a slot could be free for the first in the queue; 0 if one is free now. */
  earliestMs(now: number): number {
    this.#forget(now)
    return this.#waitMs(now, 0)
  }

  begin(id: string, now: number): void {
    this.#underWay.set(id, now)
  }

  /** Ends a call that was answered or failed, or that leaves the queue. */
  release(id: string, now: number): void {
    if (this.#underWay.delete(id)) this.#answered.push(now)
    this.#queue.delete(id)
  }

  #waitMs(now: number, ahead: number): number {
    const room = this.#calls - this.#underWay.size - this.#answered.length
    if (room > ahead) return 0
    // Slots become free in the order of the answers; the slot of a call in progress a window from now at the earliest.
    const place = ahead - room
    const answeredAt = this.#answered[place]
    if (answeredAt !== undefined) return answeredAt + this.#windowMs - now
    return this.#windowMs * (1 + Math.floor((place - this.#answered.length) / this.#calls))
  }

  #aheadOf(id: string): number {
    if (!this.#queue.has(id)) return this.#queue.size
    let ahead = 0
    for (const other of this.#queue.keys()) {
      if (other === id) break
      ahead++
    }
    return ahead
  }

  #forget(now: number): void {
    const recent = this.#answered.findIndex((at) => at + this.#windowMs > now)
    this.#answered.splice(0, recent === -1 ? this.#answered.length : recent)
    for (const [id, until] of this.#queue) if (until <= now) this.#queue.delete(id)
    for (const [id, began] of this.#underWay) {
      if (began + MAX_CALL_MS + this.#windowMs > now) break
      this.#underWay.delete(id)
    }
  }
}

/**
 * Combines a provider's two rate limits: one per second, which a call may wait for, and a daily quota, which it never
 * waits for. The first is acquired first: a call that the quota then refuses has only used a slot of this second,
 * whereas in the other order it would have used up a call of the day.
 */
export function bothLimits(
  perSecond: UpstreamRateLimit | undefined,
  quota: UpstreamRateLimit | undefined,
): UpstreamRateLimit | undefined {
  if (!quota) return perSecond
  return { createPermit: () => bothPermits(perSecond?.createPermit(), quota.createPermit()) }
}

function bothPermits(perSecond: Permit | undefined, daily: Permit): Permit {
  return {
    async tryAcquire(maxWaitMs) {
      const verdict = await perSecond?.tryAcquire(maxWaitMs)
      if (verdict?.go === false) return verdict
      const dailyVerdict = await daily.tryAcquire(0)
      if (dailyVerdict.go) return dailyVerdict
      perSecond?.release()
      return { ...dailyVerdict, isQuotaUsedUp: true }
    },
    release() {
      perSecond?.release()
      daily.release()
    },
  }
}
