// Several nodes that share one Redis, in real time: a lease is Redis' to end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { startProber } from './prober.ts'

const PERIOD_MS = 200
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

/** Nodes that all probe the same provider; `kill` cuts a node off without a good-bye, as SIGKILL would. */
async function startNodes(count: number, name: string) {
  /** The nodes that checked, in order. */
  const checks: number[] = []
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, node) => {
      const client = await openRedis(redis.url, log)
      links.push(client)
      const lease = createNodeLease(client, name)
      let isDead = false
      const probes = [{ provider: 'maps', group: 'maps', check: async () => void checks.push(node) }]
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

const PATIENT = { timeout: 30_000, interval: 5 }

describe('the prober', () => {
  it('runs on one node at a time, and on another after that one has died', async () => {
    const { checks, nodes, stopAll } = await startNodes(3, 'taken-over')
    await expect.poll(() => checks.length, PATIENT).toBeGreaterThan(2)
    const [dead = 0] = checks
    expect(new Set(checks)).toEqual(new Set([dead]))
    nodes[dead]?.kill()
    await expect.poll(() => checks.at(-1), PATIENT).not.toBe(dead)
    await stopAll()
  })

  it('releases the task when its node stops', async () => {
    const { checks, stopAll } = await startNodes(1, 'given-away')
    await expect.poll(() => checks.length, PATIENT).toBe(1)
    await stopAll()
    const other = await openRedis(redis.url, log)
    links.push(other)
    expect(await createNodeLease(other, 'given-away').hold(1_000)).toBe(true)
  })
})
