/**
 * Starts to count; the returned function gives the milliseconds of CPU that this thread has spent since. Unlike time on
 * the wall it does not rise while another process has the machine.
 */
export function startCpuTimer(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
