// Admits a request or throws the 429: checks the limits of its key, spends them, counts the usage, and writes the
// RateLimit headers.
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ConsumeVerdict, LimitName, Limits, RateLimiter, UserLimits } from '../../limits/rate-limiter.ts'
import { limitsOf, rateLimit, rateLimitPolicy, refusalOf } from './rate-limit.ts'

interface AdmissionParts {
  rateLimiter: Pick<RateLimiter, 'consume'>
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

/** `endpoint` is the name under which the usage is counted, if it is. */
export type Admit = (key: VerifiedKey, reply: WithHeaders, endpoint: string | undefined) => Promise<ConsumeVerdict>

export function createAdmission({ rateLimiter, limits: defaults, userLimits, countRefusal }: AdmissionParts): Admit {
  return async (key, reply, endpoint) => {
    const limits = limitsOf(key, defaults)
    const user = userLimits && { id: key.userId, limits: userLimits }
    const verdict = await rateLimiter.consume({ caller: key.keyId, limits, endpoint, user })
    reply.header('RateLimit-Policy', rateLimitPolicy(limits))
    reply.header('RateLimit', rateLimit(verdict))
    if (verdict.refusedBy) countRefusal(verdict.refusedBy)
    const refusal = refusalOf(verdict)
    if (refusal) throw refusal
    return verdict
  }
}
