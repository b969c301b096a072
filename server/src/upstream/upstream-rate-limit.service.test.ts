import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { aRate, live, START, step, upstreamRateLimitRules } from './upstream-rate-limit.test-rules.ts'
import { createUpstreamRateLimits, type UpstreamRate } from './upstream-rate-limit.ts'

const log = createLog('silent')

let server: PrivateRedis
const admin = useRedisAdmin(() => server.url)
let links: RedisClient[]
const linkOf = (i: number): RedisClient => links[i] ?? expect.unreachable('there are three links')
beforeAll(async () => {
  server = await startPrivateRedis()
  links = await Promise.all([0, 1, 2].map(() => openRedis(server.url, log)))
})
afterAll(async () => {
  await Promise.all(links.map((redis) => redis.close()))
  await server.remove()
})

/** Nodes of a separate instance, on one simulated clock. */
function openNodes(rate: UpstreamRate, redis: (RedisClient | undefined)[] = links) {
  const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
  const luaClock = `tonumber(redis.call('GET', '${prefix}clock') or ${START * 1_000})`
  const time = { now: START }
  const wait = async (ms: number) => {
    // Commands already sent are executed before the time changes.
    await Promise.all(links.map((redis) => redis.send('GET', 'nothing')))
    time.now += ms
    await admin().set(`${prefix}clock`, Math.round(time.now * 1_000))
  }
  const nodes = redis.map((redis) => {
    return createUpstreamRateLimits({ redis, clock: () => time.now, luaClock, prefix })('brave', rate)
  })
  const join = (i: number) => (nodes[i % nodes.length] ?? expect.unreachable('there is a node')).createPermit()
  return { nodes, join, time, wait, prefix }
}

upstreamRateLimitRules('in Redis, over three nodes', (rate) => openNodes(rate), 60)

it('Redis and the process return the same verdicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), aRate, async (steps, rate) => {
      const shared = await live(steps, openNodes(rate, [linkOf(0)]))
      const here = await live(steps, openNodes(rate, [undefined]))
      expect(shared.verdicts).toEqual(here.verdicts)
    }),
    { numRuns: 60 },
  )
})

it.each([
  ['Redis', () => links],
  ['the process', () => [undefined]],
])('peeking in %s tells when a call can be made, and uses none', async (_where, redis) => {
  const { nodes, join, wait } = openNodes({ calls: 2, perSeconds: 10 }, redis())
  const peek = () => nodes.at(-1)?.peek()
  for (let call = 0; call < 2; call += 1) {
    expect([await peek(), await peek()]).toEqual([0, 0])
    const permit = join(0)
    expect(await permit.tryAcquire(0)).toEqual({ go: true })
    permit.release()
    await wait(1_000)
  }
  expect(await peek()).toBe(8_120)
  await wait(8_120)
  expect(await peek()).toBe(0)
})

describe('a provider’s rate limit, when Redis comes and goes', () => {
  const rate = { calls: 2, perSeconds: 1 }

  it('its keys expire, and carry the provider’s hash tag', async () => {
    const { join, prefix } = openNodes({ calls: 1, perSeconds: 1 })
    const permit = join(0)
    await permit.tryAcquire(0)
    permit.release()
    await linkOf(0).send('GET', 'nothing')
    await join(1).tryAcquire(5_000)
    const other = openNodes(rate)
    await other.join(0).tryAcquire(0)
    for (const prefixOf of [prefix, other.prefix]) {
      const keys = await admin().keys(`${prefixOf}*`)
      expect(keys.length).toBeGreaterThan(0)
      for (const key of keys) {
        expect(key.startsWith(`${prefixOf}{provider:brave}:rate:`)).toBe(true)
        expect(await admin().pttl(key)).toBeGreaterThan(0)
      }
    }
  })

  it('a node continues alone from the calls it was granted, and Redis from the calls the node made meanwhile', async () => {
    const redis = await openRedis(server.url, log)
    const time = { now: 0 }
    const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
    const rateLimit = createUpstreamRateLimits({ redis: redis, clock: () => time.now, prefix })('brave', rate)
    const takes = async () => {
      const permit = rateLimit.createPermit()
      const { go } = await permit.tryAcquire(0)
      if (go) permit.release()
      return go
    }
    expect(await takes()).toBe(true)
    await server.stop()
    await expect.poll(() => redis.isAway()).toBe(true)
    expect([await takes(), await takes()]).toEqual([true, false])
    await server.start()
    await expect.poll(() => redis.isAway(), { timeout: 5_000 }).toBe(false)
    expect(await takes()).toBe(false)
    time.now += 1_031
    expect([await takes(), await takes(), await takes()]).toEqual([true, true, false])
    await redis.close()
  })
})
