// Whatever happens to Redis, every admitted request is in PostgreSQL exactly once.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import type { Database } from '../storage/database.ts'
import { Unanswered } from '../storage/redis-answer.ts'
import { openRedis, type RedisClient } from '../storage/redis-client.ts'
import { openOwnDatabase } from './own-database.test-body.ts'
import type { ConsumeRequest, ConsumeVerdict, Limits } from './rate-limiter.ts'
import { createRateLimiter } from './rate-limiter-with-fallback.ts'
import { createUsageRollup } from './usage-rollup.ts'

const log = createLog('silent')
const limits: Limits = {
  burst: { count: 100_000, windowMs: 60_000 },
  sustained: { count: 100_000, windowMs: 86_400_000 },
  monthlyCap: undefined,
}
const request = (caller: string): ConsumeRequest => ({ caller, limits, endpoint: 'web' })

const BACK_MS = 10_000

let database: Database
let server: PrivateRedis
const admin = useRedisAdmin(() => server.url)
let links: RedisClient[]
let callers = 100
const aCaller = () => `${++callers}`
beforeAll(async () => {
  ;[database, server] = await Promise.all([openOwnDatabase(), startPrivateRedis()])
  links = await Promise.all([0, 1].map(() => openRedis(server.url, log)))
})
afterAll(async () => {
  await Promise.all(links.map((redis) => redis.close()))
  await Promise.all([server.remove(), database.close()])
})

const isBack = () => expect.poll(() => links.every((redis) => !redis.isAway()), { timeout: BACK_MS }).toBe(true)

function openNodes(watch = (redis: RedisClient): RedisClient => redis) {
  const parts = { db: database.db, clock: Date.now, log }
  return links.map((link) => {
    const rateLimiter = createRateLimiter({ ...parts, redis: watch(link) })
    return { consume: rateLimiter.consume, ...createUsageRollup({ ...parts, rateLimiter }) }
  })
}

type Node = ReturnType<typeof openNodes>[number]

const consumeAtAll = (nodes: Node[], caller: string): Promise<ConsumeVerdict[]> =>
  Promise.all(nodes.map(({ consume }) => consume(request(caller))))

async function storedUsage(keyId: string): Promise<number> {
  const rows = await database.db.selectFrom('usage_daily').selectAll().where('key_id', '=', keyId).execute()
  return rows.reduce((sum, { counted, refunded }) => sum + Number(counted) - Number(refunded), 0)
}

async function expectStored(nodes: Node[], caller: string, usage: number): Promise<void> {
  const flush = async () => {
    for (const { flush } of nodes) await flush()
    return await storedUsage(caller)
  }
  await expect.poll(flush, { timeout: BACK_MS }).toBe(usage)
  await sleep(500)
  expect(await flush()).toBe(usage)
}

describe('a request counts once', () => {
  it('when Redis freezes and later runs what had piled up', async () => {
    const nodes = openNodes()
    const caller = aCaller()
    await consumeAtAll(nodes, caller)
    server.freeze()
    for (let turn = 0; turn < 3; turn++) await consumeAtAll(nodes, caller)
    server.thaw()
    await isBack()
    await consumeAtAll(nodes, caller)
    await expectStored(nodes, caller, 10)
  })

  it('when the reply of Redis is lost: it has counted, and so has the node', async () => {
    const lost: Unanswered[] = []
    /** The server does everything, and this node hears of nothing. */
    const deaf = (redis: RedisClient): RedisClient => ({
      ...redis,
      evaluateOnce: (script, keys, values) => {
        const call = new Unanswered('deaf', { number: lost.length + 1, deadline: Date.now() * 1_000 + 300_000 })
        lost.push(call)
        const run = redis.run(keys[0] ?? '')
        return redis.evaluate(script, keys, [...values, run, 'deaf', call.number, 0, call.deadline]).then(() => call)
      },
    })
    const nodes = openNodes(deaf)
    const caller = aCaller()
    await consumeAtAll(nodes, caller)
    expect(lost).toHaveLength(2)
    await expectStored(nodes, caller, 2)
  })

  it('when some of the calls without a reply were refused, or too late, and others were counted', async () => {
    const [link] = links
    if (!link) throw new Error('there are two links')
    let number = 0
    /** Every second call comes too late. */
    const uneven = (redis: RedisClient): RedisClient => ({
      ...redis,
      evaluateOnce: (script, keys, values) => {
        const call = new Unanswered('uneven', { number: ++number, deadline: Date.now() * 1_000 + 300_000 })
        const named = [redis.run(keys[0] ?? ''), 'uneven', number, 0, number % 2 ? call.deadline : 0]
        return redis.evaluate(script, keys, [...values, ...named]).then(() => call)
      },
    })
    const [node] = openNodes(uneven)
    if (!node) throw new Error('there are two nodes')
    const caller = aCaller()
    const three = { ...limits, burst: { count: 3, windowMs: 60_000 } }
    const asked = Array.from({ length: 8 }, () => node.consume({ caller, limits: three, endpoint: 'web' }))
    const verdicts = await Promise.all(asked)
    expect(verdicts.filter(({ refusedBy }) => !refusedBy)).toHaveLength(3)
    await expectStored([node], caller, 3)
  })

  it('when a refund and its reply are lost, or only the reply', async () => {
    const caller = aCaller()
    const nodes = openNodes()
    const verdicts = [...(await consumeAtAll(nodes, caller)), ...(await consumeAtAll(nodes, caller))]
    server.freeze()
    for (const { refund } of verdicts.slice(0, 2)) refund()
    await sleep(700)
    server.thaw()
    await isBack()
    verdicts[2]?.refund()
    await expectStored(nodes, caller, 1)
  })

  it('when Redis is killed before anything was rolled up, and comes back empty', async () => {
    const nodes = openNodes()
    const caller = aCaller()
    const [kept] = [await consumeAtAll(nodes, caller), await consumeAtAll(nodes, caller)]
    await server.stop()
    await consumeAtAll(nodes, caller)
    await server.start()
    await isBack()
    await consumeAtAll(nodes, caller)
    for (const { refund } of kept) refund()
    await expectStored(nodes, caller, 6)
  })

  it('when the data of Redis is deleted under a running server', async () => {
    const nodes = openNodes()
    const caller = aCaller()
    await consumeAtAll(nodes, caller)
    await admin().flushall()
    await consumeAtAll(nodes, caller)
    await expectStored(nodes, caller, 4)
  })
})
