// Operational settings: connections, key cache, shutdown, metrics and retention.
import { z } from 'zod'
import { choice, integer, onOff } from '../config/setting-types.ts'
import { LOG_LEVELS } from '../log.ts'

/** At least 92 days: `/status` shows 90, and a budget needs its month. */
const retentionDays = integer(92, 3_650).prefault('400')
const port = integer(0, 65_535)

export const OPERATION_SETTINGS = z.object({
  DRAIN_SECONDS: integer(0, 300)
    .prefault('5')
    .describe(
      'How long a node that gets SIGTERM keeps serving while `/readyz` says 503, so that a [load balancer](../scale/several-nodes.md) can send requests elsewhere. Set it higher than the balancer needs to notice; `0` stops immediately, as Ctrl-C does.',
    ),
  MAX_CONNECTIONS: integer(10, 1_000_000)
    .prefault('10000')
    .describe(
      "Open connections that a node accepts; more are closed immediately. The operating system's limit on open files must allow it.",
    ),
  MAX_IN_FLIGHT: integer(0, 1_000_000)
    .prefault('1000')
    .describe(
      'Requests that a process works on at a time; more [get 503](../operate/faults.md#too-many-requests). `0` for any number.',
    ),
  KEY_CACHE_MB: integer(1, 8_192)
    .prefault('64')
    .describe(
      "The memory for API keys in use, in megabytes per process. A key takes about 1 kB; one that isn't in memory costs a database query.",
    ),
  DATABASE_POOL_SIZE: integer(2, 1_000)
    .prefault('10')
    .describe(
      'Connections to PostgreSQL that a process opens at most. All processes together must stay below [`max_connections`](../scale/several-nodes.md#postgresql).',
    ),
  LOG_LEVEL: choice(LOG_LEVELS).prefault('info').describe('The least important messages to log.'),
  TRACE_PROVIDERS: onOff
    .prefault('off')
    .describe(
      '`on`: calls to providers carry the `traceparent` of the [trace](../operate/monitoring.md#traces) they belong to, so providers can link calls of one search.',
    ),
  ADMIN_HOST: z.string().prefault('127.0.0.1').describe('The address for `ADMIN_PORT`; `0.0.0.0` for all interfaces.'),
  ADMIN_PORT: port
    .optional()
    .describe(
      'Answers `/livez` and `/readyz` on a separate port as well, however busy the node is: point health checks there; `0` for any free one.',
    ),
  METRICS_HOST: z
    .string()
    .prefault('127.0.0.1')
    .describe('The address for `METRICS_PORT`; `0.0.0.0` for all interfaces.'),
  METRICS_PORT: port.optional().describe('Serves `/metrics` on a separate port, with the token if there is one.'),
  METRICS_TOKEN: z
    .string()
    .optional()
    .describe(
      'Serves `/metrics` on the main port too, and everywhere only to requests with `Authorization: Bearer <token>`.',
    )
    .meta({ isSecret: true }),
  USAGE_RETENTION_DAYS: retentionDays.describe(
    'How long to keep the usage of keys, by day and endpoint, and keys that were revoked or have expired.',
  ),
  COST_RETENTION_DAYS: retentionDays.describe(
    'How long to keep calls to providers, their cost and what engines contributed, by day.',
  ),
  TRANSITION_RETENTION_DAYS: retentionDays.describe(
    'How long to keep when each provider went up or down. `/status` shows 90 days.',
  ),
})

export function buildOperation(settings: z.output<typeof OPERATION_SETTINGS>) {
  return {
    /** How long a stopping node still serves, while `/readyz` returns 503. */
    drainSeconds: settings.DRAIN_SECONDS,
    maxConnections: settings.MAX_CONNECTIONS,
    /** Requests in flight beyond which further ones are refused; 0: no limit. */
    maxInFlight: settings.MAX_IN_FLIGHT,
    /** Memory limit of the key cache. */
    keyCacheBytes: settings.KEY_CACHE_MB * 1_000_000,
    /** Connections to PostgreSQL that a process opens at most. */
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    /** Sends providers the trace context of a call. */
    sendsTrace: settings.TRACE_PROVIDERS,
    adminHost: settings.ADMIN_HOST,
    /** undefined: health checks are answered on the main port only. */
    adminPort: settings.ADMIN_PORT,
    metricsHost: settings.METRICS_HOST,
    metricsPort: settings.METRICS_PORT,
    metricsToken: settings.METRICS_TOKEN,
    retention: {
      usageDays: settings.USAGE_RETENTION_DAYS,
      costDays: settings.COST_RETENTION_DAYS,
      transitionDays: settings.TRANSITION_RETENTION_DAYS,
    },
  }
}

export type OperationConfiguration = ReturnType<typeof buildOperation>
