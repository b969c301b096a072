// Holds processes to a share of one core, so that a test can give a server more than it can do without needing the whole
// machine for it, and so that other work on the machine changes little. It takes control groups and root; where there
// are none, the processes keep the whole machine.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CONTROLLER = '/sys/fs/cgroup/cpu'
/** Short, so that a process which has used up its share waits for milliseconds only. */
const PERIOD_US = 10_000
const LEAST_US = 1_000
/** Against 1,024 of anybody else: on a busy machine the processes get the share that they are held to. */
const WEIGHT = 20_000

/** Gives what lets the process go; call it after the process has ended. */
export function holdToShare(pid: number, share: number): () => void {
  const folder = join(CONTROLLER, `bowerbird-test-${pid}`)
  try {
    if (!existsSync(join(CONTROLLER, 'cpu.cfs_quota_us'))) return () => undefined
    mkdirSync(folder)
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US))
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.max(LEAST_US, Math.round(PERIOD_US * share))))
    writeFileSync(join(folder, 'cpu.shares'), String(WEIGHT))
    writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  } catch {
    // Not our machine to divide.
    return () => undefined
  }
  return () => rmdirSync(folder)
}
