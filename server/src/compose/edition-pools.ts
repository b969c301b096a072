// The clients of one provider: one, or one for each edition that has been requested. Wikipedia, for example, has an
// address per language.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply, ProviderRequest } from '@bowerbird/engines/engine.ts'
import type { BeforeRetry } from '../upstream/http-request.ts'
import { openProviderClient, type ProviderClient, type ProviderClientOptions } from '../upstream/provider-client.ts'

interface EditionRequest extends ProviderRequest {
  edition?: string
}

export interface EditionClients {
  ask: (request: EditionRequest, deadline: Deadline, beforeRetry: BeforeRetry) => Promise<ProviderReply>
  close: () => Promise<void>
}

export function openEditionClients(
  options: ProviderClientOptions,
  addressOf?: (baseUrl: string, edition: string) => string,
): EditionClients {
  const own = openProviderClient(options)
  const clients = new Map([[options.baseUrl, own]])
  const clientAt = (baseUrl: string): ProviderClient => {
    const client = clients.get(baseUrl) ?? openProviderClient({ ...options, baseUrl })
    clients.set(baseUrl, client)
    return client
  }
  return {
    ask({ edition, ...request }, deadline, beforeRetry) {
      const client = edition === undefined || !addressOf ? own : clientAt(addressOf(options.baseUrl, edition))
      return client.ask(request, deadline, beforeRetry)
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}
