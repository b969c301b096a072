#!/usr/bin/env node
// The executable.
import { runCli } from './cli/program.ts'
import { commandLineHost } from './command-line-host.ts'

process.exitCode = await runCli(process.argv.slice(2), commandLineHost(process.env))
