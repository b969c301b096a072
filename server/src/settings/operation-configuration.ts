// Operational settings: processes, connections, key cache, shutdown, metrics and retention. The primary of several
// workers reads only these, so nothing large is imported here.
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Mistake } from '../config/environment.ts'
import { choice, integer, onOff, parsed } from '../config/setting-types.ts'
import { LOG_LEVELS } from '../log.ts'

const MAX_WORKERS = 256
const workers = parsed(
  (text) => (text === 'auto' ? text : integer(1, MAX_WORKERS).safeParse(text).data),
  `must be auto, or a number from 1 to ${MAX_WORKERS}.`,
)

/** At least 92 days: `/status` shows 90, and a budget needs its month. */
const retentionDays = integer(92, 3_650).prefault('400')
const port = integer(0, 65_535)

export const OPERATION_SETTINGS = z.object({
  WORKERS: workers.prefault('1'),
  DRAIN_SECONDS: integer(0, 300).prefault('5'),
  MAX_CONNECTIONS: integer(10, 1_000_000).prefault('10000'),
  MAX_IN_FLIGHT: integer(0, 1_000_000).prefault('1000'),
  KEY_CACHE_MB: integer(1, 8_192).prefault('64'),
  DATABASE_POOL_SIZE: integer(2, 1_000).prefault('10'),
  LOG_LEVEL: choice(LOG_LEVELS).prefault('info'),
  TRACE_PROVIDERS: onOff.prefault('off'),
  ADMIN_HOST: z.string().prefault('127.0.0.1'),
  ADMIN_PORT: port.optional(),
  METRICS_HOST: z.string().prefault('127.0.0.1'),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z.string().optional(),
  USAGE_RETENTION_DAYS: retentionDays,
  COST_RETENTION_DAYS: retentionDays,
  TRANSITION_RETENTION_DAYS: retentionDays,
})

type Written = Readonly<Record<string, string>>

/** `written` shows whether there are shared stores for several workers' accounts and limits. */
export function operationOf(settings: z.output<typeof OPERATION_SETTINGS>, written: Written) {
  const auto = missingStores(written).length > 0 ? 1 : Math.min(availableParallelism(), MAX_WORKERS)
  return {
    /** Processes that share the port. */
    workers: settings.WORKERS === 'auto' ? auto : settings.WORKERS,
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

export type OperationConfiguration = ReturnType<typeof operationOf>

const missingStores = (written: Written): string[] =>
  ['DATABASE_URL', 'REDIS_URL'].filter((name) => written[name] === undefined)

export function workersMistakes(written: Written): Mistake[] {
  const missing = missingStores(written)
  const count = workers.safeParse(written['WORKERS'] ?? '1').data
  if (count === undefined || count === 'auto' || count === 1 || missing.length === 0) return []
  const message = `can only be 1 without ${missing.join(' and ')}: workers share accounts and limits there.`
  return [{ env: 'WORKERS', message }]
}
