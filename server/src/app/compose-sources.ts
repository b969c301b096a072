// Where data sources meet the instance: a client for each source that has what it needs, the protection around it, the
// cache before it, its health, and the check that tells whether it is well.
import { hash } from 'node:crypto'
import type { Configuration } from '../configuration.ts'
import { userAgentOf } from '../engine-room.ts'
import type { EngineReply } from '../providers/engine.ts'
import { UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ConfiguredSource } from '../provider-settings.ts'
import type { PageAsk } from '../cache/response-loader.ts'
import type { PageCache } from '../search/page-cache.ts'
import type { PageKey } from '../search/page-key.ts'
import { observed, underDeadline } from '../upstream/observed-call.ts'
import type { BoundSource, FindSource, Source, SourceCall, SourceRequest, SourceSettings } from '../providers/source.ts'
import type { CostLedger } from '../limits/cost-ledger.ts'
import type { createProviderBudgets } from '../limits/provider-budget.ts'
import type { createProviderPaces } from '../limits/upstream-rate-limit.ts'
import type { MonitoredProvider } from '../health/monitored-providers.ts'
import type { Probe } from '../health/prober.ts'
import { createDeadline, type Deadline } from '../upstream/deadline.ts'
import { type ProtectedProvider, protectProvider } from '../upstream/protect-provider.ts'
import { openProviderClient, type ProviderClient } from '../upstream/provider-client.ts'
import { type Pace, waitForTurn } from '../upstream/wait-for-turn.ts'

export interface SourceRoom {
  find: FindSource
  probes: Probe[]
  closeClients: () => Promise<void>
}

interface SourceRoomParts {
  ledger: CostLedger
  budgetOf: ReturnType<typeof createProviderBudgets>
  paceOf: ReturnType<typeof createProviderPaces>
  cache: PageCache
  observe: (of: { slug: string; group: string; ms: number }, error: UpstreamError | undefined) => void
  clock: () => number
  log: Log
}

/** Calls to one source at once, and sockets for them. */
const MOST_IN_FLIGHT = 128
const REFRESH_MS = 10_000
const PROBE_MS = 5_000
/** Long enough for a call to wait for its turn as long as its deadline lets it. */
const MAX_WAIT_MS = 30_000
const KEY_LENGTH = 22

/** How `status/` lists the sources of an instance. */
export const monitoredSources = ({ sources }: Configuration): MonitoredProvider[] =>
  [...sources.values()].map(({ source: { slug, name, group, probe } }) => {
    return { provider: slug, slug, name, group, monitor: probe ? 'probe' : 'query' }
  })

export function openSourceRoom(configuration: Configuration, parts: SourceRoomParts): SourceRoom {
  const lines: SourceLine[] = []
  const bound = new Map<string, BoundSource>()
  const probes: Probe[] = []
  for (const configured of configuration.sources.values()) {
    const line = openLine(configured, configuration)
    const pace = configured.pace && parts.paceOf(configured.source.slug, configured.pace)
    lines.push(line)
    bound.set(configured.source.slug, bind(configured, { line, pace }, parts))
    if (configured.source.probe) probes.push(probeOf(configured, { line, pace }, parts))
  }
  return {
    // A source is bound under its own slug, so what is found has its settings.
    find: <Settings extends SourceSettings>({ slug }: Source<Settings>) =>
      bound.get(slug) as BoundSource<Settings> | undefined,
    probes,
    async closeClients() {
      await Promise.all(lines.map((line) => line.close()))
    },
  }
}

/** The clients of one source: one, or one for each edition that was asked for. */
interface SourceLine {
  ask: (request: SourceRequest, deadline: Deadline) => Promise<EngineReply>
  close: () => Promise<void>
}

