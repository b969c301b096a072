// A provider's pace, kept by all nodes together. `pace-book.ts` says what it means; here is the same book in Redis: three
// sorted sets for each provider, and every question one script.
//
// While Redis is away, and where there is none, each process keeps the pace by itself. Its book knows the calls that Redis
// let it make, too, and speaks up when Redis has lost them: neither going nor coming back gives this node more.
// What other nodes do meanwhile is known only to them: across an outage the pace holds for each node.
import { randomBytes } from 'node:crypto'
import { LONGEST_CALL_MS, PaceBook, type PaceVerdict } from './memory-upstream-rate-limit.ts'
import type { RedisLink } from '../state/redis-link.ts'
import { bulks, defineScript } from '../state/resp-command.ts'
import { REDIS_CLOCK } from './consume-script.ts'

/** As an engine's terms declare it. */
export interface PaceRate {
  calls: number
  perSeconds: number
}

/** One call, from before it may be made until it has ended. */
interface PacePlace {
  /** May it go now? If it is in the line, it asks again after `waitMs`. */
  ask: (maxWaitMs: number) => Promise<PaceVerdict>
  /** To be called once, when the call has ended or is given up. Not waited for. */
  leave: () => void
}

export interface ProviderPace {
  join: () => PacePlace
}

interface PaceParts {
  redis: RedisLink | undefined
  /** Milliseconds of a clock that only runs forward. */
  clock?: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock?: string
  prefix?: string
}

/** In a millisecond. */
const MICROSECONDS = 1_000
const SPARE_MS = 1_000

const microseconds = (ms: number): string => `${Math.ceil(ms * MICROSECONDS)}`

const VERDICT = { go: 0, inLine: 1 }

/**
 * KEYS: under way by beginning, answered by answer, line by its end.
 * ARGV: id, calls, window, longest wait, earliest by the node's own book; in microseconds.
 * Gives [0] go, [1, wait] in line, [2, wait] out of reach.
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
  return { ${VERDICT.inLine}, wait }
end
call('ZREM', line, id)
if wait > 0 then return { 2, wait } end
call('ZADD', underWay, now, id)
call('PEXPIRE', underWay, math.ceil(lease / 1000))
return { ${VERDICT.go}, 0 }
`

/** KEYS: as above. ARGV: id, '1' if the call was made, window in microseconds. */
const leaveScript = (clock: string): string => `
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] == '1' then
  redis.call('ZADD', KEYS[2], ${clock}, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], math.ceil(ARGV[3] / 1000) + ${SPARE_MS})
end
`

/** Gives each provider its pace. */
export function createProviderPaces(parts: PaceParts): (slug: string, rate: PaceRate) => ProviderPace {
  const { redis, clock = () => performance.now(), luaClock = REDIS_CLOCK, prefix = 'bb:' } = parts
  const askForTurn = defineScript(askScript(luaClock), { keys: 3, values: 5 })
  const leavePlace = defineScript(leaveScript(luaClock), { keys: 3, values: 3 })
  const node = randomBytes(6).toString('hex')
  let places = 0

  return (slug, { calls, perSeconds }) => {
    const tag = `${prefix}{provider:${slug}}:pace`
    const keys = bulks(`${tag}:under-way`, `${tag}:answered`, `${tag}:line`)
    // A little more than asked for: the provider's clock is not ours.
    const windowMs = perSeconds * 1_010 + 20
    const own = new PaceBook({ calls, windowMs })

    /** Undefined: Redis is away. */
    async function askRedis(id: string, maxWaitMs: number): Promise<PaceVerdict | undefined> {
      const limits = [windowMs, maxWaitMs, own.earliestMs(clock())].map(microseconds)
      const reply = await redis?.evaluate(askForTurn, keys + bulks(id, `${calls}`, ...limits))
      if (!Array.isArray(reply)) return undefined
      const [code, wait] = reply
      if (code !== VERDICT.go) {
        return { go: false, waitMs: Number(wait) / MICROSECONDS, isInLine: code === VERDICT.inLine }
      }
      own.begin(id, clock())
      return { go: true }
    }

    return {
      join() {
        // Of one length, so that those who come in the same microsecond stay in order.
        const id = `${node}:${String(++places).padStart(12, '0')}`
        let wasMade = false
        return {
          async ask(maxWaitMs) {
            const verdict = (await askRedis(id, maxWaitMs)) ?? own.ask(id, clock(), maxWaitMs)
            wasMade = verdict.go
            return verdict
          },
          leave() {
            own.leave(id, clock())
            void redis?.evaluate(leavePlace, keys + bulks(id, wasMade ? '1' : '', microseconds(windowMs)))
          },
        }
      },
    }
  }
}
