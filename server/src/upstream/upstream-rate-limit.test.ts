import { START, upstreamRateLimitRules } from './upstream-rate-limit.test-rules.ts'
import { createUpstreamRateLimits } from './upstream-rate-limit.ts'

upstreamRateLimitRules(
  'in the process',
  (rate) => {
    const time = { now: START }
    const node = createUpstreamRateLimits({ redis: undefined, clock: () => time.now })('brave', rate)
    return {
      join: () => node.createPermit(),
      time,
      async wait(ms) {
        time.now += ms
      },
    }
  },
  60,
)
