// Which callers' usage may have changed, in shards, so that the work of rolling it up can be spread over the servers of a
// cluster and over the nodes. A shard has three keys with one hash tag: a sorted set that lists each caller and day, by
// the time of the last announcement; the time up to which everything was rolled up; and the turn, which one node holds
// while it rolls up, however long that takes. The node renews it with every page, and gives it back when it is done, or
// keeps it for the rest of the interval, so that all nodes together make one pass in each. If the node dies, the next one
// waits a few seconds.
import { randomBytes } from 'node:crypto'
import type { RedisClient, Reply } from '../../storage/redis-client.ts'
import { defineScript } from '../../storage/redis-script.ts'
import { slotOf } from '../../storage/redis-slot.ts'
import { USAGE_LIFE_MS } from '../consume-script.ts'
import { dayOf } from '../usage-reading.ts'

export interface DirtyUsage {
  member: string
  /** The caller's, in Redis. */
  name: string
  day: string
  score: number
}

/** Times are in microseconds of the server's clock, like scores. */
export interface UsageTurn {
  isOurs: boolean
  now: number
  /** Everything announced until then was rolled up at least once. */
  rolledThrough: number
}

/** Everything throws while the server that has the shard is away. */
export interface UsageShard {
  /** Holds the turn if it is free, or ours because the last pass failed. `isForced`: it may also be another node's. */
  takeTurn: (isForced: boolean) => Promise<UsageTurn>
  renewTurn: () => void
  /** The pass that began then is complete; the turn stays with us for this much longer. */
  endTurn: (startedAt: number, restMs: number) => Promise<true>
  /** At most DIRTY_PAGE entries by rising score, from one score to another, both inclusive. */
  dirty: (from: number, to: number) => Promise<DirtyUsage[]>
  /** Removes entries unless they were announced again. */
  forget: (entries: DirtyUsage[]) => Promise<true>
}

export const DIRTY_PAGE = 500
const SHARDS = 16
const DAY_MS = 86_400_000
/** What a node that died leaves the others waiting for. */
const TURN_MS = 5_000

export const shardOf = (caller: string): number => slotOf(caller) % SHARDS
export const dirtyKeyOf = (prefix: string, shard: number): string => `${prefix}{usage:${shard}}:dirty`

const takeScript = (clock: string): string => `
local holder = redis.call('GET', KEYS[1])
local isFree = not holder or holder == ARGV[1]
if isFree then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return { (isFree or ARGV[3] == '1') and 1 or 0, ${clock}, redis.call('GET', KEYS[2]) or '' }
`

/** KEYS: turn. ARGV: holder, life in ms. */
const RENEW = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
`)

/** KEYS: turn, rolled. ARGV: holder, rest of the turn in ms, rolled through, its life in ms. */
const END = defineScript(`
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 1 end
if tonumber(ARGV[2]) > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) else redis.call('DEL', KEYS[1]) end
return 1
`)

const FORGET = defineScript(`
for i = 1, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i])) == tonumber(ARGV[i + 1]) then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return 1
`)

interface ShardParts {
  redis: RedisClient
  luaClock: string
  prefix: string
}

export function createUsageShards(parts: ShardParts): UsageShard[] {
  const take = defineScript(takeScript(parts.luaClock))
  const holder = randomBytes(9).toString('base64url')
  return Array.from({ length: SHARDS }, (_, shard) => {
    const dirtyKey = dirtyKeyOf(parts.prefix, shard)
    const [turnKey, rolledKey] = ['turn', 'rolled'].map((name) => `${parts.prefix}{usage:${shard}}:${name}`)
    const keys = [turnKey ?? '', rolledKey ?? '']
    const { redis } = parts
    return {
      async takeTurn(isForced) {
        const reply = await redis.evaluate(take, keys, [holder, TURN_MS, isForced ? '1' : ''])
        const [isOurs, now, rolled] = listOf(reply)
        return {
          isOurs: isOurs === 1,
          now: Number(now),
          rolledThrough: rolled === '' ? Number.NEGATIVE_INFINITY : Number(rolled),
        }
      },
      renewTurn: () => void redis.evaluate(RENEW, [keys[0] ?? ''], [holder, TURN_MS]),
      async endTurn(startedAt, restMs) {
        const values = [holder, Math.max(0, Math.floor(restMs)), startedAt, USAGE_LIFE_MS]
        if ((await redis.evaluate(END, keys, values)) === undefined) throw unavailable()
        return true
      },
      ...createDirtySet(redis, dirtyKey),
    }
  })
}

/** The sorted set that all callers shared before there were shards. What was left in it is still rolled up. */
export const openFormerDirtySet = ({ redis, luaClock, prefix }: ShardParts) => {
  const key = `${prefix}usage:dirty`
  const now = defineScript(`return ${luaClock}`)
  return {
    ...createDirtySet(redis, key),
    async now() {
      const reply = await redis.evaluate(now, [key], [])
      if (reply === undefined) throw unavailable()
      return Number(reply)
    },
  }
}

function createDirtySet(redis: RedisClient, key: string): Pick<UsageShard, 'dirty' | 'forget'> {
  return {
    async dirty(from, to) {
      const range = [scoreText(from), scoreText(to), 'WITHSCORES', 'LIMIT', 0, DIRTY_PAGE]
      return entriesOf(listOf(await redis.send('ZRANGEBYSCORE', key, ...range)).map(String))
    },
    async forget(entries) {
      if (entries.length === 0) return true
      const membersAndScores = entries.flatMap(({ member, score }) => [member, `${score}`])
      if ((await redis.evaluate(FORGET, [key], membersAndScores)) === undefined) throw unavailable()
      return true
    },
  }
}

const unavailable = () => new Error('could not read the usage in Redis')

function listOf(reply: Reply | undefined): Reply[] {
  if (!Array.isArray(reply)) throw unavailable()
  return reply
}

function entriesOf(flat: string[]): DirtyUsage[] {
  const entries: DirtyUsage[] = []
  for (let i = 0; i < flat.length; i += 2) {
    const member = flat[i] ?? ''
    const [name = '', day = ''] = member.split('|')
    entries.push({ member, name, day: dayOf(Number(day) * DAY_MS), score: Number(flat[i + 1]) })
  }
  return entries
}

function scoreText(score: number): string | number {
  if (Number.isFinite(score)) return score
  return score > 0 ? '+inf' : '-inf'
}
