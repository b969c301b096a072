// The program behind the command `bowerbird`. Files it creates are private to its user (umask). Node's compile cache
// halves the time of a command, so it's enabled before anything else is imported; but Node keeps what it reads from there
// in memory, so the server of a release, which lives long and starts within two tenths of a second of it, does without.
// Imports are lazy: only `demo` loads the simulated providers, `health` loads almost nothing because containers run it
// constantly, and `serve` loads the command line only to report a failure.
import { enableCompileCache } from 'node:module'
import { openCacheFolder } from './config/cache-folder.ts'

const CLOSE_MS = 1_000
/** `--env-file` may come before or after the command. */
const SERVE = /^(?:--env-file[= ]\S.* )?serve(?: --env-file[= ]\S.*)?$/

process.umask(0o077)
const argv = process.argv.slice(2)
const isServer = SERVE.test(argv.join(' '))
const isRelease = import.meta.filename.endsWith('.js')
const cacheFolder = isServer && isRelease ? undefined : openCacheFolder(process.env['HOME'])
if (cacheFolder !== undefined) enableCompileCache(cacheFolder)
process.exitCode = await run()
// What is still open now must not keep the process alive: a failed command leaves things open, and ioredis refreshes the
// slots of a Redis Cluster forever if it's closed during a refresh.
setTimeout(() => process.exit(), CLOSE_MS).unref()

async function run(): Promise<number> {
  if (argv.length === 1 && argv[0] === 'health') return await runHealth()
  return isServer ? await runServe() : await runCommand()
}

async function runServe(): Promise<number> {
  // The process that reads our standard output may exit.
  process.stdout.on('error', () => undefined)
  try {
    await (await import('./operate/serve.ts')).serve(argv, process.env)
    return 0
  } catch (error) {
    return await (await import('./cli/program.ts')).reportFailure(error, argv, process.stderr)
  }
}

async function runCommand(): Promise<number> {
  const [{ runCli }, { commandLineHost }] = await Promise.all([
    import('./cli/program.ts'),
    import('./operate/command-line-host.ts'),
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
