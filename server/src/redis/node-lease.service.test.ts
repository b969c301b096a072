import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { createNodeLease, type NodeLease } from './node-lease.ts'
import { openRedis, type RedisClient } from './redis-client.ts'

let redis: TakenRedis
let links: RedisClient[]
beforeAll(async () => {
  redis = await takeRedis()
  links = await Promise.all([1, 2, 3].map(() => openRedis(redis.url, createLog('silent'))))
})
afterAll(async () => {
  await Promise.all(links.map((redis) => redis.close()))
  redis.giveBack()
})

let lastTask = 0
function openLeases(): [NodeLease, NodeLease, NodeLease] {
  const name = `task-${++lastTask}`
  const leaseOf = (i: number) => createNodeLease(links[i], name)
  return [leaseOf(0), leaseOf(1), leaseOf(2)]
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a lease', () => {
  it('is held by exactly one of many nodes that ask at once', async () => {
    const held = await Promise.all(openLeases().map((lease) => lease.hold(5_000)))
    expect(held.filter(Boolean)).toHaveLength(1)
  })

  it('stays with a holder that renews it, beyond its first life', async () => {
    const [one, two] = openLeases()
    for (let i = 0; i < 6; i++) {
      expect(await one.hold(300)).toBe(true)
      expect(await two.hold(300)).toBe(false)
      await sleep(100)
    }
  })

  it('goes to another once its life is over, and the former holder learns of it', async () => {
    const [one, two] = openLeases()
    expect(await one.hold(50)).toBe(true)
    await sleep(80)
    expect(await two.hold(5_000)).toBe(true)
    expect(await one.hold(5_000)).toBe(false)
  })

  it('is free as soon as its holder, and no other node, releases it', async () => {
    const [one, two, three] = openLeases()
    await one.hold(5_000)
    await two.release()
    expect(await three.hold(5_000)).toBe(false)
    await one.release()
    expect(await three.hold(5_000)).toBe(true)
  })

  it('without Redis every node holds it', async () => {
    const lease = createNodeLease(undefined, 'task')
    expect(await lease.hold(5_000)).toBe(true)
    await lease.release()
  })
})
