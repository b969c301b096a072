// What the primary of several workers counts itself. The primary loads nothing large, so this isn't in `metrics.ts`.
import { Counter, Gauge, type Registry } from 'prom-client'

/** Returns the counter of workers that died. */
export function addWorkerMetrics(register: Registry, countServing: () => number): Counter {
  register.registerMetric(
    new Gauge({
      name: 'bowerbird_workers',
      help: 'Workers that serve; only with several',
      registers: [],
      collect() {
        this.set(countServing())
      },
    }),
  )
  return new Counter({
    name: 'bowerbird_worker_deaths_total',
    help: 'Workers that ended without having been told to; only with several',
    registers: [register],
  })
}
