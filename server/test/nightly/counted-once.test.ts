// Every search that a client has received is in the usage exactly once, whatever happens to Redis meanwhile: it freezes
// and later runs what had piled up in front of it, it is killed and comes back empty, it fails over to a replica.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiReply } from '../support/api-client.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { type PrivateRedis, startPrivateRedis } from '../support/private-redis.ts'
import { statusesOf, underLoad } from '../support/steady-load.ts'
import { storedUsage } from '../support/stored-usage.ts'
import { startTcpForwarder, type TcpForwarder } from '../support/tcp-forwarder.ts'

const parts = new AsyncDisposableStack()
let redis: PrivateRedis
let forwarder: TcpForwarder
let cluster: Cluster

beforeAll(async () => {
  redis = await startPrivateRedis()
  parts.defer(() => redis.remove())
  forwarder = await startTcpForwarder(redis.port)
  parts.defer(() => forwarder.close())
  cluster = await startCluster({ redis, settings: { REDIS_URL: `redis://127.0.0.1:${forwarder.port}` } })
  parts.defer(() => cluster.close())
})
afterAll(() => parts.disposeAsync())

const CLIENTS = 12
/** So that there are some eighty requests a second, and the machine is not at its limit. */
const PAUSE_MS = 120
const ROLLED_UP_MS = 10_000

/** Asks all nodes while something happens, and compares what was received with the usage in PostgreSQL. */
async function expectExactUsage(happening: () => Promise<void>): Promise<void> {
  const key = await cluster.createKey(UNLIMITED)
  let cutOff = 0
  const ask = async (turn: number): Promise<ApiReply> => {
    await sleep(PAUSE_MS * Math.random() * 2)
    const search = () => cluster.node(turn).api.get(`/api/v1/web/?q=once-${turn % 20}`, { key })
    return await search().catch((error: unknown) => {
      // On a busy machine, a node may close an idle connection just when it is used again.
      if (!(error instanceof TypeError)) throw error
      cutOff++
      return search()
    })
  }
  const seen = await underLoad({ clients: CLIENTS, ask }, happening)
  expect(statusesOf(seen)).toEqual([200])
  const isExact = (usage: number) => usage >= seen.length && usage <= seen.length + cutOff
  const stored = () => storedUsage(cluster.databaseUrl, key)
  await eventually(async () => isExact(await stored()), ROLLED_UP_MS)
  const usage = await stored()
  expect(usage).toSatisfy(isExact, `${usage} of ${seen.length}, with ${cutOff} cut off`)
  // Nothing is written later that counts something twice.
  await sleep(3_000)
  expect(await stored()).toBe(usage)
  const { json } = await cluster.node(0).api.get('/api/v1/usage/', { key })
  expect(json).toMatchObject({ searches: usage, complete: true })
}

describe('a search counts once', () => {
  it('while Redis freezes, for a moment or for seconds, and runs what had piled up', async () => {
    await expectExactUsage(async () => {
      for (const frozenMs of [200, 380, 450, 520, 700, 1_500, 4_000]) {
        await sleep(1_200)
        redis.freeze()
        await sleep(frozenMs)
        redis.thaw()
      }
      await sleep(2_000)
    })
  })

  it('while the connections to Redis break', async () => {
    await expectExactUsage(async () => {
      for (let turn = 0; turn < 8; turn++) {
        await sleep(700)
        forwarder.leadTo(redis.port)
      }
      await sleep(1_500)
    })
  })

  it('while Redis is killed and comes back empty', async () => {
    await expectExactUsage(async () => {
      for (const awayMs of [0, 500, 3_000]) {
        await sleep(2_300)
        await redis.stop()
        await sleep(awayMs)
        await redis.start()
      }
      await sleep(2_000)
    })
  })

  it('while Redis fails over to a replica', async () => {
    const replica = await startPrivateRedis()
    parts.defer(() => replica.remove())
    await replica.replicate(redis)
    await expectExactUsage(async () => {
      await sleep(2_300)
      await redis.stop()
      await replica.replicate(undefined)
      forwarder.leadTo(replica.port)
      await sleep(4_000)
    })
  })
})
