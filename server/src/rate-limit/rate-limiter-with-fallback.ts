// The rate limiter of an instance: Redis while it is available, otherwise this process alone, switching without a delay
// or an error. The local fallback records every admission with the time of the request. So it knows what this node has
// let through, and never asks for a longer wait than Redis would have.
//
// When Redis comes back, it decides alone again. It doesn't know what the nodes admitted without it, and may have lost
// its data, so a key can exceed its limits across an outage.
import type { RedisClient } from '../redis/redis-client.ts'
import { REDIS_CLOCK } from './consume-script.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import type { LoadMonthUsage, RateLimiter } from './rate-limiter.ts'
import { createRedisRateLimiter } from './redis-rate-limiter.ts'

export interface RateLimiterWithFallback extends RateLimiter {
  /** How many requests were limited locally because Redis was unavailable. */
  localDecisions: () => number
}

interface RateLimiterParts {
  redis: RedisClient | undefined
  clock: () => number
  loadMonthUsage: LoadMonthUsage
}

export function createRateLimiter({ redis, clock, loadMonthUsage }: RateLimiterParts): RateLimiterWithFallback {
  const fallback = createMemoryRateLimiter({ clock, loadMonthUsage })
  if (!redis) return { ...fallback, localDecisions: () => 0 }
  const shared = createRedisRateLimiter({ redis, clock, luaClock: REDIS_CLOCK, prefix: 'bb:', loadMonthUsage })
  let localDecisions = 0

  return {
    localDecisions: () => localDecisions,
    async consume(request) {
      const askedAt = clock()
      const verdict = await shared.consume(request)
      if (!verdict) {
        localDecisions++
        return await fallback.consume(request)
      }
      if (!verdict.refusedBy) fallback.note(request, askedAt)
      return verdict
    },
    peek: async (request) => (await shared.peek(request)) ?? (await fallback.peek(request)),
  }
}
