// What an instant answer costs in CPU against a cached web search on the same node, in one run: `node
// bench/instant.ts`. Every kind that asks no upstream takes its turn with its first example, again and again, as the
// cached search does; and queries that nobody has asked before, which cost more. With --each the kinds are measured one
// by one as well, dearest first; with --json the last line is the ratios. Needs PostgreSQL and redis-server, as the
// tests do.
import { parseArgs } from 'node:util'
import { ALL_ANSWERS } from '../server/src/answers/all.ts'
import type { Example } from '../server/src/answers/answer.ts'
import type { Contestant } from './contestant.ts'
import { compare, Load, ROUNDS, type Side } from './measure.ts'
import { startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(ROUNDS) },
  },
})

const CONNECTIONS = 64
const EACH_MS = 1_000
const MICROSECONDS = 1e6

/** Their cost is that of asking somebody. */
const ASKS_UPSTREAM: ReadonlySet<string> = new Set(['weather', 'currency', 'translation', 'dictionary_definition'])

const KINDS = ALL_ANSWERS.filter(({ slug }) => !ASKS_UPSTREAM.has(slug))

const say = (line: string): void => {
  if (!options.json) process.stdout.write(`${line}\n`)
}

/** More than are remembered, so that every one is worked out. */
const NEW_QUERIES = Array.from({ length: 2_000 }, (_, number) => [
  `${number} * 17 + 3`,
  `${number} km in miles`,
  `sha256 of word${number}`,
  `base64 encode text${number}`,
  `climate change ${number}`,
]).flat()

const addressOf = ([{ q, lang }]: readonly [Example, ...Example[]]): string =>
  `/api/v1/instant/?q=${encodeURIComponent(q)}&lang=${lang ?? ''}`

/** Microseconds of CPU for one request of each kind. */
async function costOfEach(load: Load, side: Side, node: Contestant): Promise<[string, number][]> {
  const costs: [string, number][] = []
  for (const { slug, examples } of KINDS) {
    const before = node.cpuSeconds()
    const { requests } = await load.put({ ...side.order, paths: [addressOf(examples)], ms: EACH_MS })
    costs.push([slug, (MICROSECONDS * (node.cpuSeconds() - before)) / requests])
  }
  return costs.sort(([, one], [, other]) => other - one)
}

const round = (ratio: number): number => Math.round(ratio * 1000) / 1000

const sandbox = await startBenchSandbox()
const surroundings = await startSurroundings(sandbox)
const load = new Load()
try {
  const { node, port } = await surroundings.startNode()
  const headers = { authorization: surroundings.authorization }
  const side = (name: string, paths: string[]): Side => ({
    name,
    contestant: node,
    order: { port, paths, headers, connections: CONNECTIONS },
  })
  const instant = side(
    'instant answers',
    KINDS.map(({ examples }) => addressOf(examples)),
  )
  const fresh = side(
    'new queries',
    NEW_QUERIES.map((q) => addressOf([{ q }])),
  )
  const candidate = side('cached web search', ['/api/v1/web/?q=climate'])
  const rounds = Number(options.rounds)
  const known = await compare(load, { candidate, limit: instant, rounds })
  const unknown = await compare(load, { candidate, limit: fresh, rounds })
  say(`cached web search          ${known.candidate.perCpuSecond.toFixed(0)} per CPU-second`)
  say(`${KINDS.length} kinds of answers        ${known.limit.perCpuSecond.toFixed(0)} per CPU-second`)
  say(`an instant answer costs    ${known.ratio.toFixed(2)} of a cached web search`)
  say(`asked for the first time   ${unknown.ratio.toFixed(2)}`)
  if (options.each) {
    for (const [slug, micros] of await costOfEach(load, instant, node)) {
      say(`${slug.padEnd(24)} ${micros.toFixed(0).padStart(6)} µs`)
    }
  }
  const ratios = { instant_vs_cached: round(known.ratio), new_instant_vs_cached: round(unknown.ratio) }
  if (options.json) process.stdout.write(`${JSON.stringify(ratios)}\n`)
} finally {
  load.stop()
  await surroundings.stop()
  await sandbox.stop()
}
