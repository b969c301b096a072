// Two rate limits of one provider that must both let a call through: one by the second, for which a call may wait, and a
// quota for the day, for which it never does. The former is asked first: a call that the quota then refuses has only
// taken a turn of this second, whereas the other way round it would have used up a call of the day.
import type { Permit, UpstreamRateLimit } from '../limits/upstream-rate-limit.ts'

export function bothLimits(
  perSecond: UpstreamRateLimit | undefined,
  quota: UpstreamRateLimit | undefined,
): UpstreamRateLimit | undefined {
  if (!perSecond || !quota) return perSecond ?? quota
  return { createPermit: () => bothPermits(perSecond.createPermit(), quota.createPermit()) }
}

function bothPermits(turn: Permit, share: Permit): Permit {
  return {
    async tryAcquire(maxWaitMs) {
      const verdict = await turn.tryAcquire(maxWaitMs)
      if (!verdict.go) return verdict
      const allowed = await share.tryAcquire(0)
      if (!allowed.go) turn.release()
      return allowed
    },
    release() {
      turn.release()
      share.release()
    },
  }
}
