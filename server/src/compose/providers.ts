// Connects the providers, search engines and data sources alike: for each fully configured one its clients, circuit
// breaker, rate limit and budget. Engines are then bound to the instance's slots; data sources get the cache in front of
// them, a health record and a health check.
//
// An engine's searches and suggestions have separate circuit breakers: they're often separate subscriptions, and one
// must keep working when the other is refused. They share the provider's rate limit and budget.
import { hash } from 'node:crypto'
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import { type Engine, type ProviderReply, type ProviderRequest, TABS } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { BoundSource, Source, SourceCall, SourceSettings } from '@bowerbird/engines/source.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { CostLedger } from '../budget/cost-ledger.ts'
import { type createProviderBudgets, priceOf } from '../budget/provider-budget.ts'
import type { ResponseCache, ResponseKey } from '../cache/response-cache.ts'
import { VERSION } from '../config/version.ts'
import { type MonitoredProvider, monitoredMine, monitoredProviders } from '../health/monitored-providers.ts'
import type { Probe } from '../health/prober.ts'
import type { Log } from '../log.ts'
import type { WatchedProvider } from '../metrics/state-metrics.ts'
import { catalogueOf } from '../search/engine-catalogue.ts'
import type { BoundEngine, Slot } from '../search/slots.ts'
import { withMine } from '../search/slots.ts'
import { type TrialReport, tryEngine } from '../search/try-engine.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { ConfiguredEngine, ConfiguredSource, ProviderBudget } from '../settings/provider-configuration.ts'
import type { BeforeRetry } from '../upstream/http-request.ts'
import { observeCall } from '../upstream/observed-call.ts'
import { openProviderClient, type ProviderClient } from '../upstream/provider-client.ts'
import { createResilience, type ResilienceParts, type ResilientProvider } from '../upstream/resilience.ts'
import type { createUpstreamRateLimits } from '../upstream/upstream-rate-limit.ts'
import type { ProviderPool } from './provider-pool.ts'

export interface ProviderLimits {
  ledger: Pick<CostLedger, 'count'>
  budgetOf: ReturnType<typeof createProviderBudgets>
  rateLimitOf: ReturnType<typeof createUpstreamRateLimits>
}

/** Charges a provider's calls to its budget, or only counts them if it has none. */
const chargesOf = (slug: string, caps: ProviderBudget, { ledger, budgetOf }: ProviderLimits) => ({
  countCall: (factor: number) => ledger.count(slug, priceOf(caps.pricePerCallMicros, factor)),
  budget: budgetOf(slug, caps),
})

const closeAll = async (clients: readonly Pick<ProviderClient, 'close'>[]): Promise<void> => {
  await Promise.all(clients.map((client) => client.close()))
}

/** The number of calls that a provider allows per day. `peek` returns the wait until the next one, in milliseconds. */
interface DailyQuota {
  calls: number
  peek: () => Promise<number>
}

/** Maximum concurrent calls to one provider, and sockets for them. */
const ENGINE_CALLS_IN_FLIGHT = 512
/** How long a provider with a daily quota rests if it throttles us without a Retry-After. */
const QUOTA_REST_SECONDS = 3600

/** An engine with its connections, once for searches and once for suggestions. */
export interface OpenEngine {
  slug: string
  searcher: BoundEngine
  completer: BoundEngine
  watched: WatchedProvider[]
  quota: DailyQuota | undefined
  isIdle: () => boolean
  close: () => Promise<void>
}

