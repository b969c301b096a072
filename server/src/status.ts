// Which upstream provider is up. Each node judges by what it sees itself and shares its judgement; what is told is the
// newest of both. A provider without its key is never in the list: it is hidden, not down.
import type { UpstreamError } from './errors.ts'
import type { HealthStore } from './state/health-store.ts'
import { observe, type ProviderHealth } from './upstream/health.ts'

/** A provider as it is listed. */
export interface MonitoredProvider {
  slug: string
  name: string
  group: string
  monitor: 'query' | 'probe'
}

export interface ProviderStatus extends MonitoredProvider {
  health: ProviderHealth | undefined
}

export interface StatusBoard {
  /** Not waited for: a search never pays for its own observation. */
  record: (slug: string, error: UpstreamError | undefined) => void
  list: () => Promise<ProviderStatus[]>
}

/** A provider that is simply well need not say so at every search. */
const SHARE_EVERY_MS = 2_000

export function createStatusBoard(parts: {
  providers: readonly MonitoredProvider[]
  store: HealthStore
  clock: () => number
}): StatusBoard {
  const { providers, store, clock } = parts
  const own = new Map<string, ProviderHealth>()
  const sharedAt = new Map<string, number>()

  return {
    record(slug, error) {
      const before = own.get(slug)
      const outcome = error
        ? { ok: false as const, kind: error.kind, isQueryFault: error.isQueryFault }
        : { ok: true as const }
      const after = observe(before, outcome, clock())
      if (after === before) return
      own.set(slug, after)
      const isNews = after.state !== before?.state || after.lastError !== before.lastError
      if (!isNews && clock() - (sharedAt.get(slug) ?? 0) < SHARE_EVERY_MS) return
      sharedAt.set(slug, clock())
      store.save(slug, after)
    },
    async list() {
      const shared = await store.load()
      return providers.map((provider) => ({
        ...provider,
        health: newest(own.get(provider.slug), shared.get(provider.slug)),
      }))
    },
  }
}

const newest = (one: ProviderHealth | undefined, other: ProviderHealth | undefined): ProviderHealth | undefined =>
  (one?.checkedAt ?? 0) >= (other?.checkedAt ?? 0) ? (one ?? other) : other
