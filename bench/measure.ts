// Paired measurement: all sides alternate in one run, in an order shuffled for every round, so that other load on the
// machine affects each of them alike. A figure is the median of the ratios of the rounds, with its bootstrapped 95 %
// interval.
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

export interface Ratio {
  ratio: number
  /** The bounds of the 95 % interval. */
  low: number
  high: number
}

export interface Comparison extends Ratio {
  candidate: Reading
  limit: Reading
}

export const ROUNDS = 12

/** Just-in-time compilation of a whole server takes longer than that of fifty lines. */
const WARM_UP_MS = 12_000
const WINDOW_MS = 2_000
const DRAWS = 5_000

/** A program that puts load on a server, on its own core, on request. */
export class Load<Order extends object = LoadOrder, Result = LoadResult> {
  readonly #process: ChildProcess

  constructor(program = 'load.ts') {
    const execArgv = ['-c', LOAD_CORE, process.execPath]
    this.#process = fork(new URL(program, import.meta.url), { execPath: 'taskset', execArgv })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  async put(order: Order): Promise<Result> {
    this.#process.send(order)
    const [result] = (await once(this.#process, 'message')) as [Result]
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

/** Takes a reading of each side in every round. */
export async function measure(load: Load, sides: readonly Side[], rounds: number): Promise<Map<Side, Reading[]>> {
  for (const side of sides) await load.put({ ...side.order, ms: WARM_UP_MS })
  const readings = new Map(sides.map((side): [Side, Reading[]] => [side, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const side of shuffled(sides)) readings.get(side)?.push(await read(load, side))
  }
  return readings
}

export interface Match {
  candidate: Side
  limit: Side
  /** The reading that the ratio compares. */
  by?: keyof Reading
}

export function comparisonOf(
  readings: ReadonlyMap<Side, readonly Reading[]>,
  { candidate, limit, by = 'perCpuSecond' }: Match,
): Comparison {
  const [ours, theirs] = [readings.get(candidate) ?? [], readings.get(limit) ?? []]
  const ratios = ours.map((reading, round) => reading[by] / (theirs[round]?.[by] ?? Number.NaN))
  return { ...withInterval(ratios), candidate: middleOf(ours), limit: middleOf(theirs) }
}

export function withInterval(ratios: readonly number[]): Ratio {
  const draw = () => ratios[Math.floor(Math.random() * ratios.length)] ?? Number.NaN
  const medians = Array.from({ length: DRAWS }, () => median(ratios.map(draw))).sort((one, other) => one - other)
  const at = (share: number) => medians[Math.floor(share * (DRAWS - 1))] ?? Number.NaN
  return { ratio: median(ratios), low: at(0.025), high: at(0.975) }
}

const middleOf = (readings: readonly Reading[]): Reading => ({
  perCpuSecond: median(readings.map(({ perCpuSecond }) => perCpuSecond)),
  perSecond: median(readings.map(({ perSecond }) => perSecond)),
})

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
