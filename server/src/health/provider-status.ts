// Tracks which upstream providers are up. All nodes decide together, in Redis; while Redis is unavailable, or without
// it, each node decides alone by the same rules. A provider without an API key is never listed: it is hidden, not down.
//
// No search waits for any of this. Successes of a healthy provider are reported at most every two seconds, everything
// else immediately. Only the node whose observation caused a transition writes it to the history.
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { type HealthStore, type Observation, observe, type ProviderHealth, reasonOf } from './health-store.ts'
import type { MonitoredProvider } from './monitored-providers.ts'
import type { TransitionHistory } from './transition-history.ts'

export interface ProviderStatus extends MonitoredProvider {
  health: ProviderHealth | undefined
}

export interface ProviderStatusBoard {
  /** Records the outcome of one call: an error, or `undefined` for a success. Never waits and never throws. */
  record: (of: { provider: string; group: string }, error: UpstreamError | undefined) => void
  list: () => Promise<ProviderStatus[]>
  /** Waits until everything recorded is in Redis and PostgreSQL. */
  close: () => Promise<void>
}

/** A board whose list of providers can be replaced. What is known of a provider that stays is kept. */
export interface WatchingBoard extends ProviderStatusBoard {
  watch: (providers: readonly MonitoredProvider[]) => void
}

interface BoardParts {
  providers: readonly MonitoredProvider[]
  store: HealthStore
  history: TransitionHistory
  clock: () => number
}

/** This node's view of one provider. */
interface Entry {
  provider: MonitoredProvider
  key: string
  health: ProviderHealth | undefined
  /** When a success was last reported; `undefined` before the first and after a failure. */
  successReportedAt: number | undefined
}

interface Report {
  at: number
  /** In our own words; '' for a success. */
  error: string
}

const REPORT_SUCCESS_EVERY_MS = 2_000

export function createProviderStatus({ providers, store, history, clock }: BoardParts): WatchingBoard {
  let entries = new Map<string, Entry>()
  watch(providers)
  const underWay = new Set<Promise<void>>()

  function watch(watched: readonly MonitoredProvider[]): void {
    entries = new Map(
      watched.map((provider) => {
        const key = keyOf(provider)
        const { health, successReportedAt } = entries.get(key) ?? {}
        return [key, { provider, key, health, successReportedAt }]
      }),
    )
  }

  async function report(entry: Entry, outcome: Observation, { at, error }: Report): Promise<void> {
    const { from, health } =
      (await store.apply(entry.key, { at, error, known: entry.health })) ?? judgeAlone(entry.health, outcome, at)
    entry.health = health
    if (from === health.state) return
    const { provider, group } = entry.provider
    history.add({ provider, group, from, to: health.state, at: health.checkedAt ?? at, reason: reasonOf(outcome) })
  }

  return {
    record(of, error) {
      const entry = entries.get(keyOf(of))
      if (!entry) return
      const at = clock()
      const outcome = outcomeOf(error)
      // A bad query and a call that was never made say nothing about the provider, so `observe` ignores them.
      const { checkedAt, lastError } = observe(undefined, outcome, at)
      if (checkedAt === undefined || (outcome.ok && isAlreadyReported(entry, at))) return
      entry.successReportedAt = outcome.ok ? at : undefined
      const reporting = report(entry, outcome, { at, error: lastError }).finally(() => underWay.delete(reporting))
      underWay.add(reporting)
    },
    async list() {
      const known = [...entries.values()]
      const shared = await store.load(known.map(({ key }) => key))
      return known.map((entry, i) => {
        entry.health = newest(shared[i], entry.health)
        return { ...entry.provider, health: entry.health }
      })
    },
    watch,
    async close() {
      await Promise.all(underWay)
      await history.close()
    },
  }
}

const keyOf = ({ provider, group }: { provider: string; group: string }): string => `${group}:${provider}`

function outcomeOf(error: UpstreamError | undefined): Observation {
  if (!error) return { ok: true }
  const { kind, isQueryFault, hasReplied, isProxyFault } = error
  return { ok: false, kind, isQueryFault, hasReplied, isProxyFault }
}

/** Uses the absolute difference, so that a clock that was set back does not silence a provider. */
const isAlreadyReported = ({ health, successReportedAt }: Entry, at: number): boolean =>
  successReportedAt !== undefined &&
  Math.abs(at - successReportedAt) < REPORT_SUCCESS_EVERY_MS &&
  (health === undefined || health.consecutiveFailures === 0)

/** The same rules as in the script of `health/health-store.ts`. */
function judgeAlone(before: ProviderHealth | undefined, outcome: Observation, at: number) {
  const from = before?.state ?? 'unknown'
  const isLate = before?.checkedAt !== undefined && at < before.checkedAt
  return { from, health: before && isLate ? before : observe(before, outcome, at) }
}

/** The shared health, unless this node's is newer because Redis was unavailable or has lost it. */
const newest = (shared: ProviderHealth | undefined, own: ProviderHealth | undefined): ProviderHealth | undefined =>
  (own?.checkedAt ?? 0) > (shared?.checkedAt ?? 0) ? own : shared
