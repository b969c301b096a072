// Active health checks, for providers that searches ask too seldom to tell. One node at a time does them: the one that
// holds the lease. The lease lasts one period and is looked after four times in it, so that a holder that dies is
// replaced, and the checks go on, within two.
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { NodeLease } from '../state/node-lease.ts'
import type { StatusBoard } from './provider-status.ts'

export interface Probe {
  provider: string
  group: string
  /** Rejects with an UpstreamError when the provider is not well. Bounds its own time. */
  check: () => Promise<void>
}

interface ProberParts {
  probes: readonly Probe[]
  lease: NodeLease
  record: StatusBoard['record']
  everyMs: number
  clock: () => number
  log: Log
}

const LOOKS_A_PERIOD = 4

/** Starts at once. The returned function stops it, waits for the checks under way and gives the lease away. */
export function startProber({ probes, lease, record, everyMs, clock, log }: ProberParts): () => Promise<void> {
  const lookMs = everyMs / LOOKS_A_PERIOD
  const underWay = new Map<Probe, Promise<void>>()
  let lastRoundAt: number | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let looking = look()

  async function look(): Promise<void> {
    const isOurs = await lease.hold(everyMs)
    if (isStopped) return
    if (!isOurs) lastRoundAt = undefined
    // Half a look early is in time: timers are never exact.
    else if (lastRoundAt === undefined || clock() - lastRoundAt >= everyMs - lookMs / 2) startRound()
    timer = setTimeout(() => {
      looking = look()
    }, lookMs).unref()
  }

  function startRound(): void {
    lastRoundAt = clock()
    for (const probe of probes) {
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
      const error = thrown instanceof UpstreamError ? thrown : new UpstreamError('malformed', 'the check failed')
      // Anything but an UpstreamError is a bug of the check's: told loudly, recorded as any broken reply.
      if (error !== thrown) log.error({ err: thrown, provider: probe.provider })
      record(probe, error)
    }
  }

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await looking
    await Promise.all(underWay.values())
    await lease.release()
  }
}
