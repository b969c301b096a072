// Everything that follows from settings which can change while the instance runs: engines, slots, data sources, and the
// services that use them. A change builds all of it anew and swaps one reference. A request, a stream and a job take the
// current ones when they begin, so a search runs on one set from its plan to its answer.
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { createPlanSearch } from '../api/endpoints/plan-endpoint.ts'
import type { CostLedger } from '../budget/cost-ledger.ts'
import { createResponseCache, type ResponseCache } from '../cache/response-cache.ts'
import { withUniqueSlugs } from '../health/monitored-providers.ts'
import type { WatchingBoard } from '../health/provider-status.ts'
import type { Log } from '../log.ts'
import type { ContributionLedger } from '../search/contributions/contribution-ledger.ts'
import { createSearch } from '../search/search.ts'
import { createSuggest } from '../search/suggest.ts'
import type { Configuration } from '../settings/configuration.ts'
import { composeDataServices } from './compose-data.ts'
import { createProviderPool } from './provider-pool.ts'
import {
  composeEngines,
  composeSources,
  monitoredSources,
  type OpenEngine,
  type OpenSource,
  type ProviderLimits,
} from './providers.ts'

interface CallOutcome {
  ms: number
  error: UpstreamError | undefined
}

interface LiveParts {
  limits: ProviderLimits & { ledger: Pick<CostLedger, 'readCosts'> }
  cache: ResponseCache
  contributions: Pick<ContributionLedger, 'countCall' | 'countSearch'>
  countCall: (slug: string, outcome: CallOutcome) => void
  status: WatchingBoard
  /** Of the private engines, whose health only administrators see. */
  mineStatus: WatchingBoard
  clock: () => number
  log: Log
}

/** What is in force between two changes of settings. */
export type InForce = ReturnType<ReturnType<typeof composeLiveProviders>['current']>

/** By then, the user has typed the word anyway. */
const SUGGEST_TIMEOUT_MS = 1_500
const MINE_CACHE_BYTES = 4_000_000

export function composeLiveProviders(first: Configuration, parts: LiveParts) {
  const { limits, cache, contributions, countCall, status, mineStatus, clock, log } = parts
  const pools = { engines: createProviderPool<OpenEngine>(), sources: createProviderPool<OpenSource>() }

  function recordCall(slug: string, group: string, { ms, error }: CallOutcome): void {
    countCall(slug, { ms, error })
    status.record({ provider: slug, group }, error)
  }

  function composeCurrent(configuration: Configuration) {
    const { searchTimeoutMs, cacheSeconds: maxAgeSeconds } = configuration
    const startDeadline = () => createDeadline(searchTimeoutMs)
    const engines = composeEngines(configuration, limits, pools.engines)
    const sources = composeSources(
      configuration,
      { ...limits, cache, observe: ({ slug, group }, outcome) => recordCall(slug, group, outcome), clock, log },
      pools.sources,
    )
    const search = createSearch({
      slots: engines.slots,
      cache,
      startDeadline,
      clock,
      observe({ slug, tab, ms, error }) {
        recordCall(slug, tab, { ms, error })
        contributions.countCall({ slug, ms, error })
      },
      isReplaced: () => current.search !== search,
      countSearch: contributions.countSearch,
      log,
    })
    // The private engines, apart from all others: their responses are cached in the process and never in Redis, and they
    // have no part in what engines contribute. A changed key may belong to another account, so the cache starts anew.
    const mine = createSearch({
      slots: engines.mine,
      cache: createResponseCache({ shared: undefined, clock, maxAgeSeconds, maxMemoryBytes: MINE_CACHE_BYTES, log }),
      startDeadline,
      clock,
      observe({ slug, ms, error }) {
        countCall(slug, { ms, error })
        mineStatus.record({ provider: slug, group: 'mine' }, error)
      },
      isPrivate: true,
      log,
    })
    const suggest = createSuggest({
      engines: engines.suggesters,
      cache,
      startDeadline: () => createDeadline(Math.min(searchTimeoutMs, SUGGEST_TIMEOUT_MS)),
      observe: ({ slug, ms, error }) => recordCall(slug, 'suggest', { ms, error }),
      log,
    })
    const budgets = new Map(
      [...configuration.engines, ...configuration.sources].map(([slug, { budget }]) => [slug, budget]),
    )
    return {
      configuration,
      engines,
      sources,
      search,
      planSearch: createPlanSearch({
        search,
        costs: { ofMonth: (month) => limits.ledger.readCosts(month), budgets },
        spentQuotas: engines.spentQuotas,
        clock,
        log,
      }),
      mine,
      suggest,
      ...composeDataServices(configuration, sources.find, log),
      budgets,
    }
  }

  let current = composeCurrent(first)
  function watch(): void {
    status.watch(withUniqueSlugs([...current.engines.monitored, ...monitoredSources(current.configuration)]))
    mineStatus.watch(current.engines.monitoredMine)
  }
  watch()

  return {
    current: () => current,
    watchedProviders: () => [...current.engines.watched, ...current.sources.watched],
    /** What a newer configuration makes, for `swap`. It may throw, and what is in force stays. */
    compose: composeCurrent,
    swap(next: typeof current): void {
      current = next
      watch()
    },
    async close(): Promise<void> {
      await Promise.all([pools.engines.close(), pools.sources.close()])
    },
  }
}
