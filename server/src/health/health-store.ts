// The health of every provider, shared by all nodes: one Redis hash per provider, changed only by the script below, so
// that failures seen by different nodes add up and exactly one node learns that it caused a transition. Without Redis,
// a node applies the same rules with `observe`; a test keeps the two in step.
//
// The first observation decides. Going from `up` to `down` takes two failures in a row, so that one dropped connection
// causes no alarm; a single success makes it `up` again. Observations that say nothing about the provider change
// nothing.
//
// An observation carries its own time, because a frozen Redis server runs the script late: an observation older than
// the last one applied changes nothing. A time ahead of Redis' own clock is treated as now, so that a node with a fast
// clock doesn't make all others look late.
import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import { REDIS_CLOCK } from '../rate-limit/consume-script.ts'
import { defineScript, type RedisClient } from '../redis/redis-client.ts'

export interface ProviderHealth {
  state: 'up' | 'down' | 'unknown'
  /** Milliseconds since 1970 of the last observation that counted. */
  checkedAt: number | undefined
  lastOkAt: number | undefined
  /** Our own wording, never upstream's; '' if the last observation was a success. */
  lastError: string
  consecutiveFailures: number
}

type State = ProviderHealth['state']

interface StoredObservation {
  /** Milliseconds since 1970. */
  at: number
  /** Our own text for the failure; '' for a success. */
  error: string
  /**
   * The node's previous view. It replaces a hash that Redis has lost, or that is out of date because Redis was
   * unavailable, so that neither is mistaken for a transition.
   */
  known: ProviderHealth | undefined
}

/** The result of an observation. It was a transition if `from` differs from the resulting state. */
interface ObservationOutcome {
  from: State
  health: ProviderHealth
}

export interface HealthStore {
  /** `undefined` if Redis is unavailable. */
  apply: (key: string, observation: StoredObservation) => Promise<ObservationOutcome | undefined>
  /** One for each key, in that order; all `undefined` while Redis is unavailable. */
  load: (keys: readonly string[]) => Promise<(ProviderHealth | undefined)[]>
}

const OBSERVE = defineScript(`
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
return {from, unpack(after)}`)

/** A provider unused for this long may as well be unknown, and a removed one leaves nothing behind. */
const LIFE_MS = 30 * 86_400_000
const FIELDS = ['state', 'checkedAt', 'lastOkAt', 'lastError', 'failures'] as const

export function createHealthStore(redis: RedisClient | undefined, prefix = 'bb:'): HealthStore {
  const keyOf = (key: string) => `${prefix}health:${key}`
  return {
    async apply(key, { at, error, known }) {
      const reply = await redis?.evaluate(OBSERVE, [keyOf(key)], [at, error, ...argumentsOf(known), LIFE_MS])
      if (!Array.isArray(reply)) return undefined
      const [from, ...fields] = reply
      return { from: stateOf(from), health: healthOf(fields) }
    },
    async load(keys) {
      const replies = await Promise.all(keys.map(async (key) => redis?.send('HMGET', keyOf(key), ...FIELDS)))
      return replies.map((fields) =>
        Array.isArray(fields) && typeof fields[0] === 'string' ? healthOf(fields) : undefined,
      )
    },
  }
}

const argumentsOf = (known: ProviderHealth | undefined): (string | number)[] => [
  known?.state ?? '',
  known?.checkedAt ?? '',
  known?.lastOkAt ?? '',
  known?.lastError ?? '',
  known?.consecutiveFailures ?? 0,
]

const healthOf = ([state, checkedAt, lastOkAt, lastError, failures]: readonly unknown[]): ProviderHealth => ({
  state: stateOf(state),
  checkedAt: timeOf(checkedAt),
  lastOkAt: timeOf(lastOkAt),
  lastError: String(lastError),
  consecutiveFailures: Number(failures),
})

const stateOf = (state: unknown): State => (state === 'up' || state === 'down' ? state : 'unknown')
const timeOf = (moment: unknown): number | undefined => (moment === '' ? undefined : Number(moment))

/** The second form is an UpstreamError with `ok: false` added. */
export type Observation =
  | { ok: true }
  | { ok: false; kind: UpstreamErrorKind; isQueryFault?: boolean; hasReplied?: boolean; isProxyFault?: boolean }

/** Why a provider was up or down: the kind of the error, but with server errors and faults of the proxy separate. */
type Reason = 'ok' | 'serverError' | 'proxy' | UpstreamErrorKind

export const reasonOf = (outcome: Observation): Reason => {
  if (outcome.ok) return 'ok'
  if (outcome.isProxyFault) return 'proxy'
  return outcome.kind === 'unreachable' && outcome.hasReplied ? 'serverError' : outcome.kind
}

const FAILURES_TO_BE_DOWN = 2

const ERROR_TEXTS: Record<Reason, string> = {
  ok: '',
  timeout: 'The provider did not respond in time.',
  unreachable: 'The connection to the provider failed.',
  serverError: 'The provider responded with a server error.',
  proxy: 'The outgoing proxy did not connect to the provider.',
  throttled: 'The provider is throttling this instance.',
  blocked: 'The provider is blocking this instance.',
  guarded: 'The address of the provider is a private one.',
  rejected: 'The provider rejected the request; its key or settings may be wrong.',
  malformed: 'The response could not be read.',
  overBudget: '',
  open: '',
  busy: '',
}

const NOTHING_OBSERVED: ProviderHealth = {
  state: 'unknown',
  checkedAt: undefined,
  lastOkAt: undefined,
  lastError: '',
  consecutiveFailures: 0,
}

/** How an observation changes the health of a provider. Pure. */
export const observe = (previous: ProviderHealth | undefined, outcome: Observation, at: number): ProviderHealth => {
  const before = previous ?? NOTHING_OBSERVED
  if (outcome.ok) return { state: 'up', checkedAt: at, lastOkAt: at, lastError: '', consecutiveFailures: 0 }
  // A bad query isn't the provider's fault, and a call that was never made says nothing.
  const lastError = ERROR_TEXTS[reasonOf(outcome)]
  if (outcome.isQueryFault || lastError === '') return before

  const consecutiveFailures = before.consecutiveFailures + 1
  const staysUp = before.state === 'up' && consecutiveFailures < FAILURES_TO_BE_DOWN
  return {
    state: staysUp ? 'up' : 'down',
    checkedAt: at,
    lastOkAt: before.lastOkAt,
    lastError,
    consecutiveFailures,
  }
}
