// Metrics that are read from service state at scrape time, so that a request pays for an increment at most.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { CostLedger, ProviderCost } from '../budget/cost-ledger.ts'
import type { BudgetSettings } from '../budget/provider-budget.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { VERSION } from '../config/version.ts'
import type { KeyVerifier } from '../keys/verify-key.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import type { RateLimiterWithFallback } from '../rate-limit/rate-limiter-with-fallback.ts'
import type { Database } from '../store/database.ts'
import { monthOf } from '../text/utc-day.ts'
import type { ResilienceState } from '../upstream/resilience.ts'
import type { Usage } from '../usage/usage.ts'

export interface WatchedServices {
  load: LoadShedder
  keys: Pick<KeyVerifier, 'state'>
  cache: Pick<ResponseCache, 'results'>
  rateLimiter: Pick<RateLimiterWithFallback, 'localDecisions'>
  usage: Pick<Usage, 'state'>
  database: Pick<Database, 'pool'>
  ledger: Pick<CostLedger, 'readCosts'>
  /** By provider. */
  budgets: () => ReadonlyMap<string, BudgetSettings>
  providers: () => readonly WatchedProvider[]
}

export interface WatchedProvider {
  slug: string
  /** A provider's searches and suggestions have separate circuit breakers. */
  use: 'search' | 'suggest' | 'data'
  state: () => ResilienceState
}

type Samples = readonly (readonly [labels: Record<string, string>, value: number])[]

/** A metric that is read when it is scraped. */
interface StateMetric {
  name: string
  help: string
  labelNames?: string[]
  /** A counter's values must only ever rise. */
  type: 'gauge' | 'counter'
  read: () => Samples | Promise<Samples>
}

export function addStateMetric(register: Registry, { read, type, ...description }: StateMetric): void {
  const metric = { ...description, registers: [] }
  register.registerMetric(
    type === 'gauge'
      ? new Gauge({
          ...metric,
          async collect() {
            const samples = await read()
            this.reset()
            for (const [labels, value] of samples) this.set(labels, value)
          },
        })
      : new Counter({
          ...metric,
          async collect() {
            const samples = await read()
            this.reset()
            for (const [labels, value] of samples) this.inc(labels, value)
          },
        }),
  )
}

const unlabelled = (value: number): Samples => [[{}, value]]

const byLabel = (label: string, counts: Readonly<Record<string, number>>): Samples =>
  Object.entries(counts).map(([value, count]) => [{ [label]: value }, count])

export function addStateMetrics(register: Registry, services: WatchedServices): void {
  const metrics = [
    ...processMetrics(services),
    ...storageMetrics(services),
    ...providerMetrics(services),
    ...costMetrics(services),
  ]
  for (const metric of metrics) addStateMetric(register, metric)
}

const processMetrics = ({ load, cache, keys }: WatchedServices): StateMetric[] => [
  {
    name: 'bowerbird_build_info',
    help: 'Always 1, with the versions of Bowerbird and Node.js',
    type: 'gauge',
    labelNames: ['version', 'node'],
    read: () => [[{ version: VERSION, node: process.version }, 1]],
  },
  {
    name: 'bowerbird_http_requests_in_flight',
    help: 'Requests that are not answered yet',
    type: 'gauge',
    read: () => unlabelled(load.inFlight),
  },
  {
    name: 'bowerbird_overload_refusals_total',
    help: 'Requests refused because there were too many',
    type: 'counter',
    read: () => unlabelled(load.refused),
  },
  {
    name: 'bowerbird_response_cache_total',
    help: "Providers' responses: from memory, from redis, stale because a refresh failed, from the provider (miss), or none (error)",
    type: 'counter',
    labelNames: ['result'],
    read() {
      const { memory, shared, stale, miss, error } = cache.results
      return byLabel('result', { memory, redis: shared, stale, miss, error })
    },
  },
  {
    name: 'bowerbird_key_cache_total',
    help: 'API keys found in memory (hit), or looked up (miss)',
    type: 'counter',
    labelNames: ['result'],
    read: () => byLabel('result', { hit: keys.state().hits, miss: keys.state().misses }),
  },
]

