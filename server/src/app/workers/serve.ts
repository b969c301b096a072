// `bowerbird serve` in one process: the whole node, or one of its workers. It loads nothing of the command line, which a
// server would keep in memory for as long as it runs.

import { readEnvironment } from '../../config/environment.ts'
import { releaseMemory } from '../../config/lean-process.ts'
import { createLog, createWorkerLog } from '../../log.ts'
import { readConfiguration, requireConfiguration } from '../configuration.ts'
import { type Instance, startInstance } from '../start.ts'
import { untilSignal } from '../stop-signals.ts'
import { endWhenUncaught } from '../uncaught.ts'
import { workerNumberIn } from './worker-messages.ts'

/** `argv` may name a file of settings. Throws what keeps it from starting. */
export async function serve(argv: readonly string[], own: NodeJS.ProcessEnv): Promise<void> {
  const { env, mistakes } = readEnvironment(argv, own)
  const configuration = requireConfiguration(readConfiguration(env, mistakes))
  const worker = workerNumberIn(own)
  const log = worker === undefined ? createLog(configuration.logLevel) : createWorkerLog(configuration.logLevel, worker)
  endWhenUncaught(log)
  const announce = async ({ url, services }: Instance) => {
    process.stdout.write(`Bowerbird is listening at ${url}\n`)
    const token = await services.accounts.firstRun.issueToken()
    if (token)
      process.stdout.write(`Create the first account at ${configuration.publicUrl || url}/setup?token=${token}\n`)
  }
  if (worker !== undefined) {
    const { serveAsWorker } = await import('./serve-as-worker.ts')
    await serveAsWorker(configuration, log, announce)
    return
  }
  const instance = await startInstance(configuration, log)
  // No load balancer is in front of a process that someone stops by Ctrl-C, or of one that has just failed.
  let drainSeconds = 0
  try {
    const signalled = untilSignal()
    await announce(instance)
    releaseMemory()
    if ((await signalled) === 'SIGTERM') drainSeconds = configuration.operation.drainSeconds
  } finally {
    await instance.close(drainSeconds * 1_000)
  }
}
