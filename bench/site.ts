// What a page of results costs in CPU against the JSON of the same search, both cached, on one node and in one run:
// `node bench/site.ts [--json] [--rounds N]`. The page is asked for as browsers ask, compressed.
import { parseArgs } from 'node:util'
import { compare, Load, ROUNDS, type Side } from './measure.ts'
import { startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: String(ROUNDS) } },
})

const CONNECTIONS = 64

const sandbox = await startBenchSandbox()
const surroundings = await startSurroundings(sandbox, {
  own: { SITE_ACCESS: 'public', API_THROTTLE_BURST: '10000000/s', API_THROTTLE_SUSTAINED: '10000000/day' },
})
const load = new Load()
try {
  const { node, port } = await surroundings.startNode()
  const side = (name: string, path: string, headers: Record<string, string>): Side => ({
    name,
    contestant: node,
    order: { port, paths: [path], headers, connections: CONNECTIONS },
  })
  const { ratio, candidate, limit } = await compare(load, {
    candidate: side('JSON', '/api/v1/web/?q=climate', { authorization: surroundings.authorization }),
    limit: side('page', '/search?q=climate', { accept: 'text/html', 'accept-encoding': 'gzip, br' }),
    rounds: Number(options.rounds),
  })
  const rounded = Math.round(ratio * 1000) / 1000
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ page_vs_json: rounded })}\n`
      : `JSON  ${candidate.perCpuSecond.toFixed(0)} per CPU-second\npage  ${limit.perCpuSecond.toFixed(0)} per CPU-second\na page costs ${ratio.toFixed(2)} of the JSON reply\n`,
  )
} finally {
  load.stop()
  await surroundings.stop()
  await sandbox.stop()
}
