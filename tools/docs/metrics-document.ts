// Renders docs/reference/metrics.md from the metrics that an instance registers.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { z } from 'zod'
import { createMetrics } from '../../server/src/metrics/metrics.ts'
import type { WatchedServices } from '../../server/src/metrics/state-metrics.ts'

/** prom-client's own types leave out the labels. */
const Labelled = z.object({ labelNames: z.array(z.string()) })

function registeredMetrics() {
  const register = new Registry()
  const metrics = createMetrics(() => ({ limits: { state: 'connected' } }), { register })
  metrics.watchConnections(() => Promise.resolve(0))
  // A metric reads the services when it is scraped, and nothing is scraped here.
  metrics.watch({} as WatchedServices)
  return register.getMetricsAsArray()
}

const typeOf = (metric: object): string => {
  if (metric instanceof Counter) return 'counter'
  if (metric instanceof Gauge) return 'gauge'
  return metric instanceof Histogram ? 'histogram' : 'summary'
}

const isOfRuntime = (name: string): boolean => /^bowerbird_(?:process|nodejs)_/.test(name)

const rows = (): string[] =>
  registeredMetrics()
    .filter(({ name }) => !isOfRuntime(name))
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map((metric) => {
      const labels = Labelled.parse(metric).labelNames.map((label) => `\`${label}\``)
      return `| \`${metric.name}\` | ${typeOf(metric)} | ${labels.join(', ')} | ${metric.help} |`
    })

export const makeMetricsDocument = (): string => `# Metrics

Every metric that \`/metrics\` serves, in Prometheus' text format. \`npm run docs\` generates this page from the code. For what to watch and when to be
alerted, see [monitoring](../operate/monitoring.md).

| name | type | labels | meaning |
|---|---|---|---|
${rows().join('\n')}
| \`bowerbird_process_*\` | | | memory, CPU, open files and start time of the process |
| \`bowerbird_nodejs_*\` | | \`kind\`, \`space\`, \`type\`, \`version\`, \`major\`, \`minor\`, \`patch\` | memory, event loop and garbage collection of Node.js |

Histograms also have the label \`le\`. Label values come from closed lists, never from a request: \`engine\` and \`provider\` are a provider's name
(\`brave\`), not the slot; \`use\` is \`search\`, \`suggest\` or \`data\`.

Health checks of data sources aren't in these metrics; \`status/\` shows their results. How long a request waited before the process read it is
only known roughly, from the delay of the event loop, so measure latency at the proxy too.
`
