// The budgets that all nodes share. A provider's month is one hash: the two totals, and the counts they are the sum of,
// by day and process. A sorted set holds the reservations by their end, in Redis' own time. Each script runs alone, so of any
// number of calls at once exactly as many are admitted as fit. Both keys carry the hash tag {provider:<slug>}.
//
// A hash that is lost lacks the mark `told`, and the script then admits nothing. A server that came back with an old
// hash cannot be told from within, but its connections broke: after that every node tells all that PostgreSQL and
// itself know before it asks for anything. What is missing then is what another node has counted or promised in the
// last second or so and not yet told; it is caught up as soon as that node settles or reserves again.
import type { Redis } from 'ioredis'
import { type BudgetStore, type BudgetVerdict, RESERVATION_MS } from '../limits/budget-store.ts'
import type { CostCount } from '../limits/cost-rows.ts'
import type { RedisLink } from './redis-link.ts'
import { monthOf } from '../limits/usage-reading.ts'

/** Beyond the month it is for, long enough for the ledger to have it. */
const MONTH_LIFE_MS = 40 * 86_400_000
const LATE_COUNTS_MS = 3 * 86_400_000
const COUNTS_A_SCRIPT = 500
/** All nodes together read the counts about this often. */
const TURN_MS = 4_500

const VERDICTS: Record<number, BudgetVerdict> = { 0: 'unknown', 1: 'granted', 2: 'promised', 3: 'spent' }

/** KEYS: month, open reservations. ARGV: id, cap of calls or '', cap of micros or '', price of a call. */
const reserveScript = (clock: string): string => `
local now = ${clock}
local told, calls, micros = unpack(redis.call('HMGET', KEYS[1], 'told', 'calls', 'micros'))
if not told then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local function fits(promised)
  return (ARGV[2] == '' or (calls or 0) + promised + 1 <= tonumber(ARGV[2]))
    and (ARGV[3] == '' or (micros or 0) + (promised + 1) * ARGV[4] <= tonumber(ARGV[3]))
end
if not fits(redis.call('ZCARD', KEYS[2])) then return fits(0) and 2 or 3 end
redis.call('ZADD', KEYS[2], now + ${RESERVATION_MS * 1_000}, ARGV[1])
redis.call('PEXPIRE', KEYS[2], ${2 * RESERVATION_MS})
return 1
`

const RAISE = `
local function raise(total, field, value)
  local known = tonumber(redis.call('HGET', KEYS[1], field) or 0)
  if tonumber(value) > known then
    redis.call('HSET', KEYS[1], field, value)
    redis.call('HINCRBY', KEYS[1], total, value - known)
  end
end
local function raiseFrom(first)
  for i = first, #ARGV, 3 do
    raise('calls', 'c:' .. ARGV[i], ARGV[i + 1])
    raise('micros', 'm:' .. ARGV[i], ARGV[i + 2])
  end
  redis.call('PEXPIRE', KEYS[1], ${MONTH_LIFE_MS})
end
`

/** KEYS: month, open reservations. ARGV: id, and for a billed call: day and process, calls, micros. */
const SETTLE_SCRIPT = `${RAISE}
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] then raiseFrom(2) end
`

/** KEYS: month. ARGV: '1' when this is the last of what is known, and of each count: day and process, calls, micros. */
const LEARN_SCRIPT = `${RAISE}
if ARGV[1] == '1' then redis.call('HSET', KEYS[1], 'told', 1) end
raiseFrom(2)
return 1
`

interface Scripts {
  bowerbirdReserve: (...keysAndArguments: (string | number)[]) => Promise<number>
  bowerbirdSettle: (...keysAndArguments: (string | number)[]) => Promise<unknown>
  bowerbirdLearn: (...keysAndArguments: (string | number)[]) => Promise<number>
}

interface RedisBudgetParts {
  link: RedisLink
  clock: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock: string
  prefix: string
}

export function createRedisBudgetStore({ link, clock, luaClock, prefix }: RedisBudgetParts): BudgetStore {
  link.client.defineCommand('bowerbirdReserve', { lua: reserveScript(luaClock), numberOfKeys: 2 })
  link.client.defineCommand('bowerbirdSettle', { lua: SETTLE_SCRIPT, numberOfKeys: 2 })
  link.client.defineCommand('bowerbirdLearn', { lua: LEARN_SCRIPT, numberOfKeys: 1 })
  // `defineCommand` adds the methods at run time, which the client's type cannot know.
  const scripts = link.client as Redis & Scripts
  const monthKey = (provider: string, month: string) => `${prefix}{provider:${provider}}:budget:${month}`
  const openKey = (provider: string) => `${prefix}{provider:${provider}}:budget:open`

  /** The months this node has told over the present connection. */
  let told = new Set<string>()
  link.client.on('close', () => {
    told = new Set()
  })

  async function readCounts(provider: string, month: string): Promise<CostCount[]> {
    const hash = await link.attempt((client) => client.hgetall(monthKey(provider, month)))
    return countsOf(provider, hash ?? {})
  }

  return {
    async reserve({ provider, month, id, settings }) {
      if (link.isAway()) return undefined
      const key = monthKey(provider, month)
      if (!told.has(key)) return 'unknown'
      const { callsPerMonth = '', microsPerMonth = '', pricePerCallMicros } = settings
      const code = await link.attempt(() =>
        scripts.bowerbirdReserve(key, openKey(provider), id, callsPerMonth, microsPerMonth, pricePerCallMicros),
      )
      return code === undefined ? undefined : VERDICTS[code]
    },
    settle({ provider, id }, count) {
      const news = count ? newsOf(count) : []
      // A release has no month to change.
      const key = monthKey(provider, count?.day.slice(0, 7) ?? 'none')
      void link.attempt(() => scripts.bowerbirdSettle(key, openKey(provider), id, ...news))
    },
    async learn(provider, month, counts) {
      const key = monthKey(provider, month)
      const toldBefore = told
      for (let i = 0; i < Math.max(1, counts.length); i += COUNTS_A_SCRIPT) {
        const isLast = i + COUNTS_A_SCRIPT >= counts.length
        const news = counts.slice(i, i + COUNTS_A_SCRIPT).flatMap(newsOf)
        const reply = await link.attempt(() => scripts.bowerbirdLearn(key, isLast ? '1' : '', ...news))
        if (reply === undefined) return false
      }
      // A connection that broke meanwhile may have led to a server that knows nothing of this.
      toldBefore.add(key)
      return true
    },
    async counts(providers, isForced) {
      const isOurs = await link.attempt((client) => client.set(`${prefix}costs:lease`, '1', 'PX', TURN_MS, 'NX'))
      if (isOurs !== 'OK' && !isForced) return []
      const months = new Set([monthOf(clock()), monthOf(clock() - LATE_COUNTS_MS)])
      const questions = providers.flatMap((provider) => [...months].map((month) => readCounts(provider, month)))
      return (await Promise.all(questions)).flat()
    },
  }
}

const newsOf = ({ day, source, calls, micros }: CostCount) => [`${day}:${source}`, calls, micros]

/** A field is `c:<day>:<process>` or `m:<day>:<process>`. */
function countsOf(provider: string, hash: Record<string, string>): CostCount[] {
  return Object.entries(hash).flatMap(([field, calls]) => {
    if (!field.startsWith('c:')) return []
    const [day, source] = [field.slice(2, 12), field.slice(13)]
    return [{ provider, day, source, calls: Number(calls), micros: Number(hash[`m:${day}:${source}`] ?? 0) }]
  })
}
