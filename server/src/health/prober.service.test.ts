// Several nodes that share one Redis, in real time: a lease is Redis' to end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { startProber } from './prober.ts'

const PERIOD_MS = 400
const log = createLog('silent')
let redis: TakenRedis
const links: RedisClient[] = []
beforeAll(async () => {
  redis = await takeRedis()
})
afterAll(async () => {
  await Promise.all(links.map((client) => client.close()))
  redis.giveBack()
})

interface Checked {
  node: number
  at: number
}

/** Nodes that all probe the same provider; `kill` cuts a node off without a good-bye, as SIGKILL would. */
async function startNodes(count: number, name: string) {
  const checks: Checked[] = []
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, node) => {
      const client = await openRedis(redis.url, log)
      links.push(client)
      const lease = createNodeLease(client, name)
      let isDead = false
      const check = async () => void checks.push({ node, at: Date.now() })
      const probes = [{ provider: 'maps', group: 'maps', check }]
      const stop = startProber({
        probes: () => probes,
        lease: { ...lease, hold: async (lifeMs) => !isDead && (await lease.hold(lifeMs)) },
        record: () => undefined,
        everyMs: PERIOD_MS,
        clock: Date.now,
        log,
      })
      const kill = () => {
        isDead = true
      }
      return { stop, kill }
    }),
  )
  return { checks, nodes, stopAll: () => Promise.all(nodes.map(({ stop }) => stop())) }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('the prober', () => {
  it('one node at a time probes, once in a period', async () => {
    const { checks, stopAll } = await startNodes(3, 'one-at-a-time')
    await sleep(PERIOD_MS * 5)
    await stopAll()
    expect(new Set(checks.map(({ node }) => node)).size).toBe(1)
    expect(checks.length).toBeGreaterThanOrEqual(3)
    expect(checks.length).toBeLessThanOrEqual(6)
  })

  it('when the node that probes dies, another has taken over within two periods', async () => {
    const { checks, nodes, stopAll } = await startNodes(3, 'taken-over')
    await expect.poll(() => checks.length, { interval: 5 }).toBeGreaterThan(1)
    const dead = checks[0]?.node ?? 0
    nodes[dead]?.kill()
    const killedAt = Date.now()
    await expect.poll(() => checks.at(-1)?.node, { interval: 5 }).not.toBe(dead)
    const takenOver = checks.find(({ node }) => node !== dead)
    expect((takenOver?.at ?? Number.POSITIVE_INFINITY) - killedAt).toBeLessThanOrEqual(2 * PERIOD_MS)
    await stopAll()
  })

  it('a node that stops releases the task immediately', async () => {
    const { checks, nodes, stopAll } = await startNodes(2, 'given-away')
    await expect.poll(() => checks.length, { interval: 5 }).toBe(1)
    const first = checks[0]?.node ?? 0
    await nodes[first]?.stop()
    const stoppedAt = Date.now()
    await expect.poll(() => checks.at(-1)?.node, { interval: 5 }).not.toBe(first)
    expect((checks.at(-1)?.at ?? 0) - stoppedAt).toBeLessThan(PERIOD_MS)
    await stopAll()
  })
})
