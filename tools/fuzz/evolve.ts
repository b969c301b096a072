// Looks for the most expensive texts of a surface until its time is up. Runs in a worker thread, which takes one order
// after the other, so that a text that never ends can be ended; before each execution it says what it tries.
//
// Recipes that cost most, and those that reach code no other has reached, are mutated further: the worst of a hundred
// generations is far from what anybody would write by hand. The code is V8's own coverage, which slows it down, so what
// is too expensive is judged at the end, without it.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { resolve } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { ALL_SURFACES } from './all.ts'
import { type Cost, costOf, faultOf, glanceAt, judge, measure, SMALL_SHARES } from './measure.ts'
import { mutate, type Recipe, render } from './recipe.ts'
import { type LoadedSurface, loadSurface } from './surface.ts'

export interface EvolveOrder {
  name: string
  corpus: readonly Recipe[]
  seconds: number
  seed: number
}

export interface Fault {
  recipe: Recipe
  message: string
}

export interface Evolved {
  worst: { recipe: Recipe; cost: Cost }[]
  faults: Fault[]
  executions: number
  /** Functions of the surface's files that were called, of those that V8 knows. */
  covered: number
  functions: number
}

export type EvolveMessage = { trying: Recipe } | { evolved: Evolved }

const ROOT = resolve(import.meta.dirname, '../..')
const MAX_WORST = 12
const KEPT = 3
/** More of them rarely say more. */
const MAX_SUSPECTS = 6

/** Words of the source, characters that delimit in some syntax, and those of the examples. */
function wordsOf({ files, seeds }: LoadedSurface): string[] {
  const sources = files.map((file) => readFileSync(resolve(ROOT, file), 'utf8'))
  const literals = sources.flatMap((source) =>
    [...source.matchAll(/'([^'\\\n]{1,24})'/g)].map((match) => match[1] ?? ''),
  )
  const tokens = seeds.flatMap((seed) => seed.slice(0, 4_000).match(/\w{1,16}|[^\w\s]{1,4}/g) ?? [])
  return [...new Set([...literals, ...tokens, ...DELIMITERS])]
}

const DELIMITERS = [
  ...Array.from(' \t\n\r\0.,:;!?-_+*/\\|#%&=~^$@\'"`()[]{}<>0aé鳥'),
  '  ',
  '\r\n',
  '\n\n',
  '%00',
  '%zz',
  '&amp;',
  '&#x',
  '<!--',
  '-->',
  '</',
  '://',
  '..',
  '**',
  '\u00a0',
  '\u0301',
  '\ud83e',
  '1e9',
  '\\u0000',
  '1,',
  '{},',
  '"a":1,',
  '"__proto__":{"a":1},',
]

/** Collects which functions have run. */
function openCoverage(files: readonly string[]) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  const blocks = new Set<string>()
  const functions = new Map<string, boolean>()
  const addresses = new Set(files.map((file) => `file://${resolve(ROOT, file)}`))
  return {
    functions,
    stop: () => session.disconnect(),
    /** Whether code of ours has run that never ran before. */
    isNew(): boolean {
      const before = blocks.size
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        for (const { url, functions: found } of result) {
          if (!url.startsWith(`file://${ROOT}/`) || url.includes('/node_modules/')) continue
          for (const { ranges } of found) {
            for (const { startOffset, endOffset, count } of ranges)
              if (count > 0) blocks.add(`${url} ${startOffset} ${endOffset}`)
            const whole = ranges[0]
            const id = `${url} ${whole?.startOffset}`
            if (addresses.has(url)) functions.set(id, functions.get(id) === true || (whole?.count ?? 0) > 0)
          }
        }
      })
      return blocks.size > before
    },
  }
}

