// `bowerbird serve` in one process: the whole node, or one of its workers. It doesn't load the code of the command
// line, which a server would keep in memory for as long as it runs.
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvironment } from '../config/environment.ts'
import { createLog, createWorkerLog } from '../log.ts'
import { becomeOwner } from '../postgres/data-folder-owner.ts'
import { type Configuration, readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { describeData } from './instance-data.ts'
import { exitOnUncaughtError, untilSignal } from './process-end.ts'
import type { WorkerHealth } from './run-workers.ts'
import { type Instance, startInstance } from './start.ts'

const REPORT_EVERY_MS = 1_000

/** `argv` may contain `--env-file`. Throws the error that prevents the start. */
export async function serve(argv: readonly string[], processEnv: NodeJS.ProcessEnv): Promise<void> {
  const { env, mistakes } = readEnvironment(argv, processEnv)
  const configuration = requireConfiguration(readConfiguration(env, mistakes))
  const { logLevel, operation } = configuration
  const { worker } = cluster
  const log = worker ? createWorkerLog(logLevel, worker.id) : createLog(logLevel)
  exitOnUncaughtError(log)
  if (configuration.databaseUrl === undefined) await prepareDataFolder(configuration, argv)
  const instance = await startInstance(worker ? asWorker(configuration) : configuration, log)
  if (worker) reportToPrimary(instance)
  // A process stopped by Ctrl-C, or one that has just failed, has no load balancer in front of it.
  let drainSeconds = 0
  try {
    const signalled = untilSignal()
    // Of several workers, only the first prints this.
    if (!worker || worker.id === 1) await announce(instance, configuration)
    if ((await signalled) === 'SIGTERM') drainSeconds = operation.drainSeconds
  } finally {
    await instance.close(drainSeconds * 1_000)
    if (worker) process.disconnect?.()
  }
}

/** Prepares for the built-in database, whose first start takes many seconds. */
async function prepareDataFolder({ dataFolder }: Configuration, argv: readonly string[]): Promise<void> {
  await becomeOwner(dataFolder, argv)
  if (!existsSync(join(dataFolder, 'postgres'))) process.stdout.write('Preparing the database…\n')
}

async function announce({ url, services }: Instance, configuration: Configuration): Promise<void> {
  process.stdout.write(`Bowerbird is listening at ${url}\n${describeData(configuration)}\n`)
  const token = await services.accounts.firstRun.issueToken()
  if (token) process.stdout.write(`Create the first account at ${setUpUrl(url, configuration)}/setup?token=${token}\n`)
}

/** No browser can open a wildcard address. */
const setUpUrl = (url: string, { publicUrl, host }: Configuration): string =>
  publicUrl || (['0.0.0.0', '::'].includes(host) ? `http://127.0.0.1:${new URL(url).port}` : url)

/** The primary answers health checks and metrics, for all workers. */
const asWorker = (configuration: Configuration): Configuration => ({
  ...configuration,
  operation: { ...configuration.operation, adminPort: undefined, metricsPort: undefined, metricsToken: undefined },
})

function reportToPrimary({ health, services }: Instance): void {
  services.metrics.answerPrimary()
  // The terminal sends SIGHUP to workers too; the primary decides what to do.
  process.on('SIGHUP', () => undefined)
  const report = () => {
    const message: WorkerHealth = { health: health() }
    if (process.connected) process.send?.(message)
  }
  report()
  setInterval(report, REPORT_EVERY_MS).unref()
}
