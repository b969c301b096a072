// The health of every provider as all nodes share it: one hash in Redis for each, changed only by the script below, so
// that failures seen by different nodes count together and exactly one node learns that it made a transition.
// The rules are those of `upstream/health.ts`; a test holds the two together.
//
// An observation carries the moment it was made, because a server that was frozen runs it late: what is older than the
// last one applied changes nothing. A moment ahead of Redis' own clock is taken as now, so that a node whose clock is
// fast does not make all others look late.
import type { Redis } from 'ioredis'
import type { RedisLink } from '../state/redis-link.ts'
import { REDIS_CLOCK } from '../limits/consume-script.ts'

type State = 'up' | 'down' | 'unknown'

/** `upstream/health.ts` says what it means. */
interface StoredHealth {
  state: State
  checkedAt: number | undefined
  lastOkAt: number | undefined
  lastError: string
  consecutiveFailures: number
}

interface Sighting {
  /** Milliseconds since 1970. */
  at: number
  /** What is to be told of the failure; '' is a success. */
  error: string
  /**
   * What the node believed before. It stands in for a hash that Redis has lost, or that is older because Redis was
   * away, so that neither is taken for a transition.
   */
  known: StoredHealth | undefined
}

/** What became of an observation. It was a transition when `from` is not the state that it led to. */
interface Sighted {
  from: State
  health: StoredHealth
}

export interface HealthStore {
  /** `undefined`: Redis is away. */
  apply: (key: string, sighting: Sighting) => Promise<Sighted | undefined>
  /** One for each key, in that order; all `undefined` while Redis is away. */
  load: (keys: readonly string[]) => Promise<(StoredHealth | undefined)[]>
}

const SCRIPT = `
local now = math.floor(${REDIS_CLOCK} / 1000)
local at = math.min(tonumber(ARGV[1]), now)
local failure = ARGV[2]

local before = redis.call('HMGET', KEYS[1], 'state', 'checkedAt', 'lastOkAt', 'lastError', 'failures')
if ARGV[4] ~= '' then
  local knownAt = math.min(tonumber(ARGV[4]), now)
  if not before[1] or knownAt > tonumber(before[2]) then
    before = {ARGV[3], string.format('%.0f', knownAt), ARGV[5], ARGV[6], ARGV[7]}
  end
end

local from = before[1] or 'unknown'
if before[1] and at < tonumber(before[2]) then
  return {from, unpack(before)}
end

local failures, state, lastOkAt = 0, 'up', string.format('%.0f', at)
if failure ~= '' then
  failures = tonumber(before[5] or 0) + 1
  lastOkAt = before[3] or ''
  if from ~= 'up' or failures >= 2 then state = 'down' end
end
local after = {state, string.format('%.0f', at), lastOkAt, failure, failures}
redis.call('HSET', KEYS[1], 'state', after[1], 'checkedAt', after[2], 'lastOkAt', after[3], 'lastError', after[4],
  'failures', after[5])
redis.call('PEXPIRE', KEYS[1], ARGV[8])
return {from, unpack(after)}`

/** A provider that nobody has asked for so long may as well be unknown; one that was removed leaves nothing behind. */
const LIFE_MS = 30 * 86_400_000
const KEPT_FIELDS = ['state', 'checkedAt', 'lastOkAt', 'lastError', 'failures'] as const

interface Scripts {
  bowerbirdSight: (...keyAndArguments: (string | number)[]) => Promise<(string | number)[]>
}

// `defineCommand` adds the method at run time, which the client's type cannot know.
const scripts = (client: Redis) => client as Redis & Scripts

export function createHealthStore(redis: RedisLink | undefined, prefix = 'bb:'): HealthStore {
  redis?.client.defineCommand('bowerbirdSight', { lua: SCRIPT, numberOfKeys: 1 })
  const keyOf = (key: string) => `${prefix}health:${key}`
  return {
    async apply(key, { at, error, known }) {
      const reply = await redis?.attempt((client) =>
        scripts(client).bowerbirdSight(keyOf(key), at, error, ...argumentsOf(known), LIFE_MS),
      )
      if (!reply) return undefined
      const [from, ...fields] = reply
      return { from: stateOf(from), health: healthOf(fields) }
    },
    async load(keys) {
      const read = (client: Redis) => Promise.all(keys.map((key) => client.hmget(keyOf(key), ...KEPT_FIELDS)))
      const replies = await redis?.attempt(read)
      return keys.map((_, i) => (typeof replies?.[i]?.[0] === 'string' ? healthOf(replies[i]) : undefined))
    },
  }
}

const argumentsOf = (known: StoredHealth | undefined): (string | number)[] => [
  known?.state ?? '',
  known?.checkedAt ?? '',
  known?.lastOkAt ?? '',
  known?.lastError ?? '',
  known?.consecutiveFailures ?? 0,
]

const healthOf = ([state, checkedAt, lastOkAt, lastError, failures]: readonly unknown[]): StoredHealth => ({
  state: stateOf(state),
  checkedAt: momentOf(checkedAt),
  lastOkAt: momentOf(lastOkAt),
  lastError: String(lastError),
  consecutiveFailures: Number(failures),
})

const stateOf = (state: unknown): State => (state === 'up' || state === 'down' ? state : 'unknown')
const momentOf = (moment: unknown): number | undefined => (moment === '' ? undefined : Number(moment))
