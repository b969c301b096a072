#!/usr/bin/env node
// The executable. What Node makes of the sources is kept for the next start, which halves the time of a command; so
// everything else is imported after that is switched on.
import { enableCompileCache } from 'node:module'

enableCompileCache()
const [{ runCli }, { commandLineHost }] = await Promise.all([
  import('./cli/program.ts'),
  import('./command-line-host.ts'),
])

process.exitCode = await runCli(process.argv.slice(2), commandLineHost(process.env))
