// Metrics that are read from service state at scrape time, so that a request pays for an increment at most.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { CostLedger, ProviderCost } from '../budget/cost-ledger.ts'
import type { BudgetSettings } from '../budget/provider-budget.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { VERSION } from '../config/version.ts'
import type { KeyVerifier } from '../keys/verify-key.ts'
import type { Database } from '../postgres/database.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import type { RateLimiterWithFallback } from '../rate-limit/rate-limiter-with-fallback.ts'
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
  budgets: ReadonlyMap<string, BudgetSettings>
  providers: readonly WatchedProvider[]
}

export interface WatchedProvider {
  slug: string
  /** A provider's searches and suggestions have separate circuit breakers. */
  use: 'search' | 'suggest' | 'data'
  state: () => ResilienceState
}

type Labels = Record<string, string>
type Samples = readonly (readonly [labels: Labels, value: number])[]
type Read = () => Samples | Promise<Samples>

interface Described {
  name: string
  help: string
  labelNames?: string[]
}

interface DescribedGauge extends Described {
  /** How the primary combines the values of several workers. */
  aggregator: 'sum' | 'min' | 'max'
}

const plain =
  (read: () => number): Read =>
  () => [[{}, read()]]

function addGauge(register: Registry, described: DescribedGauge, read: Read): void {
  register.registerMetric(
    new Gauge({
      ...described,
      registers: [],
      async collect() {
        this.reset()
        for (const [labels, value] of await read()) this.set(labels, value)
      },
    }),
  )
}

/** `read` must return values that only ever rise. */
function addCounter(register: Registry, described: Described, read: Read): void {
  register.registerMetric(
    new Counter({
      ...described,
      registers: [],
      async collect() {
        this.reset()
        for (const [labels, value] of await read()) this.inc(labels, value)
      },
    }),
  )
}

const byLabel = (label: string, counts: Readonly<Record<string, number>>): Samples =>
  Object.entries(counts).map(([value, count]) => [{ [label]: value }, count])

export function addStateMetrics(register: Registry, services: WatchedServices): void {
  addGauge(
    register,
    { name: 'bowerbird_build_info', aggregator: 'max', help: 'Always 1', labelNames: ['version', 'node'] },
    () => [[{ version: VERSION, node: process.version }, 1]],
  )
  addLoadMetrics(register, services)
  addCacheMetrics(register, services)
  addStorageMetrics(register, services)
  addProviderMetrics(register, services)
  addCostMetrics(register, services)
}

function addLoadMetrics(register: Registry, { load }: WatchedServices): void {
  addGauge(
    register,
    { name: 'bowerbird_http_requests_in_flight', aggregator: 'sum', help: 'Requests that are not answered yet' },
    plain(() => load.inFlight),
  )
  addCounter(
    register,
    { name: 'bowerbird_overload_refusals_total', help: 'Requests refused because there were too many' },
    plain(() => load.refused),
  )
}

function addCacheMetrics(register: Registry, { cache, keys }: WatchedServices): void {
  addCounter(
    register,
    {
      name: 'bowerbird_response_cache_total',
      help: "Providers' responses by where they came from",
      labelNames: ['result'],
    },
    () => byLabel('result', cache.results),
  )
  addCounter(
    register,
    { name: 'bowerbird_key_cache_total', help: 'API keys found in memory, or looked up', labelNames: ['result'] },
    () => {
      const { hits, misses } = keys.state()
      return byLabel('result', { hit: hits, miss: misses })
    },
  )
}