export function composeEngines(configuration: Configuration, limits: ProviderLimits, pool: ProviderPool<OpenEngine>) {
  const opened = pool.replace(
    new Map(
      [...configuration.engines.values()].map(({ engine, ...settings }) => [
        identityOf(engine.slug, { ...settings, document: configuration.documents.get(engine.slug) }, configuration),
        () => openEngine({ engine, ...settings }, configuration, limits),
      ]),
    ),
  )
  const searchers = new Map(opened.map(({ slug, searcher }) => [slug, searcher]))
  const completers = new Map(opened.map(({ slug, completer }) => [slug, completer]))
  const slots = openSlots(configuration, searchers)
  const mine = openMine(configuration, searchers)
  const suggesters = configuration.suggesters.flatMap((slug) => completers.get(slug) ?? [])
  return {
    slots,
    /** Of the private engines. */
    mine,
    suggesters,
    monitored: monitoredProviders(slots, suggesters),
    monitoredMine: monitoredMine(mine),
    watched: opened.flatMap(({ watched }) => watched),
    catalogue: catalogueOf({
      engines: configuration.allEngines,
      slots: withMine(configuration.slots, configuration.mine),
      missingOf: missingOf(configuration),
    }).map((entry) => {
      const address = configuration.engines.get(entry.slug)?.settings.baseUrl
      return address === undefined ? entry : { ...entry, host: hostOf(address) }
    }),
    slugOf: new Map(configuration.allEngines.map(({ name, slug }) => [name, slug])),
    tryEngine: (trial: EngineTrial) => tryBound(searchers.get(trial.slug), trial),
    /** The daily quotas that are used up. */
    spentQuotas: async () => {
      const waits = opened.flatMap(({ slug, quota }) =>
        quota ? [quota.peek().then((waitMs) => ({ slug, calls: quota.calls, waitMs }))] : [],
      )
      return (await Promise.all(waits)).filter(({ waitMs }) => waitMs > 0)
    },
  }
}

/** Everything that a provider's connections and limits depend on and that can change while the instance runs. */
const identityOf = (slug: string, settings: object, { operatorContact }: Configuration): string =>
  JSON.stringify([slug, settings, operatorContact])

function openEngine(configured: ConfiguredEngine, configuration: Configuration, limits: ProviderLimits): OpenEngine {
  const { engine, settings, dailyCalls, rateLimit } = configured
  const { slug, terms, addressOf } = engine
  const client = openClients({ ...configured, addressOf }, configuration, ENGINE_CALLS_IN_FLIGHT)
  const upstreamLimit = limits.rateLimitOf(slug, { rate: rateLimit, dailyCalls })
  const quota =
    upstreamLimit && dailyCalls !== undefined ? { calls: dailyCalls, peek: upstreamLimit.peekQuota } : undefined
  const parts: ResilienceParts = {
    ...chargesOf(slug, configured.budget, limits),
    send: client.send,
    rateLimit: upstreamLimit,
    maxInFlight: ENGINE_CALLS_IN_FLIGHT,
    restSeconds: terms.restSeconds ?? (quota ? QUOTA_REST_SECONDS : 0),
  }
  const [search, suggest] = [createResilience(parts), createResilience(parts)]
  return {
    slug,
    searcher: { engine, settings, ask: search.ask },
    completer: { engine, settings, ask: suggest.ask },
    watched: [
      { slug, use: 'search', state: search.state },
      { slug, use: 'suggest', state: suggest.state },
    ],
    quota,
    isIdle: () => search.state().inFlight + suggest.state().inFlight === 0,
    close: client.close,
  }
}

function openSlots(configuration: Configuration, engines: ReadonlyMap<string, BoundEngine>): Slot[] {
  const { slots, weights, askConditions } = configuration
  return [...slots].map(([name, binding]) => {
    const weight = { weight: weights.get(name) ?? 1, ...weightOriginOf(name, configuration) }
    const slot: Slot = { name, ...weight, when: askConditions.get(name), engines: {} }
    for (const tab of TABS) {
      const bound = (binding[tab] ?? []).flatMap((slug) => engines.get(slug) ?? [])
      if (bound.length > 0) slot.engines[tab] = bound
    }
    return slot
  })
}

/** The environment comes first: a calibration in the database doesn't replace a weight that it sets. */
function weightOriginOf(slot: string, configuration: Configuration): Pick<Slot, 'weightFrom' | 'calibrated'> {
  const { calibratedWeights, isFixed, writtenValue } = configuration
  const setting = `${slot.toUpperCase()}_WEIGHT`
  const isOutranked = isFixed(setting) && !isFixed('CALIBRATED_WEIGHTS')
  return {
    weightFrom: writtenValue(setting) === undefined ? 'default' : 'setting',
    calibrated: calibratedWeights.size === 0 || isOutranked ? undefined : calibratedWeights,
  }
}

/** A slot for each private engine, with the engine's own name: its owner knows no other, and there is no vendor to replace. */
const openMine = ({ mine }: Configuration, engines: ReadonlyMap<string, BoundEngine>) =>
  mine.flatMap((slug) => {
    const bound = engines.get(slug)
    return bound ? [{ name: slug, weight: 1, engines: { web: [bound] } }] : []
  })

