// The budgets that all nodes share. A provider's month is one hash: the two totals, and the counts that they are the
// sum of, by day and process. A sorted set holds the reservations by their expiry, in Redis' own time. Each script runs
// atomically, so of any number of concurrent calls exactly as many are admitted as fit. Both keys carry the hash tag
// {provider:<slug>}.
//
// A hash that was lost lacks the mark `told`, and the script then admits nothing. A server that came back with an old
// hash cannot be recognised from within, but its connections broke: after that, every node reports everything that
// PostgreSQL and the node itself know before it reserves anything. What another node has counted or reserved in the last
// seconds may be missing then. So each node reports that as soon as it is connected again, and on a new run of the server
// nothing is admitted until all have had the time to. A node that was killed can report nothing any more: what it had
// reserved is reported by the others, who look at the reservations once a second.
import type { RedisClient } from '../../storage/redis-client.ts'
import { defineScript } from '../../storage/redis-script.ts'
import { dayOf, monthOf } from '../usage-reading.ts'
import { type BudgetStore, type BudgetVerdict, RESERVATION_MS, UNSETTLED } from './budget-store.ts'
import type { CostCount } from './cost-rows.ts'

/** Beyond the end of its month, long enough for the ledger to have it. */
const MONTH_LIFE_MS = 40 * 86_400_000
const LATE_COUNTS_MS = 3 * 86_400_000
const COUNTS_A_SCRIPT = 500
/** How often the nodes together read the counts, roughly. */
const TURN_MS = 4_500

/** Nodes that can connect do so within a second. */
const GRACE_MS = 3_000
const REPORT_AGAIN_MS = 500

const GRANTED = 1
const VERDICTS: Record<number, BudgetVerdict> = { 0: 'unknown', 1: 'granted', 2: 'promised', 3: 'spent' }

const RAISE = `
local function raise(total, field, value)
  local known = tonumber(redis.call('HGET', KEYS[1], field) or 0)
  if tonumber(value) > known then
    redis.call('HSET', KEYS[1], field, value)
    redis.call('HINCRBY', KEYS[1], total, value - known)
  end
end
`

/**
 * KEYS: month, open reservations. ARGV: id, cap of calls or '', cap of micros or '', price of a call, today.
 * A reservation that was never settled has become a count of its own.
 */
const reserveScript = (clock: string): string => `${RAISE}
local now = ${clock}
local told = redis.call('HGET', KEYS[1], 'told')
if not told then return 0 end
if tonumber(told) > now then return 2 end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  raise('calls', 'c:' .. ARGV[5] .. ':${UNSETTLED}' .. id, 1)
  raise('micros', 'm:' .. ARGV[5] .. ':${UNSETTLED}' .. id, ARGV[4])
  redis.call('ZREM', KEYS[2], id)
end
local calls, micros = unpack(redis.call('HMGET', KEYS[1], 'calls', 'micros'))
local function fits(promised)
  return (ARGV[2] == '' or (calls or 0) + promised + 1 <= tonumber(ARGV[2]))
    and (ARGV[3] == '' or (micros or 0) + (promised + 1) * ARGV[4] <= tonumber(ARGV[3]))
end
if not fits(redis.call('ZCARD', KEYS[2])) then return fits(0) and 2 or 3 end
redis.call('ZADD', KEYS[2], now + ${RESERVATION_MS * 1_000}, ARGV[1])
redis.call('PEXPIRE', KEYS[2], ${2 * RESERVATION_MS})
return 1
`

const RAISE_ALL = `${RAISE}
local function raiseFrom(first)
  for i = first, #ARGV, 3 do
    raise('calls', 'c:' .. ARGV[i], ARGV[i + 1])
    raise('micros', 'm:' .. ARGV[i], ARGV[i + 2])
  end
  redis.call('PEXPIRE', KEYS[1], ${MONTH_LIFE_MS})
end
`

/** KEYS: month, open reservations. ARGV: id, and for a billed call: day and process, calls, micros. */
const SETTLE = defineScript(`${RAISE_ALL}
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] then raiseFrom(2) end
`)

/**
 * KEYS: month. ARGV: '1' when this is the last of what is known, run of the server, how long to admit nothing in a new
 * one, and of each count: day and process, calls, micros. `told` becomes the time from which on calls are admitted.
 */
const learnScript = (clock: string): string => `${RAISE_ALL}
if ARGV[1] == '1' then
  local isNew = redis.call('HGET', KEYS[1], 'run') ~= ARGV[2]
  local opens = isNew and tonumber(ARGV[3]) > 0 and string.format('%.0f', ${clock} + ARGV[3]) or '1'
  if isNew then redis.call('HSET', KEYS[1], 'run', ARGV[2], 'told', opens) else redis.call('HSETNX', KEYS[1], 'told', 1) end
end
raiseFrom(4)
return 1
`

