// `bowerbird serve` with WORKERS=n: this process is the primary of n workers (`node:cluster`). It hands connections to
// the workers in turn, answers health checks and metrics for all of them, replaces a worker that dies or gets stuck,
// and does nothing else. Each worker is a node like any other: all that they share is in PostgreSQL and Redis.
//
// The first worker starts alone: if it fails, the others would too, and it has reported why.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { isatty } from 'node:tty'
import { AggregatorRegistry, type Counter, Registry } from 'prom-client'
import { readEnvironment, readWritten } from '../config/environment.ts'
import type { HealthState } from '../http/health-listener.ts'
import { METRICS_TYPE } from '../http/metrics-listener.ts'
import { createLog, type Log, type LogLevel } from '../log.ts'
import { addWorkerMetrics } from '../metrics/worker-metrics.ts'
import {
  OPERATION_SETTINGS,
  type OperationConfiguration,
  operationOf,
  workersMistakes,
} from '../settings/operation-configuration.ts'
import { exitOnUncaughtError, onStopSignals, type StopSignal } from './process-end.ts'
import { openSideListeners } from './side-listeners.ts'

interface PrimaryConfiguration {
  operation: OperationConfiguration
  logLevel: LogLevel
}

/** What a worker sends to the primary every second. */
export interface WorkerHealth {
  health: HealthState
}

/** Without these settings there is only one process. */
const STORES = new Set(['DATABASE_URL', 'REDIS_URL'])

/** Returns undefined in a worker, if one process is enough, or on a mistake, which that one process then reports. */
export function readPrimaryConfiguration(
  argv: readonly string[],
  processEnv: NodeJS.ProcessEnv,
): PrimaryConfiguration | undefined {
  if (cluster.isWorker) return undefined
  const { env, mistakes } = readEnvironment(argv, processEnv)
  const { values, mistakes: fileMistakes } = readWritten(
    env,
    (name) => name in OPERATION_SETTINGS.shape || STORES.has(name),
  )
  const settings = OPERATION_SETTINGS.safeParse(values)
  if (!settings.success || [...mistakes, ...fileMistakes, ...workersMistakes(values)].length > 0) return undefined
  const operation = operationOf(settings.data, values)
  return operation.workers > 1 ? { operation, logLevel: settings.data.LOG_LEVEL } : undefined
}

/** Resolves with the exit code when all workers have exited. Throws the error that prevents the start. */
export async function runWorkers({ operation, logLevel }: PrimaryConfiguration): Promise<number> {
  const log = createLog(logLevel)
  exitOnUncaughtError(log)
  const workers = new Workers(operation.workers, log)
  await using opened = new AsyncDisposableStack()
  const metrics = { contentType: METRICS_TYPE, text: () => workers.metrics() }
  await openSideListeners(operation, { metrics, health: () => workers.health(), opened })
  onStopSignals({ first: (signal) => workers.stop(signal), again: () => workers.kill() })
  // SIGHUP from a terminal means that the terminal is gone.
  process.on('SIGHUP', () => (isatty(0) ? workers.stop('SIGINT') : void workers.replaceAll()))
  return await workers.run()
}

const RESTART_MS = 1_000
const STUCK_MS = 30_000
/** The exit code of a process ended by Ctrl-C. */
const INTERRUPTED_EXIT_CODE = 130

class Workers {
  readonly #count: number
  readonly #log: Log
  /** Running workers, with the last health report of each and its time. */
  readonly #reports = new Map<Worker, { at: number; health?: HealthState }>()
  /** Workers that aren't replaced when they exit. */
  readonly #dismissed = new WeakSet<Worker>()
  readonly #exit = Promise.withResolvers<number>()
  readonly #workerMetrics = new AggregatorRegistry()
  readonly #ownMetrics = new Registry()
  readonly #deaths: Counter
  #exitCode = 0
  #isStarted = false
  #isStopping = false
  #isReplacing = false

  constructor(count: number, log: Log) {
    this.#count = count
    this.#log = log
    const serving = () => this.#states().filter(({ isReady }) => isReady).length
    this.#deaths = addWorkerMetrics(this.#ownMetrics, serving)
  }

