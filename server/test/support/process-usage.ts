// What another process has used of the machine, as the kernel counts it.
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

/** The most it has ever had. */
export const peakMegabytesOf = (pid: number | undefined): number => megabytesOf(pid, /VmHWM:\s+(\d+)/)

/** The processes that it has started. */
export const childrenOf = (parent: number | undefined): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, fields = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
      return Number(fields.split(' ')[1]) === parent ? [Number(name)] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
