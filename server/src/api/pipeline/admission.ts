// Admits a request or throws the 429: checks the limits of its key, spends them, and writes the RateLimit headers. What
// is admitted is counted when its reply is sent.
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { LimitName, LimitStates, Limits, RateLimiter, UserLimits } from '../../limits/rate-limiter.ts'
import type { Usage } from '../../limits/usage.ts'
import { limitsOf, rateLimit, rateLimitPolicy, refusalOf } from './rate-limit.ts'

interface AdmissionParts {
  rateLimiter: Pick<RateLimiter, 'consume'>
  usage: Pick<Usage, 'count'>
  /** The instance's limits; a key may have its own. */
  limits: Limits
  /** Of all keys of a user together, if the operator has set any. */
  userLimits: UserLimits | undefined
  /** For the metrics: a limit has refused a request. */
  countRefusal: (limit: LimitName) => void
}

/** What has the headers of the reply. */
interface WithHeaders {
  header: (name: string, value: string) => unknown
}

/** A request that has passed its limits. Of its two calls, the first decides. */
export interface Admission extends LimitStates {
  /** Counts it in the usage of its key: the head of a 2xx reply has been sent. */
  count: () => void
  /** Gives back its share of monthly caps: it has failed. */
  giveBack: () => void
}

/** `endpoint` is the name under which the usage is counted, if it is. */
export type Admit = (key: VerifiedKey, reply: WithHeaders, endpoint: string | undefined) => Promise<Admission>

export function createAdmission(parts: AdmissionParts): Admit {
  const { rateLimiter, usage, limits: defaults, userLimits, countRefusal } = parts
  return async (key, reply, endpoint) => {
    const limits = limitsOf(key, defaults)
    const user = userLimits && { id: key.userId, limits: userLimits }
    const counts = endpoint !== undefined
    const verdict = await rateLimiter.consume({ caller: key.keyId, limits, counts, user })
    reply.header('RateLimit-Policy', rateLimitPolicy(limits))
    reply.header('RateLimit', rateLimit(verdict))
    if (verdict.refusedBy) countRefusal(verdict.refusedBy)
    const refusal = refusalOf(verdict)
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
