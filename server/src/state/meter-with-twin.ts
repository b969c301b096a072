// The meter of an instance: Redis' while it is there, this process' own while it is away, with no wait in between and
// never an error. The twin is told of every admission, at the time it was asked for: so it knows at least what this node
// has let through, and never asks for a longer wait than Redis would have.
//
// A Redis that comes back may have lost its data, and does not know what the nodes let through without it. Until the
// last of that has left every window, a request must therefore pass the twin as well. What other nodes have let through
// meanwhile is known only to them: across an outage a limit holds for each node, not for all together.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { createMemoryMeter, type MemoryMeter } from './memory-meter.ts'
import type { LoadMonthUsage, Meter, WindowState } from './meter.ts'
import type { RedisLink } from './redis-link.ts'
import { createRedisMeter } from './redis-meter.ts'
import type { Schema } from '../storage/schema.ts'
import { createSharedUsage, type SharedUsage } from './shared-usage.ts'
import { REDIS_CLOCK } from '../limits/consume-script.ts'
import { createMonthUsageLoader } from '../limits/usage-reading.ts'

export interface MeterWithTwin extends Meter {
  /** The two places where usage is counted, for the roll-up. */
  twin: MemoryMeter
  sharedUsage: SharedUsage | undefined
}

interface MeterParts {
  redis: RedisLink | undefined
  /** Read when a monthly cap is set, to learn what is used of it. */
  db: Kysely<Schema>
  clock: () => number
  log: Log
  luaClock?: string
  prefix?: string
}

/** The longest window there is, see rate.ts, and its last bucket. */
const GUARD_MS = 86_400_000 + 60_000

export function createMeter({
  redis,
  db,
  clock,
  log,
  luaClock = REDIS_CLOCK,
  prefix = 'bb:',
}: MeterParts): MeterWithTwin {
  const loadMonthUsage: LoadMonthUsage = (caller, month) => monthUsage(caller, month)
  const twin = createMemoryMeter({ clock, source: `memory:${randomBytes(8).toString('hex')}`, loadMonthUsage })
  const meter = redis ? joinWithRedis(redis) : { ...twin, twin, sharedUsage: undefined }
  const monthUsage = createMonthUsageLoader({ db, meter, clock, log })
  return meter

  function joinWithRedis(link: RedisLink): MeterWithTwin {
    const sharedUsage = createSharedUsage({ link, clock, luaClock, prefix })
    const shared = createRedisMeter({
      link,
      usage: sharedUsage,
      clock,
      luaClock,
      prefix,
      loadMonthUsage,
      refundElsewhere: (caller, day, endpoint) => twin.usage.refund(caller, day, endpoint),
    })
    let guardedUntil = 0
    const guard = () => {
      guardedUntil = clock() + GUARD_MS
    }
    link.onReady(guard)

    return {
      twin,
      sharedUsage,
      async spend(request) {
        const askedAt = clock()
        const refusal = askedAt < guardedUntil ? twin.refusalOf(request) : undefined
        if (refusal) return refusal
        const verdict = await shared.spend(request)
        if (verdict) {
          if (!verdict.refusedBy) twin.note(request, askedAt)
          return verdict
        }
        guard()
        return await twin.spend(request)
      },
      async weigh(caller, limits) {
        const own = await twin.weigh(caller, limits)
        const states = await shared.weigh(caller, limits)
        if (!states || clock() >= guardedUntil) return states ?? own
        return { burst: fuller(states.burst, own.burst), sustained: fuller(states.sustained, own.sustained) }
      },
      async usageOf(caller, day) {
        const [inRedis, inMemory] = await Promise.all([shared.usageOf(caller, day), twin.usageOf(caller, day)])
        return [...(inRedis ?? []), ...inMemory]
      },
    }
  }
}

/** Of what Redis knows and what this node knows: the one that lets less through. */
const fuller = (one: WindowState, other: WindowState): WindowState => (other.remaining < one.remaining ? other : one)