const storageMetrics = ({ keys, rateLimiter, usage, database }: WatchedServices): StateMetric[] => [
  {
    name: 'bowerbird_database_up',
    help: '1 while this node can read the database; it looks every 3 seconds',
    type: 'gauge',
    read: () => unlabelled(keys.state().isDatabaseUp ? 1 : 0),
  },
  {
    name: 'bowerbird_database_connections',
    help: 'Connections to PostgreSQL, used or idle; missing with the built-in database',
    type: 'gauge',
    labelNames: ['state'],
    read() {
      const pool = database.pool?.()
      return pool ? byLabel('state', { used: pool.total - pool.idle, idle: pool.idle }) : []
    },
  },
  {
    name: 'bowerbird_database_waiting',
    help: 'Statements that wait for a connection to PostgreSQL; missing with the built-in database',
    type: 'gauge',
    read() {
      const pool = database.pool?.()
      return pool ? unlabelled(pool.waiting) : []
    },
  },
  {
    name: 'bowerbird_rate_limit_local_total',
    help: 'Requests, and calls to providers with a rate limit, that this node limited on its own because Redis did not answer',
    type: 'counter',
    read: () => unlabelled(rateLimiter.localDecisions()),
  },
  {
    name: 'bowerbird_usage_write_last_success_timestamp_seconds',
    help: 'When usage was last written to the database, or there was none to write',
    type: 'gauge',
    read: () => unlabelled(usage.state.succeededAt / 1_000),
  },
  {
    name: 'bowerbird_usage_write_last_duration_seconds',
    help: 'How long the last attempt to write usage took',
    type: 'gauge',
    read: () => unlabelled(usage.state.lastMs / 1_000),
  },
]

function providerMetrics({ providers }: WatchedServices): StateMetric[] {
  const labelNames = ['provider', 'use']
  const ofEach = (value: (state: ResilienceState) => number) => (): Samples =>
    providers().map(({ slug, use, state }) => [{ provider: slug, use }, value(state())])
  return [
    {
      name: 'bowerbird_circuit_open',
      help: '1 while a provider is not called because it keeps failing',
      type: 'gauge',
      labelNames,
      read: ofEach(({ isOpen }) => (isOpen ? 1 : 0)),
    },
    {
      name: 'bowerbird_upstream_in_flight',
      help: 'Calls to providers in progress, those that wait included',
      type: 'gauge',
      labelNames,
      read: ofEach(({ inFlight }) => inFlight),
    },
    {
      name: 'bowerbird_upstream_rate_limit_wait_seconds_total',
      help: "How long calls have waited for a provider's rate limit",
      type: 'counter',
      labelNames,
      read: ofEach(({ waitedMs }) => waitedMs / 1_000),
    },
  ]
}

const COSTS_VALID_MS = 30_000

function costMetrics({ ledger, budgets }: WatchedServices): StateMetric[] {
  let known: ProviderCost[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const readCosts = async (): Promise<ProviderCost[]> => {
    if (Date.now() - readAt < COSTS_VALID_MS) return known
    readAt = Date.now()
    // If the database is unavailable, show the last known costs; `bowerbird_database_up` reports the outage.
    known = await ledger.readCosts(monthOf(Date.now())).catch(() => known)
    return known
  }
  const spent = (value: (cost: ProviderCost) => number) => async (): Promise<Samples> =>
    (await readCosts()).map((cost) => [{ provider: cost.provider }, value(cost)])
  const capped = (value: (budget: BudgetSettings) => number | undefined) => (): Samples =>
    [...budgets()].flatMap(([provider, budget]) => {
      const cap = value(budget)
      return cap === undefined ? [] : [[{ provider }, cap] as const]
    })
  const gauges = [
    {
      name: 'bowerbird_provider_month_calls',
      help: 'Calls in this UTC month, by all nodes; at most 30 seconds old',
      read: spent((cost) => cost.calls),
    },
    {
      name: 'bowerbird_provider_month_cost_usd',
      help: 'US dollars spent in this UTC month, by all nodes; at most 30 seconds old',
      read: spent(({ micros }) => micros / 1e6),
    },
    {
      name: 'bowerbird_provider_month_calls_cap',
      help: 'The most calls in a UTC month, if there is a cap',
      read: capped(({ callsPerMonth }) => callsPerMonth),
    },
    {
      name: 'bowerbird_provider_month_cost_cap_usd',
      help: 'The most US dollars in a UTC month, if there is a cap',
      read: capped(({ microsPerMonth }) => (microsPerMonth === undefined ? undefined : microsPerMonth / 1e6)),
    },
  ]
  return gauges.map((gauge) => ({ ...gauge, type: 'gauge' as const, labelNames: ['provider'] }))
}
