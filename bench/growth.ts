// How the CPU of an uncached search grows with the number of engines and of their results: `npx node bench/growth.ts`. All
// of them take turns in one run. The last column is what one more engine, or one more result, costs from row to row: it
// should stay the same.
import { parseArgs } from 'node:util'
import { sandboxSettings } from '../server/src/demo/sandbox-settings.ts'
import { type Contestant, LOAD_CORE, startContestant } from './contestant.ts'
import { Load, measure, middleOf, ROUNDS, type Side } from './measure.ts'
import { sandboxUrlOf, startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: String(ROUNDS) } },
})

const CONNECTIONS = 16
const MICROSECONDS = 1e6
const ENGINES = [
  'brave',
  'mojeek',
  'marginalia',
  'searxng',
  'kagi',
  'you',
  'serpapi',
  'searchapi',
  'webiq',
  'firecrawl',
]
const ENGINE_COUNTS = [1, 3, 5, 10]
const RESULT_COUNTS = [5, 10, 20, 50]
/** Where the other number is varied. */
const USUAL = { engines: 3, results: 10 }

const QUERIES = Array.from({ length: 1_000 }, (_, number) => `growth+query+${number}`)
const slotOf = (at: number): string => `engine_${String.fromCharCode('a'.charCodeAt(0) + at)}`

const parts = new AsyncDisposableStack()
const stoppable = <Part extends { stop: () => unknown }>(part: Part): Part => {
  parts.defer(async () => void (await part.stop()))
  return part
}

/** Settings that point every engine at replies with so many results. */
function settingsFor(upstream: Contestant, results: number): Record<string, string> {
  const { port } = JSON.parse(upstream.firstLine)
  return {
    ...sandboxSettings((slug) => `http://127.0.0.1:${port}/${results}/${slug}`),
    ...Object.fromEntries(ENGINES.map((slug, at) => [slotOf(at).toUpperCase(), slug])),
    ...Object.fromEntries(ENGINES.map((slug) => [`${slug.toUpperCase()}_PACE`, 'off'])),
    SEARCH_CACHE_SECONDS: '0',
  }
}

async function startSides(): Promise<Map<string, Side>> {
  const sandbox = stoppable(await startBenchSandbox())
  const upstream = stoppable(await startContestant(LOAD_CORE, ['bench/sized-upstream.ts', sandboxUrlOf(sandbox)]))
  const { startNode, authorization } = stoppable(await startSurroundings(sandbox))
  const sides = new Map<string, Side>()
  for (const results of RESULT_COUNTS) {
    const { node, port } = await startNode(settingsFor(upstream, results))
    for (const engines of results === USUAL.results ? ENGINE_COUNTS : [USUAL.engines]) {
      const slots = ENGINES.slice(0, engines).map((_, at) => slotOf(at))
      const paths = QUERIES.map((query) => `/api/v1/web/?q=${query}&engine=${slots.join(',')}`)
      const order = { port, paths, headers: { authorization }, connections: CONNECTIONS }
      const name = nameOf(engines, results)
      await requireResults(order, name, { engines, results })
      sides.set(name, { name, contestant: node, order })
    }
  }
  return sides
}

const nameOf = (engines: number, results: number): string => `${engines} engines, ${results} results each`

/** A row is worth nothing if an engine was skipped or its reply not read. */
async function requireResults({ port, paths, headers }: Side['order'], name: string, wanted: typeof USUAL) {
  const reply = await fetch(`http://127.0.0.1:${port}${paths[0]}`, { headers })
  const status = reply.headers.get('engine-status') ?? ''
  const full = status.split(', ').filter((engine) => engine.includes(`;ok;n=${wanted.results};`))
  if (full.length !== wanted.engines) throw new Error(`${name}: ${reply.status} ${status}`)
}

interface Row {
  engines: number
  results: number
  microseconds: number
}

const rowsBy = (grown: keyof typeof USUAL, rows: readonly Row[]): string[] =>
  rows.map(({ microseconds, ...row }, at) => {
    const before = rows[at - 1]
    const more = before && (microseconds - before.microseconds) / (row[grown] - before[grown])
    return `| ${row.engines} | ${row.results} | ${microseconds.toFixed(0)} | ${more?.toFixed(0) ?? ''} |`
  })

try {
  const sides = await startSides()
  const load = stoppable(new Load())
  const readings = await measure(load, [...sides.values()], Number(options.rounds))
  const rowOf = (engines: number, results: number): Row => {
    const side = sides.get(nameOf(engines, results))
    const { perCpuSecond } = middleOf((side && readings.get(side)) ?? [])
    return { engines, results, microseconds: MICROSECONDS / perCpuSecond }
  }
  const byEngines = ENGINE_COUNTS.map((engines) => rowOf(engines, USUAL.results))
  const byResults = RESULT_COUNTS.map((results) => rowOf(USUAL.engines, results))
  const table = [
    '| engines | results each | CPU a search, µs | for one more, µs |',
    '|---|---|---|---|',
    ...rowsBy('engines', byEngines),
    ...rowsBy('results', byResults),
  ]
  process.stdout.write(options.json ? `${JSON.stringify({ byEngines, byResults })}\n` : `${table.join('\n')}\n`)
} finally {
  await parts.disposeAsync()
}
