// `npx node bench/latency.ts`: the latency a search adds to the bare fan-out, at 200 requests a second in an open loop,
// with engines that take 50 ms. All sides alternate in the same run. With --json, one object: milliseconds added to the
// median, and the 99th percentile as a multiple of the bare one's. `--against <git ref>` also measures another revision
// of this tree, and our 99th percentile as a multiple of its.
import { parseArgs } from 'node:util'
import { percentile } from '../server/test/support/open-loop.ts'
import { type Contestant, SERVER_CORE, startContestant } from './contestant.ts'
import { Load, median, type Ratio, ROUNDS, shuffled, withInterval } from './measure.ts'
import type { OpenLoadOrder, OpenLoadResult } from './open-load.ts'
import { checkOut } from './other-tree.ts'
import { sandboxUrlOf, startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(ROUNDS) },
    against: { type: 'string' },
  },
})

const ENGINE_MS = 50
const PER_SECOND = 200
const WARM_UP_SECONDS = 10
const WINDOW_SECONDS = 5
const ENGINES = ['brave', 'mojeek', 'marginalia']
const QUERIES = Array.from({ length: 1_000 }, (_, number) => `bench+query+${number}`)

interface Side {
  name: string
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

const sideOf = (name: string, at: Pick<Side, 'port' | 'headers'>, path: string): Side => ({
  name,
  ...at,
  paths: QUERIES.map((query) => `${path}?q=${query}`),
  rounds: [],
})

async function startTree(sandbox: Contestant, name: string, root: string): Promise<Side> {
  const { startNode, authorization } = stoppable(await startSurroundings(sandbox, { root }))
  const { port } = await startNode({ SEARCH_CACHE_SECONDS: '0' })
  return sideOf(name, { port, headers: { authorization } }, '/api/v1/web/')
}

async function startOtherTree(sandbox: Contestant, ref: string): Promise<Side> {
  const tree = checkOut(ref)
  parts.defer(tree.remove)
  return await startTree(sandbox, ref, tree.root)
}

async function startBare(sandbox: Contestant): Promise<Side> {
  const fanOut = stoppable(await startContestant(SERVER_CORE, ['bench/bare-fan-out.ts', sandboxUrlOf(sandbox)]))
  return sideOf('bare', { port: JSON.parse(fanOut.firstLine).port, headers: {} }, '/')
}

const orderOf = ({ port, paths, headers }: Side, seconds: number): OpenLoadOrder => ({
  port,
  paths,
  headers,
  perSecond: PER_SECOND,
  seconds,
})

type Round = Side['rounds'][number]

const paired = (one: Side, other: Side, of: (one: Round, other: Round) => number): Ratio =>
  withInterval(one.rounds.map((round, at) => of(round, other.rounds[at] ?? round)))

const addedTo = (one: Side, other: Side): Ratio => paired(one, other, (mine, theirs) => mine.p50 - theirs.p50)
const tailsOf = (one: Side, other: Side): Ratio => paired(one, other, (mine, theirs) => mine.p99 / theirs.p99)

const inWords = ({ ratio, low, high }: Ratio): string => `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`

const asJson = (name: string, { ratio, low, high }: Ratio): Record<string, number> => {
  const rounded = (value: number) => Math.round(value * 1000) / 1000
  return { [name]: rounded(ratio), [`${name}_low`]: rounded(low), [`${name}_high`]: rounded(high) }
}

function report(ours: Side, bare: Side, other: Side | undefined): string {
  if (options.json) {
    return JSON.stringify({
      ...asJson('added_p50_ms', addedTo(ours, bare)),
      ...asJson('p99_vs_bare', tailsOf(ours, bare)),
      ...(other && {
        ...asJson('then_p99_vs_bare', tailsOf(other, bare)),
        ...asJson('p99_vs_then', tailsOf(ours, other)),
      }),
    })
  }
  const middle = ({ rounds }: Side, of: keyof Round) => median(rounds.map((round) => round[of])).toFixed(1)
  const lines = [ours, ...(other ? [other] : [])].flatMap((side) => [
    `${side.name}: p50 ${middle(side, 'p50')} ms, bare ${middle(bare, 'p50')}: ${inWords(addedTo(side, bare))} ms added`,
    `${side.name}: p99 ${middle(side, 'p99')} ms, bare ${middle(bare, 'p99')}: ${inWords(tailsOf(side, bare))} times as long`,
  ])
  return [...lines, ...(other ? [`p99 of ours / ${other.name}: ${inWords(tailsOf(ours, other))}`] : [])].join('\n')
}

try {
  const sandbox = stoppable(await startBenchSandbox())
  const ours = await startTree(sandbox, 'ours', '.')
  const other = options.against === undefined ? undefined : await startOtherTree(sandbox, options.against)
  const bare = await startBare(sandbox)
  const sides = [ours, bare, ...(other ? [other] : [])]
  await slowDown(sandbox)
  const load = stoppable(new Load<OpenLoadOrder, OpenLoadResult>('open-load.ts'))
  for (const side of sides) await load.put(orderOf(side, WARM_UP_SECONDS))
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const side of shuffled(sides)) {
      const { ms, errors } = await load.put(orderOf(side, WINDOW_SECONDS))
      if (errors > 0)
        throw new Error(`${side.name}: ${errors} of ${ms.length} replies were not 200: this machine is too busy`)
      side.rounds.push({ p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) })
    }
  }
  process.stdout.write(`${report(ours, bare, other)}\n`)
} finally {
  await parts.disposeAsync()
}
