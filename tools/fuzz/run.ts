// `npm run fuzz -- [--minutes 10] [--seed n] [surface…]`: looks for texts that cost too much, beginning with the worst
// ones known (corpus.jsonl), and writes the worst ones found there. Names of surfaces are in docs/security/README.md; the
// beginning of a name is enough. Exits with 1 if a text costs more than its surface allows, grows more than linearly, or
// makes the code throw what it shouldn't.
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { ALL_SURFACES } from './all.ts'
import { readCorpus, writeCorpus } from './corpus.ts'
import type { Evolved, EvolveMessage, EvolveOrder } from './evolve.ts'
import type { Recipe } from './recipe.ts'
import type { Surface } from './surface.ts'

/** A text is executed some twenty times, on a machine that may do other things. It takes this long only if it would forever. */
const SILENCE_MS = 240_000
/** Replies have many surfaces, which share most of their code. */
const REPLY_WEIGHT = 0.25

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
  allowPositionals: true,
})

const corpus = readCorpus()
const chosen = ALL_SURFACES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
)
if (chosen.length === 0) throw new Error(`No surface begins with ${positionals.join(' or ')}.`)
const weightOf = ({ when }: Surface): number => (when === 'reply' ? REPLY_WEIGHT : 1)
const secondsPerWeight = (Number(values.minutes) * 60) / chosen.reduce((sum, surface) => sum + weightOf(surface), 0)

const startWorker = (): Worker => new Worker(new URL('evolve.ts', import.meta.url))
let worker = startWorker()

const runSurface = (order: EvolveOrder): Promise<Evolved> =>
  new Promise((resolve, reject) => {
    let trying: Recipe = []
    let timer: NodeJS.Timeout | undefined
    const finish = (evolved: Evolved) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', reject)
      resolve(evolved)
    }
    const giveUp = () => {
      const message = `still running after ${SILENCE_MS / 1_000} seconds`
      finish({ worst: [], faults: [{ recipe: trying, message }], executions: 0, covered: 0, functions: 0 })
      void worker.terminate()
      worker = startWorker()
    }
    const waitOn = () => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, SILENCE_MS)
    }
    const onMessage = (message: EvolveMessage) => {
      if ('evolved' in message) return finish(message.evolved)
      trying = message.trying
      waitOn()
    }
    worker.on('message', onMessage).on('error', reject)
    waitOn()
    worker.postMessage(order, [])
  })

process.stdout.write(`seed ${values.seed}, ${chosen.length} surfaces\n`)
let executions = 0
let faults = 0
for (const surface of chosen) {
  const { name, limit } = surface
  const seconds = secondsPerWeight * weightOf(surface)
  const evolved = await runSurface({ name, corpus: corpus.get(name) ?? [], seconds, seed: Number(values.seed) })
  const ms = evolved.worst[0]?.cost.ms.toFixed(2) ?? '-'
  const coverage = `${evolved.covered} of ${evolved.functions} functions`
  process.stdout.write(
    `${name.padEnd(32)} ${ms.padStart(8)} ms at ${limit} bytes, ${evolved.executions} executions, ${coverage}\n`,
  )
  for (const { message, recipe } of evolved.faults)
    process.stdout.write(`  FAULT ${message}\n  ${JSON.stringify(recipe)}\n`)
  executions += evolved.executions
  faults += evolved.faults.length
  const worst = [...evolved.faults.slice(0, 1), ...evolved.worst].map(({ recipe }) => recipe)
  if (worst.length > 0) corpus.set(name, worst.slice(0, surface.when === 'reply' ? 1 : 3))
  // Each time, because it may be interrupted.
  writeCorpus(corpus)
}
await worker.terminate()
process.stdout.write(`${executions} executions, ${faults} faults\n`)
process.exitCode = faults === 0 ? 0 : 1
