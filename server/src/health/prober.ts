// Active health checks, for providers that too few searches use. One node at a time runs them: the holder of the lease.
// The lease lasts one period and is checked four times in that period, so if the holder dies, another node takes over
// within two periods.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Log } from '../log.ts'
import type { NodeLease } from '../redis/node-lease.ts'
import type { ProviderStatusBoard } from './provider-status.ts'

export interface Probe {
  provider: string
  group: string
  /** Rejects with an UpstreamError if the provider is not healthy. Limits its own time. */
  check: () => Promise<void>
}

interface ProberParts {
  probes: () => readonly Probe[]
  lease: NodeLease
  record: ProviderStatusBoard['record']
  everyMs: number
  clock: () => number
  log: Log
}

const LEASE_CHECKS_PER_PERIOD = 4

/** Starts immediately. The returned function stops it, waits for checks in progress and releases the lease. */
export function startProber({ probes, lease, record, everyMs, clock, log }: ProberParts): () => Promise<void> {
  const leaseCheckMs = everyMs / LEASE_CHECKS_PER_PERIOD
  const underWay = new Map<Probe, Promise<void>>()
  let lastRoundAt: number | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let checkingLease = checkLease()

  async function checkLease(): Promise<void> {
    const isOurs = await lease.hold(everyMs)
    if (isStopped) return
    if (!isOurs) lastRoundAt = undefined
    // Timers are never exact, so up to half an interval early counts as on time.
    else if (lastRoundAt === undefined || clock() - lastRoundAt >= everyMs - leaseCheckMs / 2) startRound()
    timer = setTimeout(() => {
      checkingLease = checkLease()
    }, leaseCheckMs).unref()
  }

  function startRound(): void {
    lastRoundAt = clock()
    for (const probe of probes()) {
      if (underWay.has(probe)) continue
      underWay.set(
        probe,
        run(probe).finally(() => underWay.delete(probe)),
      )
    }
  }

  async function run(probe: Probe): Promise<void> {
    try {
      await probe.check()
      record(probe, undefined)
    } catch (thrown) {
      const error = thrown instanceof UpstreamError ? thrown : new UpstreamError('malformed', 'the health check failed')
      // Anything but an UpstreamError is a bug in the check: logged as an error, recorded like a broken reply.
      if (error !== thrown) log.error({ err: thrown, provider: probe.provider })
      record(probe, error)
    }
  }

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await checkingLease
    await Promise.all(underWay.values())
    await lease.release()
  }
}