/**
 * KEYS: month, open reservations. ARGV: node, run of the server, how many reservations it has and how many it knows of
 * others, the id and the rest of the life of each, and counts. A node knows best what it has reserved, so what others say
 * of it counts only until it has reported on this run of the server itself.
 */
const reportScript = (clock: string): string => `${RAISE_ALL}
local now = ${clock}
local own, all = tonumber(ARGV[3]), ARGV[3] + ARGV[4]
local function nodeOf(id) return string.match(id, '^[^:]*:') end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  if nodeOf(id) == ARGV[1] then redis.call('ZREM', KEYS[2], id) end
end
redis.call('HSET', KEYS[1], 'node:' .. ARGV[1], ARGV[2])
for i = 1, all do
  local id, rest = ARGV[3 + 2 * i], ARGV[4 + 2 * i]
  if i <= own or redis.call('HGET', KEYS[1], 'node:' .. nodeOf(id)) ~= ARGV[2] then
    redis.call('ZADD', KEYS[2], now + rest, id)
  end
end
if all > 0 then redis.call('PEXPIRE', KEYS[2], ${2 * RESERVATION_MS}) end
raiseFrom(5 + 2 * all)
return 1
`

interface RedisBudgetParts {
  redis: RedisClient
  clock: () => number
  /** A Lua expression for Redis' time in microseconds. */
  luaClock: string
  prefix: string
  /** What the ids of this node's reservations begin with. */
  node: string
}

export function createRedisBudgetStore(parts: RedisBudgetParts): BudgetStore {
  const { redis, clock, luaClock, prefix, node } = parts
  const reserve = defineScript(reserveScript(luaClock))
  const learn = defineScript(learnScript(luaClock))
  const reportSpending = defineScript(reportScript(luaClock))
  const { monthKey, openKey } = namesWith(prefix)
  const release = ({ provider, id }: { provider: string; id: string }) =>
    void redis.evaluate(SETTLE, [monthKey(provider, 'none'), openKey(provider)], [id])
  /** Reservations that were not answered. They may have been made. */
  const unanswered: { provider: string; id: string }[] = []

  /** The months that this node has reported over the current connection. */
  let told = new Set<string>()
  let wasLost = false
  redis.onReady(() => {
    told = new Set()
    wasLost = true
    // The connection is ready as soon as this returns.
    queueMicrotask(() => void report())
  })

  const own = createKnownSpending(clock)
  async function report(): Promise<void> {
    const reports = own.all().map(({ provider, month, values }) => {
      const key = monthKey(provider, month)
      return redis.evaluate(reportSpending, [key, openKey(provider)], [node, redis.run(key), ...values])
    })
    const isKnown = !(await Promise.all(reports)).includes(undefined)
    if (!isKnown && !redis.isAway()) setTimeout(() => void report(), REPORT_AGAIN_MS).unref()
  }

  return {
    async reserve({ provider, month, id, settings }) {
      const key = monthKey(provider, month)
      if (redis.isAway(key)) return undefined
      if (!told.has(key)) return 'unknown'
      const { callsPerMonth = '', microsPerMonth = '', pricePerCallMicros } = settings
      const values = [id, callsPerMonth, microsPerMonth, pricePerCallMicros, dayOf(clock())]
      for (const reservation of unanswered.splice(0)) release(reservation)
      const code = await redis.evaluate(reserve, [key, openKey(provider)], values)
      if (code === undefined) unanswered.push({ provider, id })
      if (code === GRANTED) own.reserve(provider, id)
      return code === undefined ? undefined : VERDICTS[Number(code)]
    },
    settle({ provider, id }, count) {
      own.settle({ provider, id }, count)
      const news = count ? newsOf(count) : []
      // A release has no month to change.
      const key = monthKey(provider, count?.day.slice(0, 7) ?? 'none')
      void redis.evaluate(SETTLE, [key, openKey(provider)], [id, ...news])
    },
    async learn(provider, month, counts) {
      const key = monthKey(provider, month)
      const toldBefore = told
      const since = [redis.run(key), wasLost ? GRACE_MS * 1_000 : 0]
      for (let i = 0; i < Math.max(1, counts.length); i += COUNTS_A_SCRIPT) {
        const isLast = i + COUNTS_A_SCRIPT >= counts.length
        const news = counts.slice(i, i + COUNTS_A_SCRIPT).flatMap(newsOf)
        const reply = await redis.evaluate(learn, [key], [isLast ? '1' : '', ...since, ...news])
        if (reply === undefined) return false
      }
      // If the connection broke in the meantime, the server may know nothing of this.
      toldBefore.add(key)
      return true
    },
    counts: createCountsReader(parts, own),
  }
}

