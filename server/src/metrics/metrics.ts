// Prometheus metrics. Label values come from closed lists (routes, statuses, engines, outcomes), never from a request.
// Events are counted here; service state is read at scrape time (`state-metrics.ts`).
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { AuditEventName, AuditOutcome } from '../audit/audit-event.ts'
import type { LimitName } from '../rate-limit/rate-limiter.ts'
import type { RedisStates } from '../redis/redis-availability.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import { isTracing, traced } from '../trace.ts'
import { addStateMetric, addStateMetrics, type WatchedServices } from './state-metrics.ts'

export interface Metrics {
  request: (route: string, status: number, ms: number) => void
  upstream: (engine: string, outcome: string, ms: number) => void
  redisCommand: (ms: number) => void
  refusal: (limit: LimitName) => void
  securityEvent: (event: AuditEventName, outcome: AuditOutcome) => void
  /** Adds the state of these services to the metrics. */
  watch: (services: WatchedServices) => void
  watchConnections: (count: () => Promise<number>) => void
  text: () => Promise<string>
  contentType: string
}

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SHORT_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

interface MetricsOptions {
  /** Whether a listener serves them. */
  areServed?: boolean
  register?: Registry
}

/** `redisStates` is undefined on an instance without Redis, which then has no such metrics. */
export function createMetrics(
  redisStates?: () => RedisStates,
  { areServed = true, register = new Registry() }: MetricsOptions = {},
): Metrics {
  // The delay of the event loop is sampled 100 times a second, which would keep a small machine from sleeping. Sampled
  // less often, it would be wrong: each sample includes the time since the one before.
  if (areServed) collectDefaultMetrics({ register, prefix: 'bowerbird_' })
  if (redisStates) addRedisGauges(register, redisStates)
  return {
    ...createTrafficMetrics(register),
    ...createEventCounters(register),
    watch: (services) => addStateMetrics(register, services),
    watchConnections: (count) =>
      addStateMetric(register, {
        name: 'bowerbird_http_connections',
        help: 'Open connections of clients',
        type: 'gauge',
        read: async () => [[{}, await count()]],
      }),
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}

function createTrafficMetrics(register: Registry): Pick<Metrics, 'request' | 'upstream' | 'redisCommand'> {
  const registers = [register]
  const requests = new Histogram({
    name: 'bowerbird_http_request_seconds',
    help: 'Requests by route and status, without health checks and metrics. The route is a pattern, never a URL. Includes the delay of the event loop when the request arrived',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const upstream = new Histogram({
    name: 'bowerbird_upstream_seconds',
    help: 'Calls to engines and data sources, by provider and outcome: ok, or the kind of error',
    labelNames: ['engine', 'outcome'],
    buckets: BUCKETS,
    registers,
  })
  const upstreamCalls = new Counter({
    name: 'bowerbird_upstream_total',
    help: 'Calls to engines and data sources, by provider and outcome: ok, or the kind of error',
    labelNames: ['engine', 'outcome'],
    registers,
  })
  const redis = new Histogram({
    name: 'bowerbird_redis_command_seconds',
    help: 'How long Redis took to answer, of one in 16 commands that requests wait for',
    buckets: SHORT_BUCKETS,
    registers,
  })
  return {
    request: (route, status, ms) => requests.observe({ route, status }, ms / 1000),
    upstream(engine, outcome, ms) {
      upstream.observe({ engine, outcome }, ms / 1000)
      upstreamCalls.inc({ engine, outcome })
    },
    redisCommand: (ms) => redis.observe(ms / 1000),
  }
}

function createEventCounters(register: Registry): Pick<Metrics, 'refusal' | 'securityEvent'> {
  const refusals = new Counter({
    name: 'bowerbird_rate_limit_refusals_total',
    help: 'API requests refused with 429, by limit: burst, sustained, month, user-burst, user-sustained, user-month',
    labelNames: ['limit'],
    registers: [register],
  })
  // Start each series at 0, so that rate() sees the first refusal.
  for (const limit of ['burst', 'sustained', 'month']) refusals.inc({ limit }, 0)
  const events = new Counter({
    name: 'bowerbird_security_events_total',
    help: 'Security events recorded by this node',
    labelNames: ['event', 'outcome'],
    registers: [register],
  })
  return {
    refusal: (limit) => refusals.inc({ limit }),
    securityEvent: (event, outcome) => events.inc({ event, outcome }),
  }
}

function addRedisGauges(register: Registry, states: () => RedisStates): void {
  addStateMetric(register, {
    name: 'bowerbird_redis_up',
    help: '1 while this node can use Redis, 0 while it is on its in-process fallbacks; missing without REDIS_URL',
    type: 'gauge',
    read: () => [[{}, states().limits?.state === 'away' ? 0 : 1]],
  })
  addStateMetric(register, {
    name: 'bowerbird_redis_state',
    help: '1 for the state that each Redis is in: connected or away. The one named cache exists if cached responses have their own',
    labelNames: ['redis', 'state'],
    type: 'gauge',
    read: () =>
      Object.entries(states()).flatMap(([redis, { state }]) =>
        ['connected', 'away'].map((name) => [{ redis, state: name }, name === state ? 1 : 0] as const),
      ),
  })
}

/** One in this many Redis commands is timed. */
const TIMED_EVERY = 16

/** Measures the latency of some of the commands that requests wait for, so that the rest pay nothing. */
export function withTimedCommands(redis: RedisClient, observe: (ms: number) => void): RedisClient {
  let sent = 0
  const timed =
    <Args extends unknown[], Reply>(send: (...args: Args) => Promise<Reply>) =>
    (...args: Args): Promise<Reply> => {
      if (isTracing) return traced('redis', {}, () => send(...args))
      if (sent++ % TIMED_EVERY !== 0) return send(...args)
      const sentAt = performance.now()
      return send(...args).then((reply) => {
        // While Redis is away, nothing is sent and the reply is an immediate `undefined`.
        if (reply !== undefined) observe(performance.now() - sentAt)
        return reply
      })
    }
  return { ...redis, send: timed(redis.send), evaluate: timed(redis.evaluate) }
}