function openLine({ source, settings, isTrustedAddress }: ConfiguredSource, configuration: Configuration): SourceLine {
  const { maxReplyBytes } = configuration
  const userAgent = userAgentOf(configuration)
  const clients = new Map<string, ProviderClient>()
  const clientAt = (baseUrl: string) => {
    const known = clients.get(baseUrl)
    if (known) return known
    const connections = MOST_IN_FLIGHT
    const client = openProviderClient({ baseUrl, isTrustedAddress, userAgent, maxReplyBytes, connections })
    clients.set(baseUrl, client)
    return client
  }
  return {
    ask({ edition, ...request }, deadline) {
      const address = edition === undefined ? undefined : source.addressOf?.(settings.baseUrl, edition)
      return clientAt(address ?? settings.baseUrl).ask(request, deadline)
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

interface Reach {
  line: SourceLine
  pace: Pace | undefined
}

function bind(configured: ConfiguredSource, { line, pace }: Reach, parts: SourceRoomParts): BoundSource {
  const { source, budget: caps } = configured
  const { slug } = source
  const provider = protectProvider({
    ask: line.ask,
    countCall: () => parts.ledger.count(slug, caps.pricePerCallMicros),
    budget: parts.budgetOf(slug, caps),
    pace,
    maxWaitMs: MAX_WAIT_MS,
    maxInFlight: MOST_IN_FLIGHT,
  })
  return {
    source,
    async ask(call, query, deadline) {
      const asking = { call, query, deadline, provider, configured, parts }
      const [outcome] = await parts.cache.obtain(keyOf(slug, call, query), [pageAsk(asking)], deadline)
      if (!outcome) throw new UpstreamError('timeout', 'the cache gave no outcome')
      if ('error' in outcome) throw outcome.error
      return { found: outcome.page.found, isStale: outcome.isStale, ageMs: outcome.ageMs }
    },
  }
}

/** Wrapped, because `null` is an answer and not a page. */
interface Kept<Found> {
  found: Found
}

interface Asking<Query, Found> {
  call: SourceCall<Query, Found>
  query: Query
  deadline: Deadline
  provider: ProtectedProvider
  configured: ConfiguredSource
  parts: SourceRoomParts
}

function pageAsk<Query, Found>(asking: Asking<Query, Found>): PageAsk<Kept<Found>> {
  const { call, query, deadline, provider, configured, parts } = asking
  const { slug, group, terms } = configured.source
  const witness = {
    observe: ({ ms, error }: { ms: number; error: UpstreamError | undefined }) =>
      parts.observe({ slug, group, ms }, error),
    log: parts.log,
  }
  const read = (reply: EngineReply) => ({ found: call.parse(reply, { query, now: parts.clock() }) })
  return {
    slug,
    cacheSeconds: call.keepSeconds,
    cacheIn: terms.cacheIn,
    isPage: (value): value is Kept<Found> =>
      typeof value === 'object' && value !== null && 'found' in value && call.found.safeParse(value.found).success,
    fetch: (purpose) =>
      underDeadline(purpose, { deadline, startDeadline: () => createDeadline(REFRESH_MS) }, (until) =>
        observed(slug, witness, () => provider.ask(call.request(query, configured.settings), until, read)),
      ),
  }
}

const keyOf = <Query, Found>(slug: string, call: SourceCall<Query, Found>, query: Query): PageKey<{ found: Found }> =>
  hash('sha256', `source\n${slug}\n${call.name}\n${call.keyOf(query)}`, 'base64url').slice(0, KEY_LENGTH)

/** At the source's pace but past its circuit breaker, which is what it is to find out about. */
function probeOf({ source, settings, budget }: ConfiguredSource, { line, pace }: Reach, parts: SourceRoomParts): Probe {
  const { slug, group, probe } = source
  return {
    provider: slug,
    group,
    async check() {
      if (!probe) return
      const deadline = createDeadline(PROBE_MS)
      const clock = () => performance.now()
      const place = pace && (await waitForTurn({ pace, deadline, maxWaitMs: PROBE_MS, clock }))
      try {
        parts.ledger.count(slug, budget.pricePerCallMicros)
        probe.parse(await line.ask(probe.request(null, settings), deadline), { query: null, now: parts.clock() })
      } finally {
        place?.leave()
        deadline.cancel()
      }
    },
  }
}