const namesWith = (prefix: string) => ({
  monthKey: (provider: string, month: string) => `${prefix}{provider:${provider}}:budget:${month}`,
  openKey: (provider: string) => `${prefix}{provider:${provider}}:budget:open`,
})

function createCountsReader(parts: RedisBudgetParts, spending: KnownSpending): BudgetStore['counts'] {
  const { redis, clock, prefix, node } = parts
  const { monthKey, openKey } = namesWith(prefix)

  async function readOthersReservations(provider: string): Promise<void> {
    const ids = await redis.send('ZRANGE', openKey(provider), 0, -1)
    if (!Array.isArray(ids)) return
    spending.othersHave(
      provider,
      ids.map(String).filter((id) => !id.startsWith(node)),
    )
  }

  async function readCounts(provider: string, month: string): Promise<CostCount[]> {
    const hash = await redis.send('HGETALL', monthKey(provider, month))
    return countsOf(provider, Array.isArray(hash) ? hash.map(String) : [])
  }

  return async (providers, isForced) => {
    await Promise.all(providers.map(readOthersReservations))
    const isOurs = await redis.send('SET', `${prefix}costs:lease`, '1', 'PX', TURN_MS, 'NX')
    if (isOurs !== 'OK' && !isForced) return []
    const months = new Set([monthOf(clock()), monthOf(clock() - LATE_COUNTS_MS)])
    const questions = providers.flatMap((provider) => [...months].map((month) => readCounts(provider, month)))
    return (await Promise.all(questions)).flat()
  }
}

type KnownSpending = ReturnType<typeof createKnownSpending>

/** What this node has reserved and not settled, what the others had reserved a moment ago, and what it has counted last. */
function createKnownSpending(clock: () => number) {
  const providers = new Map<string, Spending>()
  const of = (provider: string): Spending => {
    const known = providers.get(provider) ?? { open: new Map(), others: new Map(), counts: new Map() }
    providers.set(provider, known)
    return known
  }
  return {
    reserve: (provider: string, id: string) => void of(provider).open.set(id, clock() + RESERVATION_MS),
    settle({ provider, id }: { provider: string; id: string }, count: CostCount | undefined): void {
      const { open, counts } = of(provider)
      open.delete(id)
      if (!count) return
      counts.set(count.day, count)
      // Today and yesterday are enough: PostgreSQL has the rest.
      const [latest = ''] = [...counts.keys()].sort((one, other) => (one < other ? 1 : -1)).slice(1, 2)
      for (const day of counts.keys()) if (day < latest) counts.delete(day)
    },
    othersHave(provider: string, ids: readonly string[]): void {
      const { others } = of(provider)
      const until = clock() + RESERVATION_MS
      of(provider).others = new Map(ids.map((id) => [id, others.get(id) ?? until]))
    },
    /** What the script that reports it is given. */
    all: () => [...providers].flatMap(([provider, spending]) => reportsOf({ provider, ...spending }, clock())),
  }
}

interface Spending {
  /** When a reservation ends, by its id. */
  open: Map<string, number>
  others: Map<string, number>
  /** By day. */
  counts: Map<string, CostCount>
}

function reportsOf({ provider, open, others, counts }: Spending & { provider: string }, now: number) {
  const byMonth = Map.groupBy(counts.values(), ({ day }) => day.slice(0, 7))
  const reserved = [...open, ...others].flatMap(([id, until]) => [id, Math.max(1, until - now) * 1_000])
  return [...new Set([monthOf(now), ...byMonth.keys()])].map((month) => {
    const counted = (byMonth.get(month) ?? []).flatMap(newsOf)
    return { provider, month, values: [open.size, others.size, ...reserved, ...counted] }
  })
}

const newsOf = ({ day, source, calls, micros }: CostCount) => [`${day}:${source}`, calls, micros]

/** A field is `c:<day>:<process>` or `m:<day>:<process>`. */
function countsOf(provider: string, flat: string[]): CostCount[] {
  const hash = new Map<string, string>()
  for (let at = 0; at < flat.length; at += 2) hash.set(flat[at] ?? '', flat[at + 1] ?? '')
  return [...hash].flatMap(([field, calls]) => {
    if (!field.startsWith('c:')) return []
    const [day, source] = [field.slice(2, 12), field.slice(13)]
    return [{ provider, day, source, calls: Number(calls), micros: Number(hash.get(`m:${day}:${source}`) ?? 0) }]
  })
}