/** An engine that is bound but not on lacks a required setting. */
function missingOf({ slots, mine, engines, allEngines }: Configuration): Map<string, string[]> {
  const bound = new Set([...mine, ...[...slots.values()].flatMap((binding) => Object.values(binding).flat())])
  const lacking = allEngines.filter(({ slug }) => bound.has(slug) && !engines.has(slug))
  const needs = ({ settings }: Engine) =>
    Object.values(settings).flatMap(({ env, fallback }) => (fallback === undefined ? [env] : []))
  return new Map(lacking.map((engine) => [engine.slug, needs(engine)]))
}

/** Longer than a search waits, because a trial should show how long a slow engine takes. */
const TRIAL_MS = 10_000

interface EngineTrial {
  slug: string
  tab: string
  text: string
}

/** Undefined: the engine is off, or doesn't serve the tab. */
async function tryBound(
  bound: BoundEngine | undefined,
  { tab: name, text }: Omit<EngineTrial, 'slug'>,
): Promise<TrialReport | undefined> {
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

/** The instance's sources, as `status/` lists them. */
export const monitoredSources = ({ sources }: Configuration): MonitoredProvider[] =>
  [...sources.values()].map(({ source: { slug, name, group, probe } }) => {
    return { provider: slug, slug, name, group, monitor: probe ? 'probe' : 'query' }
  })

export interface SourceParts extends ProviderLimits {
  cache: ResponseCache
  observe: (of: { slug: string; group: string }, outcome: { ms: number; error: UpstreamError | undefined }) => void
  clock: () => number
  log: Log
}

const SOURCE_CALLS_IN_FLIGHT = 128
/** Long enough for a call to wait for the rate limit until its deadline. */
const SOURCE_WAIT_MS = 30_000

/** A data source with its connections. */
export interface OpenSource {
  slug: string
  bound: BoundSource
  probe: Probe | undefined
  watched: WatchedProvider
  isIdle: () => boolean
  close: () => Promise<void>
}

export function composeSources(configuration: Configuration, parts: SourceParts, pool: ProviderPool<OpenSource>) {
  const opened = pool.replace(
    new Map(
      [...configuration.sources.values()].map(({ source, ...settings }) => [
        identityOf(source.slug, settings, configuration),
        () => openSource({ source, ...settings }, configuration, parts),
      ]),
    ),
  )
  const bound = new Map(opened.map((source) => [source.slug, source.bound]))
  return {
    // Sources are keyed by slug, so the one found has this source's settings.
    find: <Settings extends SourceSettings>({ slug }: Source<Settings>) =>
      bound.get(slug) as BoundSource<Settings> | undefined,
    probes: opened.flatMap(({ probe }) => probe ?? []),
    watched: opened.map(({ watched }) => watched),
  }
}

function openSource(configured: ConfiguredSource, configuration: Configuration, parts: SourceParts): OpenSource {
  const { source, rateLimit } = configured
  const { slug, addressOf } = source
  const client = openClients({ ...configured, addressOf }, configuration, SOURCE_CALLS_IN_FLIGHT)
  const provider = createResilience({
    ...chargesOf(slug, configured.budget, parts),
    send: client.send,
    rateLimit: parts.rateLimitOf(slug, { rate: rateLimit }),
    maxWaitMs: SOURCE_WAIT_MS,
    maxInFlight: SOURCE_CALLS_IN_FLIGHT,
  })
  return {
    slug,
    bound: bindSource(configured, provider, parts),
    probe: source.probe && probeOf(configured, provider, parts.clock),
    watched: { slug, use: 'data', state: provider.state },
    isIdle: () => provider.state().inFlight === 0,
    close: client.close,
  }
}

/** Wraps the result, because it may be `null`, which the cache wouldn't accept as a response. */
interface CacheEntry<Found> {
  found: Found
}

function bindSource(
  { source, settings }: ConfiguredSource,
  provider: ResilientProvider,
  { cache, observe, clock, log }: SourceParts,
): BoundSource {
  const { slug, terms } = source
  return {
    source,
    async ask<Query, Found>(call: SourceCall<Query, Found>, query: Query, deadline: Deadline, isForVisitor = false) {
      const wanted = {
        slug,
        cacheSeconds: call.keepSeconds,
        cacheIn: terms.cacheIn,
        isResponse: (value: unknown): value is CacheEntry<Found> =>
          typeof value === 'object' && value !== null && 'found' in value && call.schema.safeParse(value.found).success,
      }
      const askNow = (callDeadline: Deadline) =>
        observeCall(slug, { observe: (outcome) => observe(source, outcome), log }, () =>
          provider.ask({ ...call.request(query, settings), isForVisitor }, callDeadline, (reply) => ({
            found: call.parse(reply, { query, now: clock() }),
          })),
        )
      const key = cacheKeyOf(slug, call, query)
      const [outcome] = await Promise.all(
        cache.getOrFetch(key, [wanted], deadline, (_wanted, callDeadline) => askNow(callDeadline)),
      )
      if (!outcome) throw new UpstreamError('timeout', 'the cache gave no outcome')
      cache.countServed(outcome)
      if ('error' in outcome) throw outcome.error
      return { found: outcome.response.found, isStale: outcome.isStale, ageMs: outcome.ageMs }
    },
  }
}

const KEY_LENGTH = 22

const cacheKeyOf = <Query, Found>(
  slug: string,
  call: SourceCall<Query, Found>,
  query: Query,
): ResponseKey<CacheEntry<Found>> =>
  hash('sha256', `source\n${slug}\n${call.name}\n${call.keyOf(query)}`, 'base64url').slice(0, KEY_LENGTH)

const PROBE_MS = 5_000

/** A health check is a call like any other: it uses budget, waits for the rate limit and is counted. */
function probeOf({ source, settings }: ConfiguredSource, provider: ResilientProvider, clock: () => number): Probe {
  const { slug, group, probe } = source
  return {
    provider: slug,
    group,
    async check() {
      if (!probe) return
      const deadline = createDeadline(PROBE_MS)
      try {
        await provider.probe(probe.request(null, settings), deadline, (reply) =>
          probe.parse(reply, { query: null, now: clock() }),
        )
      } finally {
        deadline.cancel()
      }
    },
  }
}

type ClientSettings = Pick<Configuration, 'maxReplyBytes' | 'operatorContact' | 'outgoingProxy'> & {
  operation: Pick<Configuration['operation'], 'sendsTrace'>
}

interface Reachable extends Pick<ConfiguredSource, 'isTrustedAddress' | 'proxy'> {
  settings: { baseUrl: string }
  /** For a provider with an address per edition: Wikipedia, for example, has one per language. */
  addressOf: ((baseUrl: string, edition: string) => string) | undefined
}

/** The clients of one provider: one, or one for each edition that has been requested. */
export interface EditionClients {
  send: (
    request: ProviderRequest & { edition?: string },
    deadline: Deadline,
    beforeRetry: BeforeRetry,
  ) => Promise<ProviderReply>
  close: () => Promise<void>
}

/** Opens the clients of an engine or a source, each with at most `connections` concurrent calls. */
export function openClients(
  { settings: { baseUrl }, isTrustedAddress, proxy: ownProxy, addressOf }: Reachable,
  configuration: ClientSettings,
  connections: number,
): EditionClients {
  const { maxReplyBytes, operatorContact, outgoingProxy, operation } = configuration
  const { sendsTrace } = operation
  const proxy = ownProxy === 'direct' ? undefined : (ownProxy ?? outgoingProxy)
  const userAgent = `Bowerbird/${VERSION}${operatorContact && ` (${operatorContact})`}`
  const open = (url: string) =>
    openProviderClient({ baseUrl: url, isTrustedAddress, proxy, userAgent, maxReplyBytes, connections, sendsTrace })
  const mainClient = open(baseUrl)
  const clients = new Map([[baseUrl, mainClient]])
  const clientAt = (url: string): ProviderClient => {
    const client = clients.get(url) ?? open(url)
    clients.set(url, client)
    return client
  }
  return {
    send({ edition, ...request }, deadline, beforeRetry) {
      const client = edition === undefined || !addressOf ? mainClient : clientAt(addressOf(baseUrl, edition))
      return client.send(request, deadline, beforeRetry)
    },
    close: () => closeAll([...clients.values()]),
  }
}
