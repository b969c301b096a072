// A process under measurement: started on one core, asked for its port, and read for the CPU time it has used.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const SERVER_CORE = '0'
export const LOAD_CORE = '1'

/** Clock ticks a second: fixed in the kernel's interface to user space. */
const TICKS = 100

export interface Contestant {
  process: ChildProcess
  /** The first line it printed. */
  firstLine: string
  cpuSeconds: () => number
  stop: () => Promise<void>
}

export async function startContestant(
  core: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Contestant> {
  const child = spawn('taskset', ['-c', core, process.execPath, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface(child.stdout)
  const [firstLine] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [''])])) as [string]
  if (firstLine === '') throw new Error(`${args.join(' ')} ended before it was ready`)
  return {
    process: child,
    firstLine,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}
