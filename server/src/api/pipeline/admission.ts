// Admits a request or throws the 429: checks the limits of its key, spends them, counts the usage, and writes the
// RateLimit headers. What the limits of a key are is worked out once for each key that is cached.
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type {
  ConsumeRequest,
  ConsumeVerdict,
  LimitName,
  Limits,
  RateLimiter,
  UserLimits,
} from '../../limits/rate-limiter.ts'
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

interface KnownKey {
  policy: string
  /** By endpoint: the same object each time, by which a rate limiter recognises what it has prepared. */
  requests: Map<string | undefined, ConsumeRequest>
}

export function createAdmission({ rateLimiter, limits: defaults, userLimits, countRefusal }: AdmissionParts): Admit {
  const defaultPolicy = rateLimitPolicy(defaults)
  const known = new WeakMap<VerifiedKey, KnownKey>()

  function meet(key: VerifiedKey): KnownKey {
    const limits = limitsOf(key, defaults)
    const met = { policy: limits === defaults ? defaultPolicy : rateLimitPolicy(limits), requests: new Map() }
    known.set(key, met)
    return met
  }

  function requestOf(key: VerifiedKey, { requests }: KnownKey, endpoint: string | undefined): ConsumeRequest {
    const before = requests.get(endpoint)
    if (before) return before
    const user = userLimits && { id: key.userId, limits: userLimits }
    const request = { caller: key.keyId, limits: limitsOf(key, defaults), endpoint, user }
    requests.set(endpoint, request)
    return request
  }

  return async (key, reply, endpoint) => {
    const met = known.get(key) ?? meet(key)
    const verdict = await rateLimiter.consume(requestOf(key, met, endpoint))
    reply.header('RateLimit-Policy', met.policy)
    reply.header('RateLimit', rateLimit(verdict))
    if (verdict.refusedBy) countRefusal(verdict.refusedBy)
    const refusal = refusalOf(verdict)
    if (refusal) throw refusal
    return verdict
  }
}
