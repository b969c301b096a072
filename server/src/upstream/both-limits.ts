// Two rate limits of one provider that must both let a call through: one by the second, for which a call may wait, and a
// quota for the day, for which it never does. The former is asked first: a call that the quota then refuses has only
// taken a turn of this second, whereas the other way round it would have used up a call of the day.
import type { AcquireVerdict } from '../limits/memory-upstream-rate-limit.ts'
import type { Permit, UpstreamRateLimit } from '../limits/upstream-rate-limit.ts'

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
