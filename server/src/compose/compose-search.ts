// Builds search, suggestions, the ledger of what each engine contributes, and trials of a single engine.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { type Engine, TABS } from '@bowerbird/engines/engine.ts'
import type { ApiServices } from '../api/api-services.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Database } from '../postgres/database.ts'
import { createContributionLedger } from '../search/contributions/contribution-ledger.ts'
import type { BoundSlots } from '../search/coverage.ts'
import { catalogueOf } from '../search/engine-catalogue.ts'
import type { BoundEngine, Slot } from '../search/plan.ts'
import { createSearch } from '../search/search.ts'
import { createSuggest } from '../search/suggest.ts'
import { tryEngine } from '../search/try-engine.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { EngineAdmin } from '../site/site-services.ts'
import type { DailyQuota } from './compose-engines.ts'

interface SearchSurroundings {
  database: Database
  slots: Slot[]
  suggesters: BoundEngine[]
  /** The engines that are on, by slug. */
  searchers: ReadonlyMap<string, BoundEngine>
  quotas: ReadonlyMap<string, DailyQuota>
  cache: ResponseCache
  metrics: Metrics
  status: ProviderStatusBoard
  log: Log
}

interface ComposedSearch {
  searching: Pick<ApiServices, 'search' | 'suggest'>
  engineAdmin: EngineAdmin
  closeSearch: () => Promise<void>
}

/** By then, the user has typed the word anyway. */
const SUGGEST_TIMEOUT_MS = 1_500

export function composeSearch(configuration: Configuration, surroundings: SearchSurroundings): ComposedSearch {
  const { database, slots, suggesters, searchers, quotas, cache, metrics, status, log } = surroundings
  const { searchTimeoutMs, engines } = configuration
  const slugOf = new Map([...engines.values()].map(({ engine }) => [engine.name, engine.slug]))
  const contributions = createContributionLedger({ db: database.db, clock: Date.now, slugOf, log })
  const search = createSearch({
    slots,
    cache,
    startDeadline: () => createDeadline(searchTimeoutMs),
    clock: Date.now,
    observe({ slug, tab, ms, error }) {
      metrics.upstream(slug, error?.kind ?? 'ok', ms)
      status.record({ provider: slug, group: tab }, error)
      contributions.countCall({ slug, ms, error })
    },
    countSearch: contributions.countSearch,
    log,
  })
  const suggest = createSuggest({
    engines: suggesters,
    cache,
    startDeadline: () => createDeadline(Math.min(searchTimeoutMs, SUGGEST_TIMEOUT_MS)),
    observe({ slug, ms, error }) {
      metrics.upstream(slug, error?.kind ?? 'ok', ms)
      status.record({ provider: slug, group: 'suggest' }, error)
    },
    log,
  })
  const engineAdmin: EngineAdmin = {
    catalogue: catalogueOf(boundSlots(configuration)),
    contributions: contributions.readSince,
    tryEngine: (trial) => tryBound(searchers, trial),
    spentQuotas: () => spentAmong(quotas),
  }
  contributions.start()
  return { searching: { search, suggest }, engineAdmin, closeSearch: contributions.stop }
}

/** Longer than a search waits, because a trial should show how long a slow engine takes. */
const TRIAL_MS = 10_000

async function tryBound(
  searchers: ReadonlyMap<string, BoundEngine>,
  { slug, tab: name, text }: Parameters<EngineAdmin['tryEngine']>[0],
): ReturnType<EngineAdmin['tryEngine']> {
  const bound = searchers.get(slug)
  const tab = TABS.find((candidate) => candidate === name)
  if (!bound || !tab) return undefined
  const deadline = createDeadline(TRIAL_MS)
  try {
    const query = { text, page: 1, safe: true, date: undefined, lang: '', now: Date.now() }
    return await tryEngine(bound, { tab, query, deadline })
  } finally {
    deadline.cancel()
  }
}

async function spentAmong(quotas: ReadonlyMap<string, DailyQuota>): ReturnType<EngineAdmin['spentQuotas']> {
  const looked = [...quotas].map(async ([slug, { calls, peek }]) => ({ slug, calls, waitMs: await peek() }))
  return (await Promise.all(looked)).filter(({ waitMs }) => waitMs > 0)
}

/** An engine that is bound but not on lacks a required setting. */
function boundSlots({ slots, engines }: Configuration): BoundSlots {
  const bound = new Set([...slots.values()].flatMap((binding) => Object.values(binding).flat()))
  const lacking = ALL_ENGINES.filter(({ slug }) => bound.has(slug) && !engines.has(slug))
  const needs = ({ settings }: Engine) =>
    Object.values(settings).flatMap(({ env, fallback }) => (fallback === undefined ? [env] : []))
  return { engines: ALL_ENGINES, slots, missingOf: new Map(lacking.map((engine) => [engine.slug, needs(engine)])) }
}
