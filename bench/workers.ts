// `npx node bench/workers.ts`: cached suggestions from a node with two workers, compared with one worker, on the same
// two cores in the same run. The load and Redis need their share of these cores, so two can't be twice as fast: `limit`
// is the most that the CPU time of all of them allows.
import { parseArgs } from 'node:util'
import { cpuSecondsOf } from '../server/test/support/process-usage.ts'
import { BOTH_CORES } from './contestant.ts'
import { comparisonOf, Load, measure, ROUNDS, type Side } from './measure.ts'
import { redisInfo } from './redis-info.ts'
import { startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: String(ROUNDS) } },
})

const CONNECTIONS = 64
const CORES = 2
const SHARES_MS = 5_000
const PATH = '/api/v1/suggest/?q=climate'

const parts = new AsyncDisposableStack()
try {
  const sandbox = await startBenchSandbox()
  parts.defer(() => sandbox.stop())
  const surroundings = await startSurroundings(sandbox)
  parts.defer(() => surroundings.stop())
  const load = new Load()
  parts.defer(() => load.stop())
  const headers = { authorization: surroundings.authorization }
  const nodeOf = async (workers: number): Promise<Side> => {
    const { node, port } = await surroundings.startNode({ WORKERS: String(workers) }, BOTH_CORES)
    return {
      name: `${workers} workers`,
      contestant: node,
      order: { port, paths: [PATH], headers, connections: CONNECTIONS },
    }
  }
  const [one, two] = [await nodeOf(1), await nodeOf(2)]
  const readings = await measure(load, [one, two], Number(options.rounds))
  const {
    ratio,
    low,
    high,
    candidate,
    limit: alone,
  } = comparisonOf(readings, { candidate: two, limit: one, by: 'perSecond' })

  const redis = redisInfo(surroundings.settings['REDIS_URL'] ?? '')('process_id')
  const spent = () => ({ node: two.contestant.cpuSeconds(), around: cpuSecondsOf(load.pid) + cpuSecondsOf(redis) })
  const before = spent()
  await load.put({ ...two.order, ms: SHARES_MS })
  const after = spent()
  const [node, around] = [after.node - before.node, after.around - before.around]
  const most = (CORES * node) / (node + around)
  const rounded = (value: number) => Math.round(value * 1000) / 1000
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ two_vs_one: rounded(ratio), low: rounded(low), high: rounded(high), limit: rounded(most) })}\n`
      : `one worker   ${alone.perSecond.toFixed(0)} a second\ntwo workers  ${candidate.perSecond.toFixed(0)} a second: ${ratio.toFixed(2)} times as many (${low.toFixed(2)} to ${high.toFixed(2)})\nload and Redis take ${((100 * around) / (node + around)).toFixed(0)} % of the CPU time, so at most ${most.toFixed(2)} times\n`,
  )
} finally {
  await parts.disposeAsync()
}
