#!/usr/bin/env node
// The executable. Whatever it writes is for its own user alone. Node's compile cache is kept for the next start, which
// halves the time of a command, so everything else is imported after it is turned on. Only the demo command loads the
// demo: it brings in the simulated providers, which a real instance has no use for. The health command loads nothing
// else, because containers run it all the time, and the parent of several workers loads only what it needs for them.
import { enableCompileCache } from 'node:module'
import { openCacheFolder } from './config/cache-folder.ts'

const CLOSE_MS = 1_000

process.umask(0o077)
const cacheFolder = openCacheFolder(process.env['HOME'])
if (cacheFolder !== undefined) enableCompileCache(cacheFolder)
const argv = process.argv.slice(2)
process.exitCode = await run()
// Whatever a failed command could not close must not keep the process alive.
if (process.exitCode !== 0) setTimeout(() => process.exit(), CLOSE_MS).unref()

async function run(): Promise<number> {
  if (argv.length === 1 && argv[0] === 'health') return await runHealth()
  const code = await runWorkersIfAny()
  if (code !== undefined) return code
  const [{ runCli }, { commandLineHost }] = await Promise.all([
    import('./cli/program.ts'),
    import('./app/command-line-host.ts'),
  ])
  const host = commandLineHost(argv, process.env, async (options) => (await import('./demo/demo.ts')).runDemo(options))
  return await runCli(argv, host)
}

async function runWorkersIfAny(): Promise<number | undefined> {
  if (!argv.includes('serve')) return undefined
  const { readWorkersConfiguration, runWorkers } = await import('./app/workers/run-workers.ts')
  const configuration = readWorkersConfiguration(argv, process.env)
  if (!configuration) return undefined
  // From their very first file on, workers then need not load what strips types, which takes 16 MB.
  if (cacheFolder !== undefined) process.env['NODE_COMPILE_CACHE'] ??= cacheFolder
  return await runWorkers(configuration)
}

async function runHealth(): Promise<number> {
  const [{ checkHealth }, { readEnvironment }] = await Promise.all([
    import('./cli/health.ts'),
    import('./config/read-environment.ts'),
  ])
  const { isReady, sentence } = await checkHealth(readEnvironment(argv, process.env).env)
  process.stdout.write(`${sentence}\n`)
  return isReady ? 0 : 1
}
