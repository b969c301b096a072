// Combines a provider's two rate limits: one per second, which a call may wait for, and a daily quota, which it never
// waits for. The first is acquired first: a call that the quota then refuses has only used a slot of this second,
// whereas in the other order it would have used up a call of the day.
import type { AcquireVerdict } from './memory-upstream-rate-limit.ts'
import type { Permit, UpstreamRateLimit } from './upstream-rate-limit.ts'

export function bothLimits(
  perSecond: UpstreamRateLimit | undefined,
  quota: UpstreamRateLimit | undefined,
): UpstreamRateLimit | undefined {
  if (!quota) return perSecond
  return { createPermit: () => bothPermits(perSecond?.createPermit(), quota.createPermit()) }
}

function bothPermits(turn: Permit | undefined, share: Permit): Permit {
  return {
    async tryAcquire(maxWaitMs) {
      const verdict = await turn?.tryAcquire(maxWaitMs)
      if (verdict?.go === false) return verdict
      const allowed = await share.tryAcquire(0)
      if (!allowed.go) turn?.release()
      return spentIfRefused(allowed)
    },
    release() {
      turn?.release()
      share.release()
    },
  }
}

const spentIfRefused = (verdict: AcquireVerdict): AcquireVerdict =>
  verdict.go ? verdict : { ...verdict, isSpent: true }
