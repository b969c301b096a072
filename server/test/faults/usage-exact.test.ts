// Usage is exact. Through orderly stops, and through restarts, freezes and failovers of any form of Redis, it equals
// the number of 2xx replies. A process killed while PostgreSQL is up loses at most what it answered in its last second
// and a half, and nothing is ever counted twice. ROUNDS=20, as every night, repeats it, also with Sentinels and a cluster.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, type ClusterNode, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type RedisForm, startRedisCluster, startRedisSentinels } from '../support/redis-forms.ts'
import { startRedisPair } from '../support/redis-pair.ts'
import { storedUsage } from '../support/stored-usage.ts'

/** Undefined: each fault once. */
const ROUNDS = process.env['ROUNDS'] === undefined ? undefined : Number(process.env['ROUNDS'])
const KILLS = ROUNDS ?? 1
/** Each of the two nodes once, unless rounds are given. */
const SIGTERMS = ROUNDS ?? 2
const CLIENTS = 10
/** Makes about eighty requests a second, which doesn't saturate the machine. */
const PAUSE_MS = 120
const WRITTEN_MS = 60_000
/** Between two writes of a process: a second, plus up to a tenth of jitter and a margin. */
const UNWRITTEN_MS = 1_500
const FAILED_OVER_MS = 60_000
const ROUND_MS = 120_000

interface FaultyRedis {
  url: string
  /** Run one after another; each leaves Redis healthy. */
  faults: (() => Promise<void>)[]
  close: () => Promise<void>
}

async function startPair(): Promise<FaultyRedis> {
  const pair = await startRedisPair()
  const freezeFor = (ms: number) => async () => {
    pair.freeze()
    await sleep(ms)
    pair.thaw()
  }
  const faults = [freezeFor(450), () => pair.restart(500), () => pair.failOver()]
  return { url: pair.url, faults, close: pair.close }
}

async function failingOver(starting: Promise<RedisForm>): Promise<FaultyRedis> {
  const form = await starting
  const killMaster = async () => {
    const master = await form.masterOf('any')
    await master.stop()
    const isReplaced = async () => (await form.masterOf('any')).port !== master.port
    expect(await eventually(isReplaced, FAILED_OVER_MS)).toBe(true)
    // It rejoins as a replica of its successor.
    await master.start()
    await sleep(3_000)
  }
  const freezeMaster = async () => {
    const master = await form.masterOf('any')
    master.freeze()
    await sleep(500)
    master.thaw()
  }
  return { url: form.url, faults: [killMaster, freezeMaster], close: form.close }
}

interface Answer {
  node: ClusterNode
  at: number
}

/** Clients that search at all nodes in turn until aborted. A request without a reply is not counted as one. */
function search(cluster: Cluster, key: string) {
  const over = new AbortController()
  const answers: Answer[] = []
  const others = new Set<number>()
  let cutOff = 0
  let turn = 0
  const client = async () => {
    while (!over.signal.aborted) {
      await sleep(PAUSE_MS * Math.random() * 2)
      const node = cluster.node(turn++)
      try {
        const { status } = await node.api.get(`/api/v1/web/?q=exact-${turn % 20}`, { key })
        if (status === 200) answers.push({ node, at: performance.now() })
        else others.add(status)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        cutOff++
      }
    }
  }
  const searching = Promise.all(Array.from({ length: CLIENTS }, client))
  const end = async () => {
    over.abort()
    await searching
    return { cutOff, others: [...others] }
  }
  return { answers, end }
}

const FORMS: [string, () => Promise<FaultyRedis>][] = [
  ['one server and its replica', startPair],
  ['Sentinels', () => failingOver(startRedisSentinels())],
  ['a cluster', () => failingOver(startRedisCluster())],
]

describe.each(ROUNDS === undefined ? FORMS.slice(0, 1) : FORMS)('on Redis as %s', (_, start) => {
  const parts = new AsyncDisposableStack()
  let redis: FaultyRedis
  let cluster: Cluster
  beforeAll(async () => {
    redis = await start()
    parts.defer(redis.close)
    cluster = await startCluster({ nodes: 2, settings: { REDIS_URL: redis.url } })
    parts.defer(cluster.close)
  })
  afterAll(() => parts.disposeAsync())

  it(
    'usage equals the number of 2xx replies after SIGTERMs and Redis faults',
    async () => {
      const key = await cluster.createKey(UNLIMITED)
      const rounds = ROUNDS ?? redis.faults.length
      const { answers, end } = search(cluster, key)
      for (let round = 0; round < rounds; round++) {
        await sleep(800)
        await redis.faults[round % redis.faults.length]?.()
        if (round < SIGTERMS) await cluster.replaceNode(round, 'SIGTERM')
      }
      await sleep(1_000)
      const { others } = await end()
      expect(others).toEqual([])
      expect(answers.length).toBeGreaterThan(rounds * 20)
      const stored = () => storedUsage(cluster.databaseUrl, key)
      await eventually(async () => (await stored()) === answers.length, WRITTEN_MS)
      expect(await stored()).toBe(answers.length)
      // Later writes count nothing twice, and every node reports the same.
      await sleep(2_000)
      for (const { api } of cluster.nodes) {
        const { json } = await api.get('/api/v1/usage/', { key })
        expect(json).toMatchObject({ searches: answers.length, complete: true })
      }
    },
    (ROUNDS ?? 4) * ROUND_MS,
  )

  it.runIf(start === startPair)(
    'killed processes lose at most their last second and a half of usage, and count nothing twice',
    async () => {
      const key = await cluster.createKey(UNLIMITED)
      const { answers, end } = search(cluster, key)
      let mayBeLost = 0
      for (let round = 0; round < KILLS; round++) {
        await sleep(2_000)
        const victim = cluster.node(round)
        await cluster.replaceNode(round, 'SIGKILL')
        const own = answers.filter(({ node }) => node === victim)
        const lastAt = own.at(-1)?.at ?? 0
        mayBeLost += own.filter(({ at }) => at > lastAt - UNWRITTEN_MS).length
      }
      await sleep(1_000)
      const { cutOff, others } = await end()
      expect(others).toEqual([])
      const stored = () => storedUsage(cluster.databaseUrl, key)
      const fewest = answers.length - mayBeLost
      await expect.poll(stored, { timeout: WRITTEN_MS }).toBeGreaterThanOrEqual(fewest)
      const usage = await stored()
      expect(usage).toBeLessThanOrEqual(answers.length + cutOff)
    },
    (KILLS + 2) * ROUND_MS,
  )
})
