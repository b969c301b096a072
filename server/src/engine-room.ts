// Where providers meet the slots they serve: a client for each provider that is bound and has what it needs, the
// protection around it, and the slots of the instance with those engines in them.
//
// A provider's searches and its suggestions have a circuit breaker each, because they are often separate subscriptions:
// one that is refused must not take the other with it. They share the provider's pace and its budget.
import { API_VERSION } from './api/openapi.ts'
import type { Configuration } from './configuration.ts'
import { TABS } from './providers/engine.ts'
import type { ConfiguredEngine } from './provider-settings.ts'
import type { BoundEngine, Slot } from './search/plan.ts'
import type { CostLedger } from './limits/cost-ledger.ts'
import type { createProviderBudgets } from './limits/provider-budget.ts'
import type { createProviderPaces } from './limits/upstream-rate-limit.ts'
import { type MonitoredProvider, monitoredProviders } from './health/monitored-providers.ts'
import { protectProvider } from './upstream/protect-provider.ts'
import { openProviderClient, type ProviderClient } from './upstream/provider-client.ts'

export interface EngineRoom {
  slots: Slot[]
  suggesters: BoundEngine[]
  providers: MonitoredProvider[]
  closeClients: () => Promise<void>
}

interface EngineRoomParts {
  ledger: CostLedger
  budgetOf: ReturnType<typeof createProviderBudgets>
  paceOf: ReturnType<typeof createProviderPaces>
}

/** Calls to one provider at once, and sockets for them. */
const MOST_IN_FLIGHT = 512

export function openEngineRoom(configuration: Configuration, parts: EngineRoomParts): EngineRoom {
  const clients: ProviderClient[] = []
  const searchers = new Map<string, BoundEngine>()
  const completers = new Map<string, BoundEngine>()
  for (const configured of configuration.engines.values()) {
    const client = openClient(configured, configuration)
    const bind = createBinding(configured, client, parts)
    clients.push(client)
    searchers.set(configured.engine.slug, bind())
    completers.set(configured.engine.slug, bind())
  }
  const slots = openSlots(configuration, searchers)
  const suggesters = configuration.suggesters.flatMap((slug) => completers.get(slug) ?? [])
  return {
    slots,
    suggesters,
    providers: monitoredProviders(slots, suggesters),
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

/** Who we say we are to every provider, search engine or not. */
export const userAgentOf = ({ operatorContact }: Configuration): string =>
  `Bowerbird/${API_VERSION}${operatorContact && ` (${operatorContact})`}`

function openClient({ settings, isTrustedAddress }: ConfiguredEngine, configuration: Configuration): ProviderClient {
  const { maxReplyBytes } = configuration
  const userAgent = userAgentOf(configuration)
  const { baseUrl } = settings
  return openProviderClient({ baseUrl, isTrustedAddress, userAgent, maxReplyBytes, connections: MOST_IN_FLIGHT })
}

/** Each call gives the engine with a breaker of its own, and the pace and budget that all of them share. */
function createBinding(configured: ConfiguredEngine, client: ProviderClient, parts: EngineRoomParts) {
  const { engine, settings, pace: rate, budget: caps } = configured
  const { slug } = engine
  const pace = rate && parts.paceOf(slug, rate)
  const budget = parts.budgetOf(slug, caps)
  return (): BoundEngine => {
    const { ask } = protectProvider({
      ask: (request, deadline) => client.ask(request, deadline),
      countCall: () => parts.ledger.count(slug, caps.pricePerCallMicros),
      budget,
      pace,
      maxInFlight: MOST_IN_FLIGHT,
    })
    return { engine, settings, ask: (request, deadline, read) => ask(request, deadline, read) }
  }
}