function addStorageMetrics(register: Registry, services: WatchedServices): void {
  const { keys, rateLimiter, usage, database } = services
  addGauge(
    register,
    { name: 'bowerbird_database_up', aggregator: 'min', help: '1 while this node can read the database' },
    plain(() => (keys.state().isDatabaseUp ? 1 : 0)),
  )
  addGauge(
    register,
    {
      name: 'bowerbird_database_connections',
      aggregator: 'sum',
      help: 'Connections to PostgreSQL',
      labelNames: ['state'],
    },
    () => {
      const pool = database.pool?.()
      return pool ? byLabel('state', { used: pool.total - pool.idle, idle: pool.idle }) : []
    },
  )
  addGauge(
    register,
    {
      name: 'bowerbird_database_waiting',
      aggregator: 'sum',
      help: 'Statements that wait for a connection to PostgreSQL',
    },
    () => {
      const pool = database.pool?.()
      return pool ? [[{}, pool.waiting]] : []
    },
  )
  addCounter(
    register,
    {
      name: 'bowerbird_rate_limit_local_total',
      help: 'Requests that this node limited on its own because Redis did not answer',
    },
    plain(() => rateLimiter.localDecisions()),
  )
  addGauge(
    register,
    {
      name: 'bowerbird_usage_rollup_last_success_timestamp_seconds',
      aggregator: 'min',
      help: 'When usage was last written to the database, or there was none to write',
    },
    plain(() => usage.state.succeededAt / 1_000),
  )
  addGauge(
    register,
    { name: 'bowerbird_usage_rollup_last_duration_seconds', aggregator: 'max', help: 'How long the last attempt took' },
    plain(() => usage.state.lastMs / 1_000),
  )
}

function addProviderMetrics(register: Registry, { providers }: WatchedServices): void {
  const labelNames = ['provider', 'use']
  const ofEach = (value: (state: ResilienceState) => number) => (): Samples =>
    providers.map(({ slug, use, state }) => [{ provider: slug, use }, value(state())])
  addGauge(
    register,
    {
      name: 'bowerbird_circuit_open',
      aggregator: 'max',
      help: '1 while a provider is not called because it keeps failing',
      labelNames,
    },
    ofEach(({ isOpen }) => (isOpen ? 1 : 0)),
  )
  addGauge(
    register,
    {
      name: 'bowerbird_upstream_in_flight',
      aggregator: 'sum',
      help: 'Calls to providers in progress, those that wait included',
      labelNames,
    },
    ofEach(({ inFlight }) => inFlight),
  )
  addCounter(
    register,
    {
      name: 'bowerbird_upstream_rate_limit_wait_seconds_total',
      help: "How long calls have waited for a provider's rate limit",
      labelNames,
    },
    ofEach(({ waitedMs }) => waitedMs / 1_000),
  )
}

const COSTS_VALID_MS = 30_000

function addCostMetrics(register: Registry, { ledger, budgets }: WatchedServices): void {
  let known: ProviderCost[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const readCosts = async (): Promise<ProviderCost[]> => {
    if (Date.now() - readAt < COSTS_VALID_MS) return known
    readAt = Date.now()
    // If the database is unavailable, show the last known costs; `bowerbird_database_up` reports the outage.
    known = await ledger.readCosts(monthOf(Date.now())).catch(() => known)
    return known
  }
  const labelNames = ['provider']
  const spent = (value: (cost: ProviderCost) => number) => async (): Promise<Samples> =>
    (await readCosts()).map((cost) => [{ provider: cost.provider }, value(cost)])
  const capped = (value: (budget: BudgetSettings) => number | undefined) => (): Samples =>
    [...budgets].flatMap(([provider, budget]) => {
      const cap = value(budget)
      return cap === undefined ? [] : [[{ provider }, cap] as const]
    })
  const help = (what: string) => `${what} in this UTC month, by all nodes`
  addGauge(
    register,
    { name: 'bowerbird_provider_month_calls', aggregator: 'max', help: help('Calls'), labelNames },
    spent((cost) => cost.calls),
  )
  addGauge(
    register,
    { name: 'bowerbird_provider_month_cost_usd', aggregator: 'max', help: help('US dollars spent'), labelNames },
    spent(({ micros }) => micros / 1e6),
  )
  addGauge(
    register,
    {
      name: 'bowerbird_provider_month_calls_cap',
      aggregator: 'max',
      help: 'The most calls in a UTC month',
      labelNames,
    },
    capped(({ callsPerMonth }) => callsPerMonth),
  )
  addGauge(
    register,
    {
      name: 'bowerbird_provider_month_cost_cap_usd',
      aggregator: 'max',
      help: 'The most US dollars in a UTC month',
      labelNames,
    },
    capped(({ microsPerMonth }) => (microsPerMonth === undefined ? undefined : microsPerMonth / 1e6)),
  )
}
