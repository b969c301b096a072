// What a text costs a surface: the least time of several rounds. Other programs on the machine can only make a round
// longer; if they interrupt one, the thread's CPU time says so, which is exact for long rounds only. One rule says what
// is too much.
import { startCpuTimer } from '../../engines/test/cpu-timer.ts'
import { type Recipe, render } from './recipe.ts'
import type { LoadedSurface } from './surface.ts'

/** Two ticks of the clock that Linux counts CPU time with. */
const CPU_RESOLUTION_MS = 8

/** Milliseconds of one execution. */
export async function measureOnce({ run }: Pick<LoadedSurface, 'run'>, text: string): Promise<number> {
  const cpuMs = startCpuTimer()
  const startedAt = performance.now()
  const result = run(text)
  if (result instanceof Promise) await result
  return Math.min(performance.now() - startedAt, cpuMs() + CPU_RESOLUTION_MS)
}

/** The least of several rounds. */
export async function measureLeast(surface: LoadedSurface, text: string, rounds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, await measureOnce(surface, text))
  return least
}

/** Of a linear cost at four times the size; a quadratic one is sixteen times as high. */
const MAX_GROWTH = 8
/** Below this, growth can't be told from noise. */
const MIN_MS_FOR_GROWTH = 1

/** The size of the text and how much smaller the other one is that it is compared with. */
const SMALLER = 4

export interface Cost {
  ms: number
  /** At a quarter of the size. */
  quarterMs: number
}

export async function costOf(surface: LoadedSurface, recipe: Recipe, rounds: number): Promise<Cost> {
  const textOf = (size: number) => render(recipe, size, surface.seeds)
  const quarterMs = await measureLeast(surface, textOf(surface.limit / SMALLER), rounds)
  return { quarterMs, ms: await measureLeast(surface, textOf(surface.limit), rounds) }
}

/** undefined: the cost is within the bound, and linear. `tolerance` is for machines that do other things as well. */
export function faultOf(
  { limit, boundMs, isEndedByTime }: LoadedSurface,
  cost: Cost,
  tolerance = 1,
): string | undefined {
  const { ms, quarterMs } = cost
  const took = `${ms.toFixed(1)} ms for ${limit} bytes`
  if (ms > boundMs * tolerance) return `${took}; at most ${boundMs} ms`
  const growth = ms / Math.max(quarterMs, MIN_MS_FOR_GROWTH / SMALLER)
  if (!isEndedByTime && ms > MIN_MS_FOR_GROWTH * tolerance && growth > MAX_GROWTH)
    return `${took}, ${quarterMs.toFixed(1)} ms for a quarter: more than linear`
  return undefined
}
