// A minute under load in which Redis, its replica, PostgreSQL and the nodes are killed, frozen and restarted at random.
// Every promise holds: searches that clients received are counted once, no budget is overspent, no client gets an error
// other than the documented 503, and afterwards limits are again shared by all nodes.
//
// What the documentation doesn't promise isn't tested: a killed node loses what it counted while PostgreSQL was away.
// So a node is killed only after that is written; it then loses at most what it counted in its last second and a half.
//
// The order of the faults comes from a seed, which is printed first. To repeat a run:
//   FAULT_SEED=12345 npx vitest run server/test/faults/random-faults.test.ts
// FAULTS=100 runs longer.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, type ClusterNode, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.ts'
import { createRandom } from '../support/random.ts'
import { type RedisPair, startRedisPair } from '../support/redis-pair.ts'
import { storedUsage } from '../support/stored-usage.ts'

const FAULTS = Number(process.env['FAULTS'] ?? 14)
const CLIENTS = 10
/** Makes about eighty requests a second. */
const PAUSE_MS = 110
const BUDGET = 150
const BURST = 30
const SUSTAINED = 120
const WRITTEN_MS = 20_000
/** A second between two writes, plus a margin for a busy machine. */
const UNWRITTEN_MS = 1_500
/** One request in this many is uncached. */
const UNCACHED_EVERY = 6

