// Holds processes to a share of one core, so that a test can overload a server without using the whole machine, and
// other work on the machine matters little. Needs control groups and root; without them nothing is limited.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CONTROLLER = '/sys/fs/cgroup/cpu'
/** Short, so that a process that has used up its share waits only milliseconds. */
const PERIOD_US = 10_000
const LEAST_US = 1_000
/** Others have 1,024: even on a busy machine the processes get their share. */
const WEIGHT = 20_000

/** Returns a function that removes the limit; call it after the process has ended. */
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
    // We may not write control groups here.
    return () => undefined
  }
  return () => rmdirSync(folder)
}
