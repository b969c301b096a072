// A server as an operator runs it: `bowerbird serve` in a separate process, and the command line beside it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithWorker } from './end-with-worker.ts'

const BOWERBIRD = resolve(import.meta.dirname, '../../src/bowerbird.ts')
/** A server that hangs is killed, so that its test fails and cleans up. */
const PATIENCE_MS = 240_000

export interface ServerProcess {
  url: string
  process: ChildProcess
  logged: () => string
  /** Its standard output so far. */
  printed: () => string
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

/** `within`: a command that runs the server, such as `unshare`. `program`: the source unless given. */
export async function startServerProcess(
  settings: Record<string, string>,
  within: readonly string[] = [],
  program = BOWERBIRD,
): Promise<ServerProcess> {
  const [command, ...args] = [...within, process.execPath, program, 'serve'] as const
  const child = endWithWorker(spawn(command, args, { env: environment(settings) }))
  const lines: string[] = []
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  const printed: string[] = []
  const { promise: listening, resolve: listens } = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    printed.push(line)
    const [url] = /http:\/\/\S+/.exec(line) ?? []
    if (url) listens(url)
  })
  const tooLate = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref()
  const url = await Promise.race([
    listening,
    once(child, 'close').then(([code]) => {
      throw new Error(`the server did not start: exit code ${code}: ${lines.join('')}`)
    }),
  ])
  clearTimeout(tooLate)
  return {
    url,
    process: child,
    logged: () => lines.join(''),
    printed: () => printed.join('\n'),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
  /** Between its last output and its exit. */
  lingeredMs: number
}

/** Runs `bowerbird <args>` from the source, with `input` on standard input. */
export const bowerbird = (args: string[], settings: Record<string, string>, input = '') =>
  runProgram([BOWERBIRD, ...args], settings, input)

/** Runs a program of Node with `input` on standard input. */
export const runProgram = (
  programAndArgs: string[],
  settings: Record<string, string>,
  input = '',
): Promise<CommandResult> =>
  new Promise((done) => {
    let spokeAt = performance.now()
    const child = execFile(
      process.execPath,
      programAndArgs,
      { env: environment(settings), timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const lingeredMs = performance.now() - spokeAt
        done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr, lingeredMs })
      },
    )
    const speaks = () => {
      spokeAt = performance.now()
    }
    child.stdout?.on('data', speaks)
    child.stderr?.on('data', speaks)
    child.stdin?.end(input)
  })

/** Keeps the machine's environment variables out of tests. */
const environment = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PORT: '0',
  // There is no balancer to wait for.
  DRAIN_SECONDS: '0',
  ...settings,
})