async function evolve({ name, corpus, seconds, seed }: EvolveOrder): Promise<Evolved> {
  const declared = ALL_SURFACES.find((surface) => surface.name === name)
  if (!declared) throw new Error(`There is no surface "${name}".`)
  const endAt = performance.now() + seconds * 1_000
  // From before the surface is loaded, or functions that only load it would be missing.
  const coverage = openCoverage(declared.files)
  const surface = await loadSurface(declared)
  const words = wordsOf(surface)
  const random = randomFrom(seed)
  const faults: Fault[] = []
  /** The most expensive first. */
  const worst: Evolved['worst'] = []
  /** Those that reached new code. */
  const novel: Recipe[] = []
  /** Those that seem too expensive. */
  const suspects: Recipe[] = []
  let executions = 0
  const counted: LoadedSurface = {
    ...surface,
    run(text) {
      executions += 1
      return surface.run(text)
    },
  }

  /** Keeps the recipe if it is among the worst or reaches new code. `isKnown`: measures it in any case. */
  async function tryRecipe(recipe: Recipe, isKnown: boolean): Promise<void> {
    parentPort?.postMessage({ trying: recipe } satisfies EvolveMessage, [])
    try {
      let ms = 0
      for (const share of SMALL_SHARES) {
        const text = render(recipe, surface.limit * share, surface.seeds)
        ms = await glanceAt(counted, text)
        if (ms > surface.boundMs) ms = await measure(counted, text)
        if (ms > surface.boundMs) return suspect(recipe)
      }
      if (coverage.isNew()) novel.push(recipe)
      // The last size was a quarter of that quarter.
      const cheapestMs = worst.length < MAX_WORST ? 0 : (worst.at(-1)?.cost.quarterMs ?? 0) / 4
      if (!isKnown && ms <= cheapestMs) return
      const cost = await costOf(counted, recipe)
      if (faultOf(surface, cost)) suspect(recipe)
      worst.push({ recipe, cost })
      worst.sort((one, other) => other.cost.ms - one.cost.ms).splice(MAX_WORST)
    } catch (error) {
      noteError(recipe, error)
    }
  }

  const noteError = (recipe: Recipe, error: unknown): void => {
    faults.push({ recipe, message: `throws ${error instanceof Error ? error.stack : String(error)}` })
  }

  const suspect = (recipe: Recipe): void => {
    if (!surface.isEndedByTime && suspects.length < MAX_SUSPECTS) suspects.push(recipe)
  }

  for (const text of surface.seeds) await measure(counted, text)
  const examples = surface.seeds.map((text, at): Recipe => [{ seed: at, from: 0, to: text.length }])
  for (const recipe of [...corpus, ...examples]) await tryRecipe(recipe, true)
  // The more expensive a recipe is, the more often it is mutated.
  const pickWorst = () => worst[Math.min(random(worst.length), random(worst.length))]?.recipe
  const pick = () => (random(3) === 0 ? novel[random(novel.length)] : pickWorst()) ?? []
  while (performance.now() < endAt && faults.length === 0) {
    await tryRecipe(mutate(pick(), pick(), { seeds: surface.seeds, words, random }), false)
  }
  coverage.stop()
  const judged: Evolved['worst'] = []
  for (const recipe of new Set([...suspects, ...worst.slice(0, KEPT).map((one) => one.recipe)])) {
    parentPort?.postMessage({ trying: recipe } satisfies EvolveMessage, [])
    try {
      const { cost, fault } = await judge(counted, recipe)
      if (fault) faults.push({ recipe, message: fault })
      if (cost) judged.push({ recipe, cost })
    } catch (error) {
      noteError(recipe, error)
    }
  }
  const known = [...coverage.functions.values()]
  return {
    worst: judged.sort((one, other) => other.cost.ms - one.cost.ms).slice(0, KEPT),
    faults,
    executions,
    covered: known.filter(Boolean).length,
    functions: known.length,
  }
}

/** A linear congruential generator: the same seed repeats the same run, apart from what it measures. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

parentPort?.on('message', (order: EvolveOrder) => {
  evolve(order).then(
    (evolved) => parentPort?.postMessage({ evolved } satisfies EvolveMessage, []),
    // Ends the thread, which tells the other side.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
