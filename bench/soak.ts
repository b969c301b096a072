// `npm run soak -- --minutes 60`: mixed traffic at 60 % of a node's capacity, for as long as you like. Nothing may
// fail, and after the warm-up neither the node nor Redis may grow. Prints a line every ten seconds and a summary; exits
// with 1 if something failed or grew. Needs PostgreSQL and redis-server, as the tests do.
import { parseArgs } from 'node:util'
import { percentile, sendInTurn, sendSteadily } from '../server/test/support/open-loop.ts'
import { residentMegabytesOf } from '../server/test/support/process-usage.ts'
import { redisInfo } from './redis-info.ts'
import { startBenchSandbox, startSurroundings } from './surroundings.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    share: { type: 'string', default: '0.6' },
    json: { type: 'boolean', default: false },
  },
})

const seconds = Number(options.minutes) * 60
/** Long enough for the caches to fill and for their entries to expire. */
const WARM_UP_SECONDS = Math.min(300, seconds / 2)
const CACHE_SECONDS = 30
const LOOK_EVERY_MS = 10_000
const CAPACITY_SECONDS = 10
const CAPACITY_CLIENTS = 32
/** Normal variation: a pending garbage collection, a buffer that has grown. */
const MOST_GROWTH_MB = 48

/** Of twenty requests, most are for popular queries, a few for new ones, some for pages. */
const MIX: ((turn: number) => string)[] = [
  ...Array.from({ length: 12 }, () => (turn: number) => `/api/v1/web/?q=known+${turn % 50}`),
  ...Array.from({ length: 3 }, () => (turn: number) => `/api/v1/web/?q=new+${turn}`),
  (turn) => `/api/v1/images/?q=known+${turn % 20}`,
  (turn) => `/api/v1/suggest/?q=known+${turn % 20}`,
  (turn) => `/api/v1/instant/?q=${turn}+km+in+miles`,
  (turn) => `/search?q=known+${turn % 20}`,
  () => '/api/v1/status/',
]
const pathOf = (turn: number): string => MIX[turn % MIX.length]?.(turn) ?? '/'

interface Look {
  second: number
  nodeMb: number
  redisMb: number
}

const redisMb = (url: string): number => redisInfo(url)('used_memory') / 2 ** 20

const meanOf = (looks: readonly Look[], of: (look: Look) => number): number =>
  looks.reduce((sum, look) => sum + of(look), 0) / looks.length

const parts = new AsyncDisposableStack()
try {
  const sandbox = await startBenchSandbox()
  parts.defer(() => sandbox.stop())
  const surroundings = await startSurroundings(sandbox, {
    own: {
      SITE_ACCESS: 'public',
      SEARCH_CACHE_SECONDS: String(CACHE_SECONDS),
      API_THROTTLE_BURST: '10000000/s',
      API_THROTTLE_SUSTAINED: '10000000/day',
    },
  })
  parts.defer(() => surroundings.stop())
  const { node, port } = await surroundings.startNode()
  const target = {
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: surroundings.authorization },
    path: pathOf,
  }
  await sendInTurn(target, { clients: CAPACITY_CLIENTS, seconds: CAPACITY_SECONDS })
  const closed = await sendInTurn(target, { clients: CAPACITY_CLIENTS, seconds: CAPACITY_SECONDS })
  const perSecond = (Number(options.share) * closed.filter(({ status }) => status === 200).length) / CAPACITY_SECONDS
  process.stdout.write(`${perSecond.toFixed(0)} requests a second for ${options.minutes} minutes\n`)

  const looks: Look[] = []
  const startedAt = performance.now()
  const looking = setInterval(() => {
    const second = Math.round((performance.now() - startedAt) / 1_000)
    const look = {
      second,
      nodeMb: residentMegabytesOf(node.process.pid),
      redisMb: redisMb(surroundings.settings['REDIS_URL'] ?? ''),
    }
    looks.push(look)
    process.stdout.write(`${second} s  node ${look.nodeMb.toFixed(0)} MB  Redis ${look.redisMb.toFixed(1)} MB\n`)
  }, LOOK_EVERY_MS)
  let sent = 0
  const replies = await sendSteadily({ ...target, path: () => pathOf(sent++) }, { perSecond, seconds })
  clearInterval(looking)

  const late = looks.filter(({ second }) => second >= WARM_UP_SECONDS)
  const quarter = Math.max(1, Math.floor(late.length / 4))
  const growth = (of: (look: Look) => number) => meanOf(late.slice(-quarter), of) - meanOf(late.slice(0, quarter), of)
  const ms = replies.map((reply) => reply.ms)
  const failed = replies.filter(({ status }) => status !== 200)
  const summary = {
    requests: replies.length,
    failed: failed.length,
    per_second: Math.round(perSecond),
    p50_ms: Math.round(percentile(ms, 0.5) * 10) / 10,
    p99_ms: Math.round(percentile(ms, 0.99) * 10) / 10,
    node_mb: Math.round(meanOf(late.slice(-quarter), ({ nodeMb }) => nodeMb)),
    node_growth_mb: Math.round(growth(({ nodeMb }) => nodeMb)),
    redis_mb: Math.round(meanOf(late.slice(-quarter), (look) => look.redisMb)),
    redis_growth_mb: Math.round(growth((look) => look.redisMb)),
  }
  process.stdout.write(`${JSON.stringify(summary, null, options.json ? 0 : 2)}\n`)
  for (const { status } of failed.slice(0, 5)) process.stdout.write(`failed: ${status}\n`)
  const hasGrown = Math.max(summary.node_growth_mb, summary.redis_growth_mb) > MOST_GROWTH_MB
  if (failed.length > 0 || hasGrown) process.exitCode = 1
} finally {
  await parts.disposeAsync()
}
