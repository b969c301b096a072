// Builds the engines: a client for each fully configured provider that is bound to a slot or gives suggestions, its
// circuit breakers, rate limit and budget, and the instance's slots with their engines.
//
// A provider's searches and suggestions have separate circuit breakers: they're often separate subscriptions, and one
// must keep working when the other is refused. They share the provider's rate limit and budget.

import { TABS } from '@bowerbird/engines/engine.ts'
import type { CostLedger } from '../budget/cost-ledger.ts'
import { type createProviderBudgets, priceOf } from '../budget/provider-budget.ts'
import { VERSION } from '../config/version.ts'
import { type MonitoredProvider, monitoredProviders } from '../health/monitored-providers.ts'
import type { WatchedProvider } from '../metrics/state-metrics.ts'
import type { BoundEngine, Slot } from '../search/plan.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { ConfiguredEngine } from '../settings/provider-configuration.ts'
import { createResilience } from '../upstream/resilience.ts'
import type { createUpstreamRateLimits, UpstreamQuota } from '../upstream/upstream-rate-limit.ts'
import { bothLimits } from '../upstream/upstream-rate-limit.ts'
import { type EditionClients, openEditionClients } from './edition-pools.ts'

export interface ComposedEngines {
  slots: Slot[]
  suggesters: BoundEngine[]
  /** By slug. */
  searchers: ReadonlyMap<string, BoundEngine>
  providers: MonitoredProvider[]
  watched: WatchedProvider[]
  /** Daily quotas, by slug. */
  quotas: ReadonlyMap<string, DailyQuota>
  closeClients: () => Promise<void>
}

/** The number of calls that a provider allows per day. `peek` returns the wait until the next one. */
export interface DailyQuota extends Pick<UpstreamQuota, 'peek'> {
  calls: number
}

interface EngineParts {
  ledger: Pick<CostLedger, 'count'>
  budgetOf: ReturnType<typeof createProviderBudgets>
  rateLimitOf: ReturnType<typeof createUpstreamRateLimits>
}

interface BindingParts extends EngineParts {
  /** Collects every binding. */
  watched: WatchedProvider[]
  quotas: Map<string, DailyQuota>
}

/** Maximum concurrent calls to one provider, and sockets for them. */
const MOST_IN_FLIGHT = 512
/** How long a provider with a daily quota rests if it throttles us without a Retry-After. */
const QUOTA_REST_SECONDS = 3600

export function composeEngines(configuration: Configuration, parts: EngineParts): ComposedEngines {
  const clients: EditionClients[] = []
  const watched: WatchedProvider[] = []
  const quotas = new Map<string, DailyQuota>()
  const searchers = new Map<string, BoundEngine>()
  const completers = new Map<string, BoundEngine>()
  for (const configured of configuration.engines.values()) {
    const client = openClients({ ...configured, addressOf: configured.engine.addressOf }, configuration, MOST_IN_FLIGHT)
    const bind = createBinding(configured, client, { ...parts, watched, quotas })
    clients.push(client)
    searchers.set(configured.engine.slug, bind('search'))
    completers.set(configured.engine.slug, bind('suggest'))
  }
  const slots = openSlots(configuration, searchers)
  const suggesters = configuration.suggesters.flatMap((slug) => completers.get(slug) ?? [])
  return {
    slots,
    suggesters,
    searchers,
    providers: monitoredProviders(slots, suggesters),
    watched,
    quotas,
    async closeClients() {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

function openSlots({ slots, weights }: Configuration, engines: ReadonlyMap<string, BoundEngine>): Slot[] {
  return [...slots].map(([name, binding]) => {
    const slot: Slot = { name, weight: weights.get(name) ?? 1, engines: {} }
    for (const tab of TABS) {
      const bound = (binding[tab] ?? []).flatMap((slug) => engines.get(slug) ?? [])
      if (bound.length > 0) slot.engines[tab] = bound
    }
    return slot
  })
}

/** The User-Agent that every provider sees, search engine or data source. */
export const userAgentOf = ({ operatorContact }: Configuration): string =>
  `Bowerbird/${VERSION}${operatorContact && ` (${operatorContact})`}`

interface Reachable {
  settings: { baseUrl: string }
  isTrustedAddress: boolean
  addressOf: ((baseUrl: string, edition: string) => string) | undefined
}

/** Opens the clients of a search engine or a data source, with at most `connections` concurrent calls. */
export function openClients(
  { settings, isTrustedAddress, addressOf }: Reachable,
  configuration: Configuration,
  connections: number,
): EditionClients {
  const { maxReplyBytes, operation } = configuration
  const { sendsTrace } = operation
  const userAgent = userAgentOf(configuration)
  const { baseUrl } = settings
  return openEditionClients({ baseUrl, isTrustedAddress, userAgent, maxReplyBytes, connections, sendsTrace }, addressOf)
}

/** Each use (search, suggest) has its own circuit breaker; they share the rate limit and the budget. */
function createBinding(configured: ConfiguredEngine, client: EditionClients, parts: BindingParts) {
  const { engine, settings, rateLimit: rate, dailyCalls, budget: caps } = configured
  const { slug } = engine
  const quota =
    dailyCalls === undefined ? undefined : parts.rateLimitOf(`${slug}:day`, { calls: dailyCalls, perSeconds: 86_400 })
  if (quota && dailyCalls !== undefined) parts.quotas.set(slug, { calls: dailyCalls, peek: quota.peek })
  const rateLimit = bothLimits(rate && parts.rateLimitOf(slug, rate), quota)
  const { restSeconds = dailyCalls === undefined ? 0 : QUOTA_REST_SECONDS } = engine.terms
  const budget = parts.budgetOf(slug, caps)
  return (use: WatchedProvider['use']): BoundEngine => {
    const { ask, state } = createResilience({
      ask: (request, deadline, beforeRetry) => client.ask(request, deadline, beforeRetry),
      countCall: (factor) => parts.ledger.count(slug, priceOf(caps.pricePerCallMicros, factor)),
      budget,
      rateLimit,
      maxInFlight: MOST_IN_FLIGHT,
      restSeconds,
    })
    parts.watched.push({ slug, use, state })
    return { engine, settings, ask: (request, deadline, read) => ask(request, deadline, read) }
  }
}
