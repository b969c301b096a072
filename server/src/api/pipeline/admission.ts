// Admits a request or throws the 429: checks the limits of its key, counts the request against them, and writes the
// RateLimit headers. The usage of an admitted request is counted when its reply is sent.

import { Refusal } from '../../errors.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type {
  ConsumeVerdict,
  LimitName,
  LimitStates,
  Limits,
  Rate,
  RateLimiter,
  UserLimits,
} from '../../rate-limit/rate-limiter.ts'
import { dayOf } from '../../text/utc-day.ts'
import type { Usage } from '../../usage/usage.ts'

interface AdmissionParts {
  rateLimiter: Pick<RateLimiter, 'consume'>
  usage: Pick<Usage, 'count'>
  /** The instance's limits; a key may have its own. */
  limits: Limits
  /** Limits for all keys of a user together, if the operator has set any. */
  userLimits: UserLimits | undefined
  /** Called when a limit refuses a request, for the metrics. */
  countRefusal: (limit: LimitName) => void
  clock: () => number
}

/** The part of a reply that takes headers. */
interface WithHeaders {
  header: (name: string, value: string) => unknown
}

/** A request within its limits. Only the first call of `count` or `giveBack` has an effect. */
export interface Admission extends LimitStates {
  /** Counts the request in its key's usage; for when the head of a 2xx reply has been sent. */
  count: () => void
  /** Takes the request back from the monthly caps; for when it has failed. */
  giveBack: () => void
}

/** `endpoint` is the name under which usage is counted; undefined: the request isn't counted. */
export type Admit = (key: VerifiedKey, reply: WithHeaders, endpoint: string | undefined) => Promise<Admission>

export function createAdmission(parts: AdmissionParts): Admit {
  const { rateLimiter, usage, limits: defaults, userLimits, countRefusal, clock } = parts
  return async (key, reply, endpoint) => {
    const limits = limitsOf(key, defaults)
    const user = userLimits && { id: key.userId, limits: userLimits }
    const counts = endpoint !== undefined
    const verdict = await rateLimiter.consume({ subject: key.keyId, limits, counts, user })
    reply.header('RateLimit-Policy', rateLimitPolicyHeader(limits))
    reply.header('RateLimit', rateLimitHeader(verdict))
    if (verdict.refusedBy) countRefusal(verdict.refusedBy)
    const refusal = refusalOf(verdict, clock)
    if (refusal) throw refusal
    let isSettled = !counts
    const settle = (how: () => void) => {
      if (!isSettled) how()
      isSettled = true
    }
    return {
      burst: verdict.burst,
      sustained: verdict.sustained,
      count: () => settle(() => usage.count(key.keyId, endpoint ?? '')),
      giveBack: () => settle(verdict.giveBack),
    }
  }
}

// The limits as a client sees them: the RateLimit headers of every authenticated reply, and the 429. The number of
// seconds is the same in `detail`, Retry-After and RateLimit, and after that time a request is accepted.

export const limitsOf = (key: VerifiedKey, defaults: Limits): Limits =>
  key.burst || key.sustained
    ? {
        burst: key.burst ?? defaults.burst,
        sustained: key.sustained ?? defaults.sustained,
        monthlyCap: defaults.monthlyCap,
      }
    : defaults

const seconds = (rate: Rate): number => Math.ceil(rate.windowMs / 1000)

export const rateLimitPolicyHeader = ({ burst, sustained }: Limits): string =>
  `"burst";q=${burst.count};w=${seconds(burst)}, "sustained";q=${sustained.count};w=${seconds(sustained)}`

/** The limit that refused comes first, with the wait it requires. */
export function rateLimitHeader({ burst, sustained, refusedBy, retryAfterSeconds }: ConsumeVerdict): string {
  const burstState = `"burst";r=${burst.remaining};t=${burst.resetSeconds}`
  const sustainedState = `"sustained";r=${sustained.remaining};t=${sustained.resetSeconds}`
  if (!refusedBy) return `${burstState}, ${sustainedState}`
  const refusingState = `"${refusedBy}";r=0;t=${retryAfterSeconds}`
  if (refusedBy === 'burst') return `${refusingState}, ${sustainedState}`
  return refusedBy === 'sustained'
    ? `${refusingState}, ${burstState}`
    : `${refusingState}, ${burstState}, ${sustainedState}`
}

export const throttled = (code: 'rate_limited' | 'wrong_keys_limited', wait: number): Refusal =>
  new Refusal(code, `Request was throttled. Expected available in ${wait} seconds.`, { 'Retry-After': String(wait) })

const HALF_A_DAY_MS = 43_200_000

function refusalOf({ refusedBy, retryAfterSeconds }: ConsumeVerdict, clock: () => number): Refusal | undefined {
  if (!refusedBy) return undefined
  if (refusedBy !== 'month' && refusedBy !== 'user-month') return throttled('rate_limited', retryAfterSeconds)
  const who = refusedBy === 'month' ? 'API key' : 'account'
  // Redis counted the seconds, and its clock may differ a little from ours.
  const day = dayOf(clock() + retryAfterSeconds * 1_000 + HALF_A_DAY_MS)
  const detail = `This ${who} has reached its monthly search cap. The cap resets on ${day} at 00:00 UTC, in ${retryAfterSeconds} seconds.`
  return new Refusal('monthly_cap_reached', detail, { 'Retry-After': String(retryAfterSeconds) })
}
