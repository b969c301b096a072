// The limits of those who search on the website, signed in or not.
import { createNetworkThrottle } from './network-throttle.ts'
import type { Limits, Rate, RateLimiter } from './rate-limiter.ts'

/** The limit that a page counts against. One search causes many suggestions and pictures, so their limits are higher. */
export type Quota = 'search' | 'suggestion' | 'picture' | 'status'

/** Checks and consumes a searcher's limits; returns the seconds to wait, 0 for none. */
export type ConsumeQuota = (searcher: string, quota: Quota, address?: string) => Promise<number>

/**
 * Multiples of one network's limits that apply, on each node, to its /56, its /48 and all visitors together. The 0 is
 * the network itself, which all nodes limit together.
 */
const WIDER_FACTORS = { networks: [0, 4, 16], everyone: 1_000 }

/** Gives each website searcher the limits of a key, and multiples of them for requests that one search triggers. */
export function createSearcherLimits(
  rateLimiter: Pick<RateLimiter, 'consume'>,
  { burst, sustained }: Pick<Limits, 'burst' | 'sustained'>,
): ConsumeQuota {
  const times = ({ count, windowMs }: Rate, factor: number): Rate => ({ count: count * factor, windowMs })
  const ratesFor = (factor: number) => (factor === 0 ? [] : [times(burst, factor), times(sustained, factor)])
  const quotaOf = (multiple: number) => {
    const limits: Limits = {
      burst: times(burst, multiple),
      sustained: times(sustained, multiple),
      monthlyCap: undefined,
    }
    const networks = WIDER_FACTORS.networks.map((factor) => ratesFor(multiple * factor))
    const throttle = createNetworkThrottle({ networks, everyone: ratesFor(multiple * WIDER_FACTORS.everyone) }, () =>
      performance.now(),
    )
    return { limits, throttle }
  }
  // Typing requests suggestions, and a results page loads many pictures.
  const quotas = { search: quotaOf(1), suggestion: quotaOf(10), picture: quotaOf(100), status: quotaOf(1) }
  return async (searcher, quota, address) => {
    const { limits, throttle } = quotas[quota]
    const wait = address === undefined ? 0 : throttle.waitOf(address)
    if (wait > 0) return wait
    const subject = `site ${quota} ${searcher}`
    const { refusedBy, retryAfterSeconds } = await rateLimiter.consume({ subject, limits, counts: false })
    if (refusedBy) return retryAfterSeconds
    if (address !== undefined) throttle.record(address)
    return 0
  }
}