  async run(): Promise<number> {
    const timer = setInterval(() => this.#killStuck(), RESTART_MS)
    const first = this.#fork()
    this.#isStarted = await Promise.race([isListening(first), this.#exit.promise.then(() => false)])
    while (this.#isStarted && !this.#isStopping && this.#reports.size < this.#count) this.#fork()
    return await this.#exit.promise.finally(() => clearInterval(timer))
  }

  stop(signal: StopSignal): void {
    this.#isStopping = true
    for (const worker of this.#reports.keys()) worker.process.kill(signal)
    if (this.#reports.size === 0) this.#exit.resolve(this.#exitCode)
  }

  kill(): void {
    this.#exitCode = INTERRUPTED_EXIT_CODE
    for (const worker of this.#reports.keys()) worker.process.kill('SIGKILL')
  }

  /** Replaces the workers one at a time, each only once its successor listens. */
  async replaceAll(): Promise<void> {
    if (this.#isReplacing) return
    this.#isReplacing = true
    this.#log.info('replacing all workers')
    const formers = [...this.#reports.keys()]
    let isDone = true
    for (const former of formers) isDone &&= await this.#replace(former)
    this.#isReplacing = false
    if (isDone) this.#log.info('all workers are replaced')
    else this.#log.error('new worker failed to start; keeping the old ones')
  }

  health(): HealthState {
    const states = this.#states()
    const { missing = [], redis } = states.find(({ missing }) => missing.length > 0) ?? states[0] ?? {}
    return { isReady: !this.#isStopping && states.some(({ isReady }) => isReady), missing, redis }
  }

  async metrics(): Promise<string> {
    return `${await this.#workerMetrics.clusterMetrics()}\n${await this.#ownMetrics.metrics()}`
  }

  #states(): HealthState[] {
    return [...this.#reports.values()].flatMap(({ health }) => health ?? [])
  }

  #fork(): Worker {
    const worker = cluster.fork()
    this.#reports.set(worker, { at: performance.now() })
    worker.on('message', ({ health }: Partial<WorkerHealth>) => {
      if (health && this.#reports.has(worker)) this.#reports.set(worker, { at: performance.now(), health })
    })
    worker.once('exit', (code, signal) => this.#end(worker, { code, signal }))
    return worker
  }

  #end(worker: Worker, end: { code: number | null; signal: string | null }): void {
    this.#reports.delete(worker)
    if (this.#isStopping || !this.#isStarted) {
      if (!this.#isStopping) this.#exitCode = end.code ?? 1
      if (this.#reports.size === 0) this.#exit.resolve(this.#exitCode)
    } else if (!this.#dismissed.has(worker)) {
      this.#deaths.inc()
      this.#log.error({ worker: worker.id, ...end }, 'a worker has ended; starting another')
      setTimeout(() => {
        if (!this.#isStopping && this.#reports.size < this.#count) this.#fork()
      }, RESTART_MS)
    }
  }

  async #replace(former: Worker): Promise<boolean> {
    if (this.#isStopping) return false
    const next = this.#fork()
    this.#dismissed.add(next)
    if (!(await Promise.race([isListening(next), hasEnded(next)]))) return false
    this.#dismissed.delete(next)
    this.#dismissed.add(former)
    if (!this.#reports.has(former)) return true
    former.process.kill('SIGTERM')
    await hasEnded(former)
    return true
  }

  /** Spares a worker that is merely busy: it still reports now and then. */
  #killStuck(): void {
    for (const [worker, { at, health }] of this.#reports) {
      if (!health || performance.now() - at < STUCK_MS) continue
      this.#log.error({ worker: worker.id }, 'a worker is stuck; killing it')
      worker.process.kill('SIGKILL')
    }
  }
}

const isListening = (worker: Worker): Promise<boolean> => once(worker, 'listening').then(() => true)
const hasEnded = (worker: Worker): Promise<boolean> => once(worker, 'exit').then(() => false)