const seed = Number(process.env['FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const random = createRandom(seed)

const parts = new AsyncDisposableStack()
let redis: RedisPair
let postgres: PrivatePostgres
let cluster: Cluster
const holders: Holder[] = []

beforeAll(async () => {
  process.stdout.write(`FAULT_SEED=${seed}\n`)
  redis = await startRedisPair()
  parts.defer(() => redis.close())
  postgres = await startPrivatePostgres()
  parts.defer(() => postgres.remove())
  cluster = await startCluster({
    databaseUrl: postgres.url,
    settings: { REDIS_URL: redis.url, BRAVE_MONTHLY_CALLS: `${BUDGET}`, BRAVE_RATE_LIMIT: '100000/s' },
  })
  parts.defer(() => cluster.close())
})
afterAll(() => parts.disposeAsync())

const faults: Record<string, () => Promise<void>> = {
  'Redis freezes': async () => {
    redis.freeze()
    await sleep(random.between(200, 4_000))
    redis.thaw()
  },
  'Redis is killed and comes back empty': () => redis.restart(random.between(0, 2_000)),
  'Redis fails over': () => redis.failOver(),
  'PostgreSQL freezes': async () => {
    await postgres.freeze()
    await sleep(random.between(500, 4_000))
    postgres.thaw()
  },
  'PostgreSQL crashes': async () => {
    await postgres.stop()
    await sleep(random.between(0, 2_000))
    await postgres.start()
  },
  'a node is killed': async () => {
    await Promise.all(holders.map(untilWritten))
    const turn = random.between(0, 2)
    const victim = cluster.node(turn)
    await cluster.replaceNode(turn)
    for (const holder of holders) {
      const own = answersOf(holder).filter(({ node }) => node === victim)
      const lastAt = own.at(-1)?.at ?? 0
      holder.mayBeLost += own.filter(({ at }) => at > lastAt - UNWRITTEN_MS).length
    }
  },
  'a node freezes': async () => {
    const { process } = cluster.node(random.between(0, 2))
    process.kill('SIGSTOP')
    await sleep(random.between(500, 4_000))
    process.kill('SIGCONT')
  },
}

/** Includes every kind at least twice. */
function planFaults(): string[] {
  const kinds = Object.keys(faults)
  const more = Array.from({ length: FAULTS - 2 * kinds.length }, () => kinds[random.between(0, kinds.length - 1)] ?? '')
  return random.shuffle([...kinds, ...kinds, ...more])
}

interface Received {
  status: number
  node: ClusterNode
  at: number
}

/** What the client with one key has seen. */
interface Holder {
  key: string
  received: Received[]
  /** Requests without a reply because their node was killed. */
  cutOff: number
  /** Replies of killed nodes that may not have been written to the usage. */
  mayBeLost: number
}

const codeOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : ''

async function search(holder: Holder, turn: number): Promise<void> {
  const node = cluster.node(turn)
  const query = turn % UNCACHED_EVERY === 0 ? `new-${turn}` : `known-${turn % 20}`
  let reply: ApiReply
  try {
    reply = await node.api.get(`/api/v1/web/?q=${query}`, { key: holder.key })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    if (codeOf(error) !== 'ECONNREFUSED') holder.cutOff++
    return
  }
  holder.received.push({ status: reply.status, node, at: performance.now() })
}

/** Clients rotate through the keys and nodes until aborted. */
async function searchUntil(over: AbortSignal, holders: readonly Holder[]): Promise<void> {
  let turn = 0
  const client = async () => {
    while (!over.aborted) {
      await sleep(PAUSE_MS * 2 * Math.random())
      const holder = holders[turn % holders.length]
      if (holder) await search(holder, turn++)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

const answersOf = ({ received }: Holder): Received[] => received.filter(({ status }) => status === 200)

async function untilWritten(holder: Holder): Promise<void> {
  const answered = answersOf(holder).length - holder.mayBeLost
  const stored = () => storedUsage(postgres.url, holder.key)
  if (await eventually(async () => (await stored()) >= answered, WRITTEN_MS)) return
  throw new Error(`${answered - (await stored())} of ${answered} answers are not written after ${WRITTEN_MS} ms`)
}

/** Nodes exit only when killed. */
function expectNoneDied(told: string[]): void {
  const dead = cluster.nodes.filter(({ process }) => process.exitCode !== null || process.signalCode !== null)
  const lastWords = dead.map((node) => node.logged().slice(-3_000))
  expect(lastWords, told.join('\n')).toEqual([])
}

async function expectExactUsage(holder: Holder, told: string[]): Promise<void> {
  const answered = answersOf(holder).length
  const stored = () => storedUsage(postgres.url, holder.key)
  await eventually(async () => (await stored()) >= answered - holder.mayBeLost, WRITTEN_MS)
  const usage = await stored()
  expect(usage, told.join('\n')).toBeGreaterThanOrEqual(answered - holder.mayBeLost)
  expect(usage, told.join('\n')).toBeLessThanOrEqual(answered + holder.cutOff)
}

it(`keeps every promise through ${FAULTS} random faults`, async () => {
  const keys = [
    UNLIMITED,
    UNLIMITED,
    { ...UNLIMITED, burst: `${BURST}/min` },
    { ...UNLIMITED, sustained: `${SUSTAINED}/day` },
  ]
  for (const limits of keys)
    holders.push({ key: await cluster.createKey(limits), received: [], cutOff: 0, mayBeLost: 0 })
  const afterwards = await cluster.createKey({ burst: `${BURST}/min` })
  const over = new AbortController()
  const searching = searchUntil(over.signal, holders)
  const told: string[] = []
  try {
    for (const kind of planFaults()) {
      await sleep(random.between(500, 3_500))
      told.push(`${new Date().toISOString()} ${kind}`)
      await faults[kind]?.()
      expectNoneDied(told)
    }
    await sleep(5_000)
  } finally {
    over.abort()
  }
  await searching

  const statuses = new Set(holders.flatMap(({ received }) => received.map(({ status }) => status)))
  expect(
    [...statuses].filter((status) => ![200, 429, 503].includes(status)),
    told.join('\n'),
  ).toEqual([])
  for (const holder of holders) await expectExactUsage(holder, told)
  // Later writes count nothing twice.
  await sleep(3_000)
  for (const holder of holders) await expectExactUsage(holder, told)

  for (const limited of holders.slice(2)) expect(limited.received.some(({ status }) => status === 429)).toBe(true)
  expect(cluster.sandbox.callCount('brave')).toBeLessThanOrEqual(BUDGET)
  expect(cluster.sandbox.callCount('brave')).toBeGreaterThan(0)

  // The limit is shared by all nodes again.
  const asked = Array.from({ length: 3 * BURST }, (_, turn) =>
    cluster.node(turn).api.get('/api/v1/web/?q=known-1', { key: afterwards }),
  )
  expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(BURST)
}, 900_000)
