// Builds the data sources: for each fully configured source a client, its circuit breaker, rate limit and budget, the
// cache in front of it, its health record and its health check.
import { hash } from 'node:crypto'
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply } from '@bowerbird/engines/engine.ts'
import type { BoundSource, FindSource, Source, SourceCall, SourceSettings } from '@bowerbird/engines/source.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { CostLedger } from '../budget/cost-ledger.ts'
import { type createProviderBudgets, priceOf } from '../budget/provider-budget.ts'
import type { ResponseCache, ResponseKey } from '../cache/response-cache.ts'
import type { WantedResponse } from '../cache/single-flight.ts'
import type { MonitoredProvider } from '../health/monitored-providers.ts'
import type { Probe } from '../health/prober.ts'
import type { Log } from '../log.ts'
import type { WatchedProvider } from '../metrics/state-metrics.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { ConfiguredSource } from '../settings/provider-configuration.ts'
import { observed } from '../upstream/observed-call.ts'
import { createResilience, type ResilientProvider } from '../upstream/resilience.ts'
import type { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import { openClients } from './compose-engines.ts'
import type { EditionClients } from './edition-pools.ts'

export interface ComposedSources {
  find: FindSource
  probes: Probe[]
  watched: WatchedProvider[]
  closeClients: () => Promise<void>
}

interface SourceParts {
  ledger: Pick<CostLedger, 'count'>
  budgetOf: ReturnType<typeof createProviderBudgets>
  rateLimitOf: ReturnType<typeof createUpstreamRateLimits>
  cache: ResponseCache
  observe: (of: { slug: string; group: string; ms: number }, error: UpstreamError | undefined) => void
  clock: () => number
  log: Log
}

/** Maximum concurrent calls to one source, and sockets for them. */
const MOST_IN_FLIGHT = 128
const PROBE_MS = 5_000
/** Long enough for a call to wait for the rate limit until its deadline. */
const MAX_WAIT_MS = 30_000
const KEY_LENGTH = 22

/** The instance's sources, as `status/` lists them. */
export const monitoredSources = ({ sources }: Configuration): MonitoredProvider[] =>
  [...sources.values()].map(({ source: { slug, name, group, probe } }) => {
    return { provider: slug, slug, name, group, monitor: probe ? 'probe' : 'query' }
  })

export function composeSources(configuration: Configuration, parts: SourceParts): ComposedSources {
  const lines: EditionClients[] = []
  const bound = new Map<string, BoundSource>()
  const probes: Probe[] = []
  const watched: WatchedProvider[] = []
  for (const configured of configuration.sources.values()) {
    const line = openClients({ ...configured, addressOf: configured.source.addressOf }, configuration, MOST_IN_FLIGHT)
    const provider = protect(configured, line, parts)
    lines.push(line)
    watched.push({ slug: configured.source.slug, use: 'data', state: provider.state })
    bound.set(configured.source.slug, bind(configured, provider, parts))
    if (configured.source.probe) probes.push(probeOf(configured, provider, parts))
  }
  return {
    // Sources are keyed by slug, so the one found has this source's settings.
    find: <Settings extends SourceSettings>({ slug }: Source<Settings>) =>
      bound.get(slug) as BoundSource<Settings> | undefined,
    probes,
    watched,
    async closeClients() {
      await Promise.all(lines.map((line) => line.close()))
    },
  }
}

function protect({ source, budget, rateLimit }: ConfiguredSource, line: EditionClients, parts: SourceParts) {
  const { slug } = source
  return createResilience({
    ask: line.ask,
    countCall: (factor) => parts.ledger.count(slug, priceOf(budget.pricePerCallMicros, factor)),
    budget: parts.budgetOf(slug, budget),
    rateLimit: rateLimit && parts.rateLimitOf(slug, rateLimit),
    maxWaitMs: MAX_WAIT_MS,
    maxInFlight: MOST_IN_FLIGHT,
  })
}

function bind(configured: ConfiguredSource, provider: ResilientProvider, parts: SourceParts): BoundSource {
  const { source } = configured
  const { slug } = source
  return {
    source,
    async ask(call, query, deadline) {
      const [lookup] = parts.cache.lookUp(keyOf(slug, call, query), [wantedBy(source, call)], deadline)
      void lookup?.order.then((order) =>
        order?.settle(askSource({ call, query, provider, configured, parts }, order.deadline)),
      )
      const outcome = await lookup?.outcome
      if (!outcome) throw new UpstreamError('timeout', 'the cache gave no outcome')
      if ('error' in outcome) throw outcome.error
      return { found: outcome.response.found, isStale: outcome.isStale, ageMs: outcome.ageMs }
    },
  }
}

/** Wraps the result, because it may be `null`, which the cache wouldn't accept as a response. */
interface CacheEntry<Found> {
  found: Found
}

const wantedBy = <Query, Found>(
  { slug, terms }: Source,
  call: SourceCall<Query, Found>,
): WantedResponse<CacheEntry<Found>> => ({
  slug,
  cacheSeconds: call.keepSeconds,
  cacheIn: terms.cacheIn,
  isResponse: (value): value is CacheEntry<Found> =>
    typeof value === 'object' && value !== null && 'found' in value && call.found.safeParse(value.found).success,
})

interface Asking<Query, Found> {
  call: SourceCall<Query, Found>
  query: Query
  provider: ResilientProvider
  configured: ConfiguredSource
  parts: SourceParts
}

function askSource<Query, Found>(
  { call, query, provider, configured, parts }: Asking<Query, Found>,
  deadline: Deadline,
): Promise<CacheEntry<Found>> {
  const { slug, group } = configured.source
  const observe = ({ ms, error }: { ms: number; error: UpstreamError | undefined }) =>
    parts.observe({ slug, group, ms }, error)
  const read = (reply: ProviderReply) => ({ found: call.parse(reply, { query, now: parts.clock() }) })
  return observed(slug, { observe, log: parts.log }, () =>
    provider.ask(call.request(query, configured.settings), deadline, read),
  )
}

const keyOf = <Query, Found>(
  slug: string,
  call: SourceCall<Query, Found>,
  query: Query,
): ResponseKey<{ found: Found }> =>
  hash('sha256', `source\n${slug}\n${call.name}\n${call.keyOf(query)}`, 'base64url').slice(0, KEY_LENGTH)

/** A health check is a call like any other: it uses budget, waits for the rate limit and is counted. */
function probeOf({ source, settings }: ConfiguredSource, provider: ResilientProvider, parts: SourceParts): Probe {
  const { slug, group, probe } = source
  return {
    provider: slug,
    group,
    async check() {
      if (!probe) return
      const deadline = createDeadline(PROBE_MS)
      try {
        await provider.probe(probe.request(null, settings), deadline, (reply) =>
          probe.parse(reply, { query: null, now: parts.clock() }),
        )
      } finally {
        deadline.cancel()
      }
    },
  }
}
