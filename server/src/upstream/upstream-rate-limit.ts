// A provider's rate limit, enforced by all nodes together. `memory-upstream-rate-limit.ts` explains the rule; this is
// the same bookkeeping in Redis, with three sorted sets per provider and one script per operation.
//
// While Redis is unavailable, and on instances without it, each process enforces the limit alone. Its own record also
// includes the calls that Redis let it make, and takes precedence if Redis has lost them, so this node never makes more
// calls because Redis went away or came back. It doesn't know about other nodes' calls meanwhile: across an outage, the
// limit holds per node.
import { randomBytes } from 'node:crypto'
import { REDIS_CLOCK } from '../rate-limit/consume-script.ts'
import { defineScript, type RedisClient } from '../redis/redis-client.ts'
import { type AcquireVerdict, LONGEST_CALL_MS, MemoryUpstreamRateLimit } from './memory-upstream-rate-limit.ts'

/** As an engine's terms declare it. */
export interface UpstreamRate {
  calls: number
  perSeconds: number
}

/** One call, from its request for a slot until it has ended. */
export interface Permit {
  /** Tells whether the call may be made now. If it's queued, try again after `waitMs`. */
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

/** Per millisecond. */
const MICROSECONDS = 1_000
const SPARE_MS = 1_000

const microseconds = (ms: number): string => `${Math.ceil(ms * MICROSECONDS)}`

const VERDICT = { go: 0, queued: 1 }

/**
 * KEYS: calls in progress by start, answered calls by answer, queue by expiry.
 * ARGV: id, calls, window, longest wait, wait by the node's own record; times in microseconds.
 * Returns [0] go, [1, wait] queued, [2, wait] too late.
 */
const askScript = (clock: string): string => `
local call, now = redis.call, ${clock}
local underWay, answered, line = KEYS[1], KEYS[2], KEYS[3]
local id, calls, window, longest, own = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local lease = ${LONGEST_CALL_MS * MICROSECONDS} + window
call('ZREMRANGEBYSCORE', underWay, '-inf', now - lease)
call('ZREMRANGEBYSCORE', answered, '-inf', now - window)
call('ZREMRANGEBYSCORE', line, '-inf', now)

local recent = call('ZCARD', answered)
local ahead = call('ZRANK', line, id) or call('ZCARD', line)
local place, wait = ahead - (calls - call('ZCARD', underWay) - recent), 0
if place >= 0 then
  local at = call('ZRANGE', answered, place, place, 'WITHSCORES')[2]
  wait = at and at + window - now or window * (1 + math.floor((place - recent) / calls))
end
wait = math.max(wait, own)

if wait > 0 and wait <= longest then
  call('ZADD', line, 'NX', now + longest, id)
  call('PEXPIRE', line, math.ceil(longest / 1000) + ${SPARE_MS})
  return { ${VERDICT.queued}, wait }
end
call('ZREM', line, id)
if wait > 0 then return { 2, wait } end
call('ZADD', underWay, now, id)
call('PEXPIRE', underWay, math.ceil(lease / 1000))
return { ${VERDICT.go}, 0 }
`

/** KEYS as above. ARGV: id, '1' if the call was made, window in microseconds. */
const leaveScript = (clock: string): string => `
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
  const askForTurn = defineScript(askScript(luaClock))
  const leavePlace = defineScript(leaveScript(luaClock))
  const node = randomBytes(6).toString('hex')
  let places = 0

  return (slug, { calls, perSeconds }) => {
    const tag = `${prefix}{provider:${slug}}:pace`
    const keys = [`${tag}:under-way`, `${tag}:answered`, `${tag}:line`]
    // A little longer than the provider's window, because its clock may differ from ours.
    const windowMs = perSeconds * 1_010 + 20
    const own = new MemoryUpstreamRateLimit({ calls, windowMs })

    /** Undefined: Redis is unavailable. */
    async function askRedis(id: string, maxWaitMs: number): Promise<AcquireVerdict | undefined> {
      const limits = [windowMs, maxWaitMs, own.earliestMs(clock())].map(microseconds)
      const reply = await redis?.evaluate(askForTurn, keys, [id, calls, ...limits])
      if (!Array.isArray(reply)) return undefined
      const [code, wait] = reply
      if (code !== VERDICT.go) {
        return { go: false, waitMs: Number(wait) / MICROSECONDS, isQueued: code === VERDICT.queued }
      }
      own.begin(id, clock())
      return { go: true }
    }

    // Of equal length, so that calls in the same microsecond stay in order.
    const newId = () => `${node}:${String(++places).padStart(12, '0')}`

    return {
      async peek() {
        const id = newId()
        const limits = [windowMs, 0, own.earliestMs(clock())].map(microseconds)
        const reply = await redis?.evaluate(askForTurn, keys, [id, calls, ...limits])
        if (!Array.isArray(reply)) return own.earliestMs(clock())
        if (reply[0] !== VERDICT.go) return Number(reply[1]) / MICROSECONDS
        // Give the slot back, like a call that wasn't made.
        await redis?.evaluate(leavePlace, keys, [id, '', microseconds(windowMs)])
        return 0
      },
      createPermit() {
        const id = newId()
        let wasMade = false
        return {
          async tryAcquire(maxWaitMs) {
            const verdict = (await askRedis(id, maxWaitMs)) ?? own.ask(id, clock(), maxWaitMs)
            wasMade = verdict.go
            return verdict
          },
          release() {
            own.leave(id, clock())
            void redis?.evaluate(leavePlace, keys, [id, wasMade ? '1' : '', microseconds(windowMs)])
          },
        }
      },
    }
  }
}
