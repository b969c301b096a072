// The usage counters in Redis as the roll-up sees them: which have changed, and what they contain.
//
// A sorted set for each shard of callers (`rollup/usage-shard.ts`) lists each caller and day that may have changed, scored by
// Redis' time. A node announces a caller when it spends for it, at most once a second; an announcement covers all changes
// of the following second. With one server, both go over one connection and arrive in this order. In a cluster they may go
// to different servers, and an announcement that fails is made again until it succeeds. An entry is removed only if it was
// read, its last announcement was more than a minute old at that point, and it has not been announced since. No count can
// be lost that way: a change after the reading would be more than a minute younger than the announcement that covers it,
// while a node sends both within a second. (A command that is stuck in a dead connection for longer does nothing: its
// deadline has passed.) The entries outlive every node, so a node may be killed at any moment.
//
// Reads go over the connection that counts, so a node sees what it has just spent and refunded.
import type { RedisClient } from '../storage/redis-client.ts'
import { defineScript } from '../storage/redis-script.ts'
import { USAGE_LIFE_MS } from './consume-script.ts'
import type { UsageCount } from './rate-limiter.ts'
import { callerOf, tagOf } from './redis-names.ts'
import { createUsageShards, dirtyKeyOf, openFormerDirtySet, shardOf, type UsageShard } from './rollup/usage-shard.ts'
import { type CounterValue, createUnrolledUsage, type UnrolledUsage } from './unrolled-usage.ts'
import { dayOf } from './usage-reading.ts'

/** Callers go by their names in Redis (`redis-names.ts`). */
export interface SharedUsage {
  announce: (caller: string) => void
  /** Also if it was done within the last second: Redis may have lost it. */
  announceAgain: (caller: string) => void
  /** Makes the announcements again that have failed. */
  announceFailed: () => void
  read: (caller: string, day: string) => Promise<UsageCount[]>
  /** What Redis has counted for this node and PostgreSQL may not have yet. */
  unrolled: UnrolledUsage
  /** Adds all counts of a caller to these. Days are days since 1970. */
  holdOn: (caller: string, days: readonly number[]) => Promise<void>
  /** The runs of the servers that can be used. */
  runs: () => Set<string>
  isAway: () => boolean
  shards: UsageShard[]
  former: ReturnType<typeof openFormerDirtySet>
}

const DAY_MS = 86_400_000
const ANNOUNCE_EVERY_MS = 1_000

/** Close to midnight, a change covered by an announcement may fall on the next day. */
const announceScript = (clock: string): string => `
local now = ${clock}
local day, soon = math.floor(now / 86400000000), math.floor((now + 10000000) / 86400000000)
redis.call('ZADD', KEYS[1], now, ARGV[1] .. '|' .. day)
if soon ~= day then redis.call('ZADD', KEYS[1], now, ARGV[1] .. '|' .. soon) end
redis.call('PEXPIRE', KEYS[1], ${USAGE_LIFE_MS})
return 1
`

interface SharedUsageParts {
  redis: RedisClient
  clock: () => number
  luaClock: string
  prefix: string
}

export function createSharedUsage({ redis, clock, luaClock, prefix }: SharedUsageParts): SharedUsage {
  const unrolled = createUnrolledUsage(() => performance.now())

  async function read(name: string, day: string): Promise<UsageCount[]> {
    const hash = await redis.send('HGETALL', `${tagOf(prefix, name)}:usage:${Date.parse(day) / DAY_MS}`)
    if (!Array.isArray(hash)) throw new Error('could not read the usage in Redis')
    return countsOf(hash.map(String), callerOf(name), day)
  }

  return {
    ...createAnnouncer({ redis, clock, luaClock, prefix }),
    read,
    unrolled,
    async holdOn(name, days) {
      const counts = await Promise.all([...new Set(days)].map((day) => read(name, dayOf(day * DAY_MS))))
      for (const count of counts.flat()) unrolled.note(counterValueOf(count))
    },
    runs: redis.runs,
    isAway: () => redis.isAway(),
    shards: createUsageShards({ redis, luaClock, prefix }),
    former: openFormerDirtySet({ redis, luaClock, prefix }),
  }
}

/** Announces a caller at most once a second. */
function createAnnouncer({ redis, clock, luaClock, prefix }: SharedUsageParts) {
  const announcement = defineScript(announceScript(luaClock))
  const announced = new Set<string>()
  const failed = new Set<string>()
  let announcedSince = 0
  // Redis may have lost its data.
  redis.onReady(() => announced.clear())

  function announce(caller: string): void {
    const now = clock()
    if (Math.abs(now - announcedSince) >= ANNOUNCE_EVERY_MS) {
      announced.clear()
      announcedSince = now
    }
    if (announced.has(caller)) return
    announced.add(caller)
    void redis.evaluate(announcement, [dirtyKeyOf(prefix, shardOf(callerOf(caller)))], [caller]).then((reply) => {
      if (reply !== undefined) return
      announced.delete(caller)
      failed.add(caller)
    })
  }

  function announceAgain(caller: string): void {
    announced.delete(caller)
    announce(caller)
  }

  return {
    announce,
    announceAgain,
    announceFailed(): void {
      const callers = [...failed]
      failed.clear()
      for (const caller of callers) announceAgain(caller)
    },
  }
}

function counterValueOf({ caller, day, endpoint, source, counted, refunded }: UsageCount): CounterValue {
  const [, run = '', born] = source.split(':')
  return { caller, day: Date.parse(day) / DAY_MS, endpoint, run, born: Number(born), counted, refunded }
}

function countsOf(flat: string[], caller: string, day: string): UsageCount[] {
  const fields = new Map<string, string>()
  for (let i = 0; i < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '')
  const born = fields.get('born') ?? ''
  return [...fields].flatMap(([field, counted]) => {
    const [kind, epoch = '', endpoint = ''] = field.split(':')
    if (kind !== 'counted') return []
    const refunded = Number(fields.get(`refunded:${epoch}:${endpoint}`) ?? 0)
    return [{ caller, day, endpoint, source: `redis:${epoch}:${born}`, counted: Number(counted), refunded }]
  })
}
