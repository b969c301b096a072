// `bowerbird serve`: one node. It doesn't load the code of the command line, which a server would keep in memory for as
// long as it runs.
import { readEnvironment } from '../config/environment.ts'
import { createLog } from '../log.ts'
import { type Configuration, readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { becomeOwner } from '../store/data-folder-owner.ts'
import { describeData } from './instance-data.ts'
import { exitOnUncaughtError, untilSignal } from './process-end.ts'
import { type Instance, localUrl, startInstance } from './start.ts'

/** `argv` may contain `--env-file`. Throws the error that prevents the start. */
export async function serve(argv: readonly string[], processEnv: NodeJS.ProcessEnv): Promise<void> {
  const { env, mistakes } = readEnvironment(argv, processEnv)
  const configuration = requireConfiguration(readConfiguration(env, mistakes))
  const { logLevel, operation } = configuration
  const log = createLog(logLevel)
  exitOnUncaughtError(log)
  if (configuration.databaseUrl === undefined) await becomeOwner(configuration.dataFolder, argv)
  const instance = await startInstance(configuration, log)
  // A process stopped by Ctrl-C, or one that has just failed, has no load balancer in front of it.
  let drainSeconds = 0
  try {
    const signalled = untilSignal()
    await announce(instance, configuration)
    if ((await signalled) === 'SIGTERM') drainSeconds = operation.drainSeconds
  } finally {
    await instance.close(drainSeconds * 1_000)
  }
}

async function announce({ url, services }: Instance, configuration: Configuration): Promise<void> {
  process.stdout.write(`Bowerbird is listening at ${url}\n${describeData(configuration)}\n`)
  const token = await services.accounts.firstRun.issueToken()
  if (token)
    process.stdout.write(
      `Create the first account at ${configuration.publicUrl || localUrl(url, configuration)}/setup?token=${token}\n`,
    )
}
