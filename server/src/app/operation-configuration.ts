// How an instance is run: its connections, its key cache, how it stops, its metrics, and how long it keeps records.
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { mapped, type Reading, together } from '../config/reading.ts'
import { setting } from '../config/setting.ts'
import type { LoadLimits } from '../limits/load-shedder.ts'
import { type Retention, readRetention } from './retention.ts'
import { type ListenerConfiguration, listenerReadings, readWorkers } from './workers/listener-configuration.ts'

export interface OperationConfiguration extends ListenerConfiguration {
  /** Processes that share the port. */
  workers: number
  /** How long a node that was told to stop still serves, while `/readyz` says 503. */
  drainSeconds: number
  maxConnections: number
  /** What keys in memory may take. */
  keyCacheBytes: number
  /** From when on requests are refused. */
  load: LoadLimits
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
    load: together<LoadLimits>({
      maxLoopDelayMs: reader.integer(setting('MAX_LOOP_DELAY_MS', '20'), { min: 0, max: 60_000 }),
      maxInFlight: reader.integer(setting('MAX_IN_FLIGHT', '2000'), { min: 0, max: 1_000_000 }),
    }),
    sendsTrace: mapped(reader.choice(setting('TRACE_PROVIDERS', 'off'), ['on', 'off']), (choice) => choice === 'on'),
    ...listenerReadings(reader),
    retention: readRetention(reader),
  })
