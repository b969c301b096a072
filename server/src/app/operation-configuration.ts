// How an instance is run: its connections, its key cache, how it stops, its metrics, and how long it keeps records.
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { mapped, type Reading, together, understood } from '../config/reading.ts'
import { secret, setting } from '../config/setting.ts'
import type { LoadLimits } from '../limits/load-shedder.ts'
import { type Retention, readRetention } from './retention.ts'

export interface OperationConfiguration {
  /** How long a node that was told to stop still serves, while `/readyz` says 503. */
  drainSeconds: number
  maxConnections: number
  /** What keys in memory may take. */
  keyCacheBytes: number
  /** From when on requests are refused. */
  load: LoadLimits
  adminHost: string
  /** undefined: health is answered on the main port only. */
  adminPort: number | undefined
  /** Tells providers the trace that a call belongs to. */
  sendsTrace: boolean
  metricsHost: string
  metricsPort: number | undefined
  metricsToken: string | undefined
  retention: Retention
}

export const readOperationConfiguration = (reader: EnvironmentReader): Reading<OperationConfiguration> =>
  together<OperationConfiguration>({
    drainSeconds: reader.integer(setting('DRAIN_SECONDS', '5'), { min: 0, max: 300 }),
    maxConnections: reader.integer(setting('MAX_CONNECTIONS', '10000'), { min: 10, max: 1_000_000 }),
    keyCacheBytes: mapped(
      reader.integer(setting('KEY_CACHE_MB', '64'), { min: 1, max: 8_192 }),
      (megabytes) => megabytes * 1_000_000,
    ),
    load: together<LoadLimits>({
      maxLoopDelayMs: reader.integer(setting('MAX_LOOP_DELAY_MS', '20'), { min: 0, max: 60_000 }),
      maxInFlight: reader.integer(setting('MAX_IN_FLIGHT', '2000'), { min: 0, max: 1_000_000 }),
    }),
    adminHost: understood(reader.text(setting('ADMIN_HOST', '127.0.0.1'))),
    adminPort: reader.integer(setting('ADMIN_PORT'), { min: 0, max: 65_535 }),
    sendsTrace: mapped(reader.choice(setting('TRACE_PROVIDERS', 'off'), ['on', 'off']), (choice) => choice === 'on'),
    metricsHost: understood(reader.text(setting('METRICS_HOST', '127.0.0.1'))),
    metricsPort: reader.integer(setting('METRICS_PORT'), { min: 0, max: 65_535 }),
    metricsToken: understood(reader.text(secret('METRICS_TOKEN'))),
    retention: readRetention(reader),
  })
