// The listeners beside the main one: metrics (METRICS_PORT) and health checks (ADMIN_PORT).
import { codeOf, Refusal } from '../errors.ts'
import { type HealthListener, type HealthState, serveHealth } from '../http/health-listener.ts'
import { serveMetrics } from '../http/metrics-listener.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { OperationConfiguration } from '../settings/operation-configuration.ts'

interface SideParts {
  metrics: Pick<Metrics, 'text' | 'contentType'>
  health: () => HealthState
  /** Closes the listeners with everything else. */
  opened: AsyncDisposableStack
}

/** Opens the listeners that have a port. Returns the one for health checks. */
export async function openSideListeners(
  { adminHost, adminPort, metricsHost, metricsPort, metricsToken }: OperationConfiguration,
  { metrics, health, opened }: SideParts,
): Promise<HealthListener | undefined> {
  if (metricsPort !== undefined) {
    const listener = await serveMetrics(metrics, { host: metricsHost, port: metricsPort, token: metricsToken }).catch(
      (error: unknown) => {
        throw explainListenFailure(error, 'METRICS_', metricsPort)
      },
    )
    opened.defer(() => listener.close())
  }
  if (adminPort === undefined) return undefined
  const listener = await serveHealth({ host: adminHost, port: adminPort }, health).catch((error: unknown) => {
    throw explainListenFailure(error, 'ADMIN_', adminPort)
  })
  opened.defer(() => listener.close())
  return listener
}

/** Explains in one sentence which setting to change. Returns the error itself if no explanation fits. */
export function explainListenFailure(error: unknown, prefix: '' | 'ADMIN_' | 'METRICS_', port: number): unknown {
  const sentence = sentenceFor(codeOf(error), prefix, port)
  return sentence === undefined ? error : new Refusal('storage_unavailable', sentence)
}

function sentenceFor(code: string, prefix: string, port: number): string | undefined {
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Set ${prefix}PORT to a free port.`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Set ${prefix}PORT to a port above 1023.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return `${prefix}HOST is not an address of this machine.`
  return undefined
}
