// What the parent of several workers needs to know of the configuration: how many there are, and what it listens on for
// all of them. Kept apart so that the parent loads next to nothing else.
import { availableParallelism } from 'node:os'
import { mistaken, type Reading, understood } from '../../config/environment.ts'
import type { EnvironmentReader } from '../../config/environment-reader.ts'
import { secret, setting } from '../../config/setting.ts'

export interface ListenerConfiguration {
  adminHost: string
  /** undefined: health is answered on the main port only. */
  adminPort: number | undefined
  metricsHost: string
  metricsPort: number | undefined
  metricsToken: string | undefined
}

export const listenerReadings = (reader: EnvironmentReader) => ({
  adminHost: understood(reader.text(setting('ADMIN_HOST', '127.0.0.1'))),
  adminPort: reader.integer(setting('ADMIN_PORT'), { min: 0, max: 65_535 }),
  metricsHost: understood(reader.text(setting('METRICS_HOST', '127.0.0.1'))),
  metricsPort: reader.integer(setting('METRICS_PORT'), { min: 0, max: 65_535 }),
  metricsToken: understood(reader.text(secret('METRICS_TOKEN'))),
})

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
