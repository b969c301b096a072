// Resources that another process has used, as counted by the kernel.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second: fixed in the kernel's interface to user space. */
const TICKS = 100

/** User and system time of all threads. */
export function cpuSecondsOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / TICKS
}

const megabytesOf = (pid: number | undefined, field: RegExp): number =>
  Number(field.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

export const residentMegabytesOf = (pid: number | undefined): number => megabytesOf(pid, /VmRSS:\s+(\d+)/)

/** Its peak memory. */
export const peakMegabytesOf = (pid: number | undefined): number => megabytesOf(pid, /VmHWM:\s+(\d+)/)

/** Its child processes. */
export const childrenOf = (parent: number | undefined): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, fields = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
      return Number(fields.split(' ')[1]) === parent ? [Number(name)] : []
    } catch {
      // It has exited meanwhile.
      return []
    }
  })
