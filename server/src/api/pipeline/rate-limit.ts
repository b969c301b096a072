// The limits as a client sees them: the RateLimit headers of every authenticated reply, and the 429. The number of
// seconds is the same in `detail`, Retry-After and RateLimit, and waiting that long works.

import { Refusal } from '../../errors.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ConsumeVerdict, Limits, Rate } from '../../rate-limit/rate-limiter.ts'

export const limitsOf = (key: VerifiedKey, defaults: Limits): Limits =>
  key.burst || key.sustained
    ? {
        burst: key.burst ?? defaults.burst,
        sustained: key.sustained ?? defaults.sustained,
        monthlyCap: defaults.monthlyCap,
      }
    : defaults

const seconds = (rate: Rate): number => Math.ceil(rate.windowMs / 1000)

export const rateLimitPolicy = ({ burst, sustained }: Limits): string =>
  `"burst";q=${burst.count};w=${seconds(burst)}, "sustained";q=${sustained.count};w=${seconds(sustained)}`

/** The limit that refused comes first, with the wait it requires. */
export function rateLimit({ burst, sustained, refusedBy, retryAfterSeconds }: ConsumeVerdict): string {
  const first = `"burst";r=${burst.remaining};t=${burst.resetSeconds}`
  const second = `"sustained";r=${sustained.remaining};t=${sustained.resetSeconds}`
  if (!refusedBy) return `${first}, ${second}`
  const refusing = `"${refusedBy}";r=0;t=${retryAfterSeconds}`
  if (refusedBy === 'burst') return `${refusing}, ${second}`
  return refusedBy === 'sustained' ? `${refusing}, ${first}` : `${refusing}, ${first}, ${second}`
}

export const throttled = (wait: number): Refusal =>
  new Refusal(429, `Request was throttled. Expected available in ${wait} seconds.`, { 'Retry-After': String(wait) })

export function refusalOf({ refusedBy, retryAfterSeconds }: ConsumeVerdict): Refusal | undefined {
  if (!refusedBy) return undefined
  if (refusedBy !== 'month' && refusedBy !== 'user-month') return throttled(retryAfterSeconds)
  const who = refusedBy === 'month' ? 'API key' : 'account'
  const detail = `This ${who} has reached its monthly search cap. The cap resets in ${retryAfterSeconds} seconds.`
  return new Refusal(429, detail, { 'Retry-After': String(retryAfterSeconds) })
}
