// Paired measurement, as performance.md asks: the candidate and the limit take turns in one run, the order turns round
// every other pair, and the figure is the median of the paired ratios of requests per CPU-second.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Contestant } from './contestant.ts'
import { LOAD_CORE } from './contestant.ts'
import type { LoadOrder, LoadResult } from './load.ts'

export interface Side {
  name: string
  contestant: Contestant
  order: Omit<LoadOrder, 'ms' | 'requests'>
}

export interface Reading {
  perCpuSecond: number
  perSecond: number
}

export interface Comparison {
  ratio: number
  candidate: Reading
  limit: Reading
}

/** Just-in-time compilation of a whole server takes longer than that of fifty lines. */
const WARM_UP_MS = 12_000
const WINDOW_MS = 3_000

export class Load {
  readonly #process: ChildProcess = fork(new URL('load.ts', import.meta.url), {
    execPath: 'taskset',
    execArgv: ['-c', LOAD_CORE, process.execPath],
  })

  async put(order: LoadOrder): Promise<LoadResult> {
    this.#process.send(order)
    const [result] = (await once(this.#process, 'message')) as [LoadResult]
    return result
  }

  stop(): void {
    this.#process.disconnect()
  }
}

async function read(load: Load, { name, contestant, order }: Side): Promise<Reading> {
  const cpuBefore = contestant.cpuSeconds()
  const started = performance.now()
  const { requests, errors } = await load.put({ ...order, ms: WINDOW_MS })
  if (errors > 0) throw new Error(`${name}: ${errors} of ${requests} replies were not 200`)
  return {
    perCpuSecond: requests / (contestant.cpuSeconds() - cpuBefore),
    perSecond: (requests * 1000) / (performance.now() - started),
  }
}

export interface Match {
  candidate: Side
  limit: Side
  pairs: number
  /** What the ratio is of. */
  by?: keyof Reading
}

export async function compare(
  load: Load,
  { candidate, limit, pairs, by = 'perCpuSecond' }: Match,
): Promise<Comparison> {
  for (const side of [candidate, limit]) await load.put({ ...side.order, ms: WARM_UP_MS })
  const readings: { candidate: Reading; limit: Reading }[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) {
      const first = await read(load, candidate)
      readings.push({ candidate: first, limit: await read(load, limit) })
    } else {
      const first = await read(load, limit)
      readings.push({ limit: first, candidate: await read(load, candidate) })
    }
  }
  const middle = (value: (reading: (typeof readings)[number]) => number) => median(readings.map(value))
  const sideOf = (side: 'candidate' | 'limit'): Reading => ({
    perCpuSecond: middle((reading) => reading[side].perCpuSecond),
    perSecond: middle((reading) => reading[side].perSecond),
  })
  return {
    ratio: middle((reading) => reading.candidate[by] / reading.limit[by]),
    candidate: sideOf('candidate'),
    limit: sideOf('limit'),
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}
