// A measured process: started on one core, with its port and the CPU time it has used.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { childrenOf, cpuSecondsOf } from '../server/test/support/process-usage.ts'

export const SERVER_CORE = '0'
export const LOAD_CORE = '1'

export interface Contestant {
  process: ChildProcess
  /** The first line it printed. */
  firstLine: string
  /** Includes its child processes, such as the one that reads pages. */
  cpuSeconds: () => number
  stop: () => Promise<void>
}

export async function startContestant(
  core: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Contestant> {
  const child = spawn('taskset', ['-c', core, process.execPath, ...args], {
    env: { ...process.env, DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface(child.stdout)
  const [firstLine] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [''])])) as [string]
  if (firstLine === '') throw new Error(`${args.join(' ')} ended before it was ready`)
  return {
    process: child,
    firstLine,
    cpuSeconds: () => [child.pid, ...childrenOf(child.pid)].reduce<number>((sum, pid) => sum + cpuSecondsOf(pid), 0),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
