// How an instance is run: its processes, connections and key cache, how it stops, its metrics, and how long it keeps
// records. The primary of several workers reads this alone, so nothing large is imported here.
import { availableParallelism } from 'node:os'
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { mapped, mistaken, type Reading, together, understood } from '../config/reading.ts'
import { secret, setting } from '../config/setting.ts'

export interface Retention {
  usageDays: number
  costDays: number
  transitionDays: number
}

export interface OperationConfiguration {
  adminHost: string
  /** undefined: health is answered on the main port only. */
  adminPort: number | undefined
  metricsHost: string
  metricsPort: number | undefined
  metricsToken: string | undefined
  /** Processes that share the port. */
  workers: number
  /** How long a node that was told to stop still serves, while `/readyz` says 503. */
  drainSeconds: number
  maxConnections: number
  /** What keys in memory may take. */
  keyCacheBytes: number
  /** Requests in flight, beyond which others are refused; 0: any number. */
  maxInFlight: number
  /** Tells providers the trace that a call belongs to. */
  sendsTrace: boolean
  retention: Retention
}

export const readOperationConfiguration = (reader: EnvironmentReader): Reading<OperationConfiguration> =>
  together<OperationConfiguration>({
    workers: readWorkers(reader),
    drainSeconds: reader.integer(setting('DRAIN_SECONDS', '5'), { min: 0, max: 300 }),
    maxConnections: reader.integer(setting('MAX_CONNECTIONS', '10000'), { min: 10, max: 1_000_000 }),
    keyCacheBytes: mapped(
      reader.integer(setting('KEY_CACHE_MB', '64'), { min: 1, max: 8_192 }),
      (megabytes) => megabytes * 1_000_000,
    ),
    maxInFlight: reader.integer(setting('MAX_IN_FLIGHT', '1000'), { min: 0, max: 1_000_000 }),
    sendsTrace: mapped(reader.choice(setting('TRACE_PROVIDERS', 'off'), ['on', 'off']), (choice) => choice === 'on'),
    adminHost: understood(reader.text(setting('ADMIN_HOST', '127.0.0.1'))),
    adminPort: reader.integer(setting('ADMIN_PORT'), { min: 0, max: 65_535 }),
    metricsHost: understood(reader.text(setting('METRICS_HOST', '127.0.0.1'))),
    metricsPort: reader.integer(setting('METRICS_PORT'), { min: 0, max: 65_535 }),
    metricsToken: understood(reader.text(secret('METRICS_TOKEN'))),
    retention: readRetention(reader),
  })

/** `/status` shows 90 days, and a budget needs its month. */
const SHORTEST_DAYS = 92
const LONGEST_DAYS = 3_650

function readRetention(reader: EnvironmentReader): Reading<Retention> {
  const days = (env: string) => reader.integer(setting(env, '400'), { min: SHORTEST_DAYS, max: LONGEST_DAYS })
  return together<Retention>({
    usageDays: days('USAGE_RETENTION_DAYS'),
    costDays: days('COST_RETENTION_DAYS'),
    transitionDays: days('TRANSITION_RETENTION_DAYS'),
  })
}

const MOST_WORKERS = 256

/** `auto`: one for each core, if they have something to share their limits and accounts in; otherwise one. */
export function readWorkers(reader: EnvironmentReader, cores = availableParallelism()): Reading<number> {
  const missing = ['DATABASE_URL', 'REDIS_URL'].filter((name) => !reader.isWritten(name))
  const read = (text: string) => {
    if (text === 'auto') return missing.length > 0 ? 1 : Math.min(cores, MOST_WORKERS)
    const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
    return count >= 1 && count <= MOST_WORKERS ? count : undefined
  }
  const workers = reader.parsed(setting('WORKERS', '1'), read, `must be auto, or a number from 1 to ${MOST_WORKERS}.`)
  if (!workers.ok || workers.value === 1 || missing.length === 0) return workers
  return mistaken('WORKERS', `can only be 1 without ${missing.join(' and ')}: workers share accounts and limits there.`)
}
