// Where providers meet the slots they serve: a client for each provider that is bound and has what it needs, and the
// slots of the instance with those engines in them.
import { API_VERSION } from './api/openapi.ts'
import type { Configuration } from './configuration.ts'
import { TABS } from './engines/engine.ts'
import type { BoundEngine, Slot } from './search/plan.ts'
import { type MonitoredProvider, monitoredProviders } from './status/monitored-providers.ts'
import { openProviderClient, type ProviderClient } from './upstream/provider-client.ts'

export interface EngineRoom {
  slots: Slot[]
  suggesters: BoundEngine[]
  providers: MonitoredProvider[]
  closeClients: () => Promise<void>
}

export function openEngineRoom(configuration: Configuration): EngineRoom {
  const { engines, clients } = openEngines(configuration)
  const slots: Slot[] = []
  for (const [name, binding] of configuration.slots) {
    const slot: Slot = { name, weight: configuration.weights.get(name) ?? 1, engines: {} }
    for (const tab of TABS) {
      const bound = (binding[tab] ?? []).flatMap((slug) => engines.get(slug) ?? [])
      if (bound.length > 0) slot.engines[tab] = bound
    }
    slots.push(slot)
  }
  const suggesters = configuration.suggesters.flatMap((slug) => engines.get(slug) ?? [])
  return {
    slots,
    suggesters,
    providers: monitoredProviders(slots, suggesters),
    async closeClients() {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

function openEngines({ engines, maxReplyBytes, operatorContact }: Configuration) {
  const userAgent = `Bowerbird/${API_VERSION}${operatorContact && ` (${operatorContact})`}`
  const clients: ProviderClient[] = []
  const opened = new Map<string, BoundEngine>()
  for (const { engine, settings, isTrustedAddress } of engines.values()) {
    const client = openProviderClient({ baseUrl: settings.baseUrl, isTrustedAddress, userAgent, maxReplyBytes })
    clients.push(client)
    opened.set(engine.slug, {
      engine,
      settings,
      ask: (request, deadline) => client.ask(request, deadline),
      report: () => undefined,
    })
  }
  return { engines: opened, clients }
}
