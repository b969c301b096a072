// `bowerbird serve` with several workers: this process is their parent. It accepts connections and hands them to the
// workers in turn (`node:cluster`), so that none is lost when a worker goes, answers health checks and metrics for all
// of them, and does nothing else. Each worker is a node like any other: what they share is in PostgreSQL and Redis.
//
// Not `reusePort`: the kernel resets connections that wait for a worker when it stops listening, and a second instance
// on the same port would silently take half of the requests.
import cluster from 'node:cluster'
import { isatty } from 'node:tty'
import { readEnvironment, together } from '../../config/environment.ts'
import { EnvironmentReader } from '../../config/environment-reader.ts'
import { setting } from '../../config/setting.ts'
import { createLog, LOG_LEVELS, type LogLevel } from '../../log.ts'
import { serveHealth } from '../health/health-listener.ts'
import { METRICS_TYPE, serveMetrics } from '../metrics/metrics-listener.ts'
import { onStopSignals } from '../stop-signals.ts'
import { endWhenUncaught } from '../uncaught.ts'
import { ofListening } from './listen-failure.ts'
import { type ListenerConfiguration, listenerReadings, readWorkers } from './listener-configuration.ts'
import { Supervisor, type WorkerProcess } from './supervisor.ts'
import { type FromWorker, WORKER_NUMBER, workerNumberIn } from './worker-messages.ts'

interface WorkersConfiguration extends ListenerConfiguration {
  workers: number
  logLevel: LogLevel
}

const TICK_MS = 1_000

/** undefined: a worker, one process is enough, or there is a mistake, which that process then reports. */
export function readWorkersConfiguration(
  argv: readonly string[],
  own: NodeJS.ProcessEnv,
): WorkersConfiguration | undefined {
  if (workerNumberIn(own) !== undefined) return undefined
  const { env, mistakes } = readEnvironment(argv, own)
  const reader = new EnvironmentReader(env)
  const reading = together<WorkersConfiguration>({
    workers: readWorkers(reader),
    logLevel: reader.choice(setting('LOG_LEVEL', 'info'), LOG_LEVELS),
    ...listenerReadings(reader),
  })
  const isRight = reading.ok && mistakes.length === 0 && reader.mistakes.length === 0
  return isRight && reading.value.workers > 1 ? reading.value : undefined
}

/** Resolves with the exit code when all workers have ended. */
export async function runWorkers(configuration: WorkersConfiguration): Promise<number> {
  const log = createLog(configuration.logLevel)
  endWhenUncaught(log)
  const supervisor = new Supervisor({ workers: configuration.workers, fork, clock: () => performance.now(), log })
  await using opened = new AsyncDisposableStack()
  const mistake = await openSideListeners(configuration, supervisor, opened)
  if (mistake !== undefined) {
    process.stderr.write(`${mistake}\n`)
    return 1
  }
  const timer = setInterval(() => supervisor.tick(), TICK_MS)
  opened.defer(() => clearInterval(timer))
  onStopSignals({ first: (signal) => supervisor.stop(signal), again: () => supervisor.kill() })
  // Of a terminal it means that the terminal is gone.
  const isAtTerminal = isatty(0)
  process.on('SIGHUP', () => {
    if (isAtTerminal) {
      supervisor.stop('SIGINT')
      return
    }
    log.info('replacing all workers')
    void supervisor.replaceAll().then(() => log.info('all workers are replaced'))
  })
  return await supervisor.run()
}

/** Why they could not be opened, if so. */
async function openSideListeners(
  { adminHost, adminPort, metricsHost, metricsPort, metricsToken }: ListenerConfiguration,
  supervisor: Supervisor,
  opened: AsyncDisposableStack,
): Promise<string | undefined> {
  let prefix: 'METRICS_' | 'ADMIN_' = 'METRICS_'
  try {
    if (metricsPort !== undefined) {
      const metrics = { contentType: METRICS_TYPE, text: () => supervisor.metrics() }
      const listener = await serveMetrics(metrics, { host: metricsHost, port: metricsPort, token: metricsToken })
      opened.defer(() => listener.close())
    }
    prefix = 'ADMIN_'
    if (adminPort !== undefined) {
      const listener = await serveHealth({ host: adminHost, port: adminPort }, () => supervisor.health())
      opened.defer(() => listener.close())
    }
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const sentence = ofListening(code, prefix, prefix === 'ADMIN_' ? adminPort : metricsPort)
    if (sentence === undefined) throw error
    return sentence
  }
}

function fork(number: number): WorkerProcess {
  const worker = cluster.fork({ [WORKER_NUMBER]: String(number) })
  // A message to one that has just died.
  worker.on('error', () => undefined)
  return {
    send(message) {
      if (worker.isConnected()) worker.send(message, () => undefined)
    },
    kill: () => void worker.process.kill('SIGKILL'),
    onMessage: (listener) => void worker.on('message', (message: FromWorker) => listener(message)),
    onExit: (listener) => void worker.once('exit', (code, signal) => listener(code, signal)),
  }
}
