// `npx node bench/latency.ts`: how much later than the bare fan-out a search is answered, at 200 requests a second that don't
// wait for each other, with engines that take 50 ms. Both sides take turns in the same run. With --json, one object:
// milliseconds added to the median, and the 99th percentile as a multiple of the bare one's.
import { parseArgs } from 'node:util'
import { percentile } from '../server/test/support/open-loop.ts'
import { type Contestant, SERVER_CORE, startContestant } from './contestant.ts'
import { Load, median, ROUNDS, shuffled, withInterval } from './measure.ts'
import type { OpenLoadOrder, OpenLoadResult } from './open-load.ts'
import { sandboxUrlOf, startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: String(ROUNDS) } },
})

const ENGINE_MS = 50
const PER_SECOND = 200
const WARM_UP_SECONDS = 10
const WINDOW_SECONDS = 5
const ENGINES = ['brave', 'mojeek', 'marginalia']
const QUERIES = Array.from({ length: 1_000 }, (_, number) => `bench+query+${number}`)

interface Side {
  port: number
  paths: string[]
  headers: Record<string, string>
  rounds: { p50: number; p99: number }[]
}

const parts = new AsyncDisposableStack()
const stoppable = <Part extends { stop: () => unknown }>(part: Part): Part => {
  parts.defer(async () => void (await part.stop()))
  return part
}

async function slowDown(sandbox: Contestant): Promise<void> {
  const faults = ENGINES.map((slug) => [slug, { kind: 'latency', latencyMs: ENGINE_MS }])
  const body = JSON.stringify(Object.fromEntries(faults))
  const reply = await fetch(`${sandboxUrlOf(sandbox)}/control/faults`, { method: 'POST', body })
  if (!reply.ok) throw new Error(await reply.text())
}

async function startSides(sandbox: Contestant): Promise<{ ours: Side; bare: Side }> {
  const surroundings = stoppable(await startSurroundings(sandbox))
  const { port } = await surroundings.startNode({ SEARCH_CACHE_SECONDS: '0' })
  const fanOut = stoppable(await startContestant(SERVER_CORE, ['bench/bare-fan-out.ts', sandboxUrlOf(sandbox)]))
  const sideOf = (at: Pick<Side, 'port' | 'headers'>, path: string): Side => ({
    ...at,
    paths: QUERIES.map((query) => `${path}?q=${query}`),
    rounds: [],
  })
  return {
    ours: sideOf({ port, headers: { authorization: surroundings.authorization } }, '/api/v1/web/'),
    bare: sideOf({ port: JSON.parse(fanOut.firstLine).port, headers: {} }, '/'),
  }
}

const orderOf = ({ port, paths, headers }: Side, seconds: number): OpenLoadOrder => ({
  port,
  paths,
  headers,
  perSecond: PER_SECOND,
  seconds,
})

try {
  const sandbox = stoppable(await startBenchSandbox())
  const sides = await startSides(sandbox)
  await slowDown(sandbox)
  const load = stoppable(new Load<OpenLoadOrder, OpenLoadResult>('open-load.ts'))
  const { ours, bare } = sides
  for (const side of [ours, bare]) await load.put(orderOf(side, WARM_UP_SECONDS))
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const side of shuffled([ours, bare])) {
      const { ms, errors } = await load.put(orderOf(side, WINDOW_SECONDS))
      if (errors > 0) throw new Error(`${errors} of ${ms.length} replies were not 200: this machine is too busy`)
      side.rounds.push({ p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) })
    }
  }
  const paired = (of: (one: Side['rounds'][number], other: Side['rounds'][number]) => number) =>
    withInterval(ours.rounds.map((one, round) => of(one, bare.rounds[round] ?? one)))
  const added = paired((one, other) => one.p50 - other.p50)
  const tail = paired((one, other) => one.p99 / other.p99)
  const rounded = (value: number) => Math.round(value * 1000) / 1000
  const middle = ({ rounds }: Side, of: 'p50' | 'p99') => median(rounds.map((round) => round[of])).toFixed(1)
  process.stdout.write(
    options.json
      ? `${JSON.stringify({
          added_p50_ms: rounded(added.ratio),
          added_p50_low: rounded(added.low),
          added_p50_high: rounded(added.high),
          p99_vs_bare: rounded(tail.ratio),
          p99_low: rounded(tail.low),
          p99_high: rounded(tail.high),
        })}\n`
      : `p50  ${middle(ours, 'p50')} ms, bare ${middle(bare, 'p50')}: ${added.ratio.toFixed(2)} ms added (${added.low.toFixed(2)} to ${added.high.toFixed(2)})\np99  ${middle(ours, 'p99')} ms, bare ${middle(bare, 'p99')}: ${tail.ratio.toFixed(2)} times as long (${tail.low.toFixed(2)} to ${tail.high.toFixed(2)})\n`,
  )
} finally {
  await parts.disposeAsync()
}
