#!/usr/bin/env node
// The executable. Whatever it writes is for its own user alone. Node's compile cache is kept for the next start, which
// halves the time of a command, so everything else is imported after it is turned on. Only the demo command loads the
// demo: it brings in the simulated providers, which a real instance has no use for. The health command loads nothing
// else, because containers run it all the time, and the parent of several workers loads only what it needs for them. Nor
// does `serve` load the command line, unless it has to say what went wrong.
import { enableCompileCache } from 'node:module'
import { openCacheFolder } from './config/cache-folder.ts'

const CLOSE_MS = 1_000
/** A file of settings may be named before or after it. */
const SERVE = /^(?:--env-file[= ]\S.* )?serve(?: --env-file[= ]\S.*)?$/

process.umask(0o077)
const cacheFolder = openCacheFolder(process.env['HOME'])
if (cacheFolder !== undefined) enableCompileCache(cacheFolder)
const argv = process.argv.slice(2)
process.exitCode = await run()
// Whatever a failed command could not close must not keep the process alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), CLOSE_MS).unref()

async function run(): Promise<number> {
  if (argv.length === 1 && argv[0] === 'health') return await runHealth()
  return SERVE.test(argv.join(' ')) ? await runServe() : await runCommand()
}

async function runServe(): Promise<number> {
  const { readPrimaryConfiguration, runWorkers } = await import('./app/workers/run-workers.ts')
  const primary = readPrimaryConfiguration(argv, process.env)
  if (primary) return await runWorkers(primary)
  // A reader of standard output may go away.
  process.stdout.on('error', () => undefined)
  const { serve } = await import('./app/workers/serve.ts')
  try {
    await serve(argv, process.env)
    return 0
  } catch (error) {
    return await (await import('./cli/program.ts')).reportFailure(error, argv, process.stderr)
  }
}

async function runCommand(): Promise<number> {
  const [{ runCli }, { commandLineHost }] = await Promise.all([
    import('./cli/program.ts'),
    import('./app/command-line-host.ts'),
  ])
  const host = commandLineHost(argv, process.env, async (options) => (await import('./demo/demo.ts')).runDemo(options))
  return await runCli(argv, host)
}

async function runHealth(): Promise<number> {
  const [{ checkHealth }, { readEnvironment }] = await Promise.all([
    import('./cli/health.ts'),
    import('./config/environment.ts'),
  ])
  const { isReady, sentence } = await checkHealth(readEnvironment(argv, process.env).env)
  process.stdout.write(`${sentence}\n`)
  return isReady ? 0 : 1
}
