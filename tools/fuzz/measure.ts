// What a text costs a surface: CPU time of its thread, so that other programs on the machine don't count. One rule says
// what is too much.
import { startCpuTimer } from '../../engines/test/cpu-timer.ts'
import { type Recipe, render } from './recipe.ts'
import type { LoadedSurface } from './surface.ts'

/** Linux counts CPU time in ticks of a few milliseconds, so short executions are measured by the dozen. */
const MEASURED_MS = 50
/** Two ticks. */
const CPU_RESOLUTION_MS = 8
/** A first impression above this isn't noise. */
const SURE_MS = 3 * CPU_RESOLUTION_MS
/** A neighbour on the machine may still slow the processor down, so what seems too expensive is measured again. */
const ROUNDS = 3
const GROWTH_ROUNDS = 8

/** A first impression, of a single execution. */
export async function glanceAt(surface: LoadedSurface, text: string): Promise<number> {
  const cpuMs = startCpuTimer()
  const startedAt = performance.now()
  await execute(surface, text)
  return Math.min(performance.now() - startedAt, cpuMs() + CPU_RESOLUTION_MS)
}

/** CPU milliseconds of one execution, once V8 has compiled what it runs, unless a single one is long enough to tell. */
export async function measure(surface: LoadedSurface, text: string): Promise<number> {
  const firstCpuMs = startCpuTimer()
  await execute(surface, text)
  const firstMs = firstCpuMs()
  if (firstMs > MEASURED_MS) return firstMs
  const cpuMs = startCpuTimer()
  let executions = 0
  do {
    await execute(surface, text)
    executions += 1
  } while (cpuMs() < MEASURED_MS)
  return cpuMs() / executions
}

async function execute({ run }: Pick<LoadedSurface, 'run'>, text: string): Promise<void> {
  const result = run(text)
  if (result instanceof Promise) await result
}

/** Of a linear cost at four times the size; a quadratic one is sixteen times as high. */
const MAX_GROWTH = 8
/** Below this, growth can't be told from noise. */
const MIN_MS_FOR_GROWTH = 1

/** How much smaller the other text is that it is compared with. */
const SMALLER = 4

export interface Cost {
  ms: number
  /** At a quarter of the size. */
  quarterMs: number
}

/** A text that exceeds the bound at a quarter of the size isn't tried at its full size. */
export async function costOf(surface: LoadedSurface, recipe: Recipe, quarterShare = 1): Promise<Cost> {
  const textOf = (size: number) => render(recipe, size, surface.seeds)
  const quarter = textOf((surface.limit * quarterShare) / SMALLER)
  const firstMs = await glanceAt(surface, quarter)
  if (firstMs > Math.max(surface.boundMs, SURE_MS)) return { quarterMs: firstMs, ms: firstMs }
  const quarterMs = await measure(surface, quarter)
  return { quarterMs, ms: await measure(surface, textOf(surface.limit)) }
}

/** undefined: the cost is within the bound, and linear. `tolerance` is for slower machines. */
export function faultOf(
  { limit, boundMs, isEndedByTime }: LoadedSurface,
  cost: Cost,
  tolerance = 1,
): string | undefined {
  const { ms, quarterMs } = cost
  if (isEndedByTime) return undefined
  const took = `${ms.toFixed(1)} ms for ${limit} bytes`
  if (ms > boundMs * tolerance) return `${took}; at most ${boundMs} ms`
  const growth = ms / Math.max(quarterMs, MIN_MS_FOR_GROWTH / SMALLER)
  if (ms > MIN_MS_FOR_GROWTH * tolerance && growth > MAX_GROWTH)
    return `${took}, ${quarterMs.toFixed(1)} ms for a quarter: more than linear`
  return undefined
}

/** Sizes to try in turn, as shares of the limit: what is slow at a small size isn't tried at a large one. */
export const SMALL_SHARES = [1 / 256, 1 / 64, 1 / 16]

/**
 * The cost of the recipe, and what is wrong with it, if it is in each round. A text that isn't JSON, say, is given up
 * early or late depending on where it is cut, so each round compares with a quarter that is a little shorter.
 */
export async function judge(
  surface: LoadedSurface,
  recipe: Recipe,
  tolerance = 1,
): Promise<{ cost?: Cost; fault?: string | undefined }> {
  if (surface.isEndedByTime) return { cost: await costOf(surface, recipe) }
  for (const share of SMALL_SHARES) {
    const text = render(recipe, surface.limit * share, surface.seeds)
    let ms = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && ms > surface.boundMs * tolerance; round += 1)
      ms = Math.min(ms, await measure(surface, text))
    if (ms > surface.boundMs * tolerance)
      return { fault: `${ms.toFixed(1)} ms for only ${Buffer.byteLength(text)} bytes` }
  }
  let cost = await costOf(surface, recipe)
  let fault = faultOf(surface, cost, tolerance)
  for (let round = 1; round < GROWTH_ROUNDS && fault; round += 1) {
    const { ms, quarterMs } = await costOf(surface, recipe, 1 - round / 100)
    cost = { ms: Math.min(cost.ms, ms), quarterMs: Math.max(cost.quarterMs, quarterMs) }
    fault = faultOf(surface, cost, tolerance)
  }
  return { cost, fault }
}
