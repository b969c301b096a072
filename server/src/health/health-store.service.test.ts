// The script in Redis against `observe`, which says what it must do.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { createHealthStore, type HealthStore, type Observation, observe, type ProviderHealth } from './health-store.ts'

let redis: TakenRedis
const admin = useRedisAdmin(() => redis.url)
let links: RedisClient[]
let nodes: HealthStore[]
beforeAll(async () => {
  redis = await takeRedis()
  links = await Promise.all([1, 2, 3].map(() => openRedis(redis.url, createLog('silent'))))
  nodes = links.map((redis) => createHealthStore(redis))
})
afterAll(async () => {
  await Promise.all(links.map((redis) => redis.close()))
  redis.giveBack()
})

let lastKey = 0
const aKey = () => `web:provider-${++lastKey}`
const nodeOf = (i: number): HealthStore => nodes[i] ?? expect.unreachable('there are three nodes')

const success: Observation = { ok: true }
const failure: Observation = { ok: false, kind: 'timeout' }
const outcomes = fc.oneof(
  fc.constant(success),
  fc
    .constantFrom('timeout', 'unreachable', 'throttled', 'blocked', 'rejected', 'malformed')
    .map((kind): Observation => ({ ok: false, kind })),
)

/** What a node sends for an outcome. */
const observation = (outcome: Observation, at: number, known?: ProviderHealth) => ({
  at,
  error: observe(undefined, outcome, at).lastError,
  known,
})

describe('the shared health', () => {
  it('follows the same rules as observe, whichever node observes, and late observations change nothing', async () => {
    const steps = fc.array(fc.record({ node: fc.nat(2), outcome: outcomes, at: fc.integer({ min: 1, max: 40 }) }), {
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const key = aKey()
        let expected: ProviderHealth | undefined
        for (const { node, outcome, at } of sequence) {
          const from = expected?.state ?? 'unknown'
          if (at >= (expected?.checkedAt ?? 0)) expected = observe(expected, outcome, at)
          expect(await nodeOf(node).apply(key, observation(outcome, at))).toEqual({ from, health: expected })
        }
        expect(await nodeOf(0).load([key])).toEqual([expected])
      }),
      { numRuns: 100 },
    )
  })

  it('exactly one of many nodes that observe at once is told that it made the transition', async () => {
    const key = aKey()
    await nodeOf(0).apply(key, observation(success, 1))
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, i) => nodeOf(i % 3).apply(key, observation(failure, 2))),
    )
    expect(replies.filter((reply) => reply && reply.from !== reply.health.state)).toHaveLength(1)
    expect(await nodeOf(0).load([key])).toMatchObject([{ state: 'down', consecutiveFailures: 300 }])
  })

  it('a node whose clock is an hour fast does not silence the others', async () => {
    const key = aKey()
    const reply = await nodeOf(0).apply(key, observation(success, Date.now() + 3_600_000))
    expect(reply?.health.checkedAt).toBeLessThanOrEqual(Date.now())
    await nodeOf(1).apply(key, observation(failure, Date.now()))
    await nodeOf(1).apply(key, observation(failure, Date.now()))
    expect(await nodeOf(2).load([key])).toMatchObject([{ state: 'down' }])
  })

  it('a hash that was lost is begun anew from what the node knows, so that nothing is taken for a transition', async () => {
    const key = aKey()
    const known = observe(undefined, success, 100)
    const replies = [
      await nodeOf(0).apply(key, observation(failure, 101, known)),
      await nodeOf(0).apply(key, observation(failure, 102, known)),
    ]
    expect(replies).toMatchObject([
      { from: 'up', health: { state: 'up', lastOkAt: 100, consecutiveFailures: 1 } },
      { from: 'up', health: { state: 'down', lastOkAt: 100, consecutiveFailures: 2 } },
    ])
  })

  it('what a node judged alone counts when it is newer than what is shared, and not when it is older', async () => {
    const key = aKey()
    await nodeOf(0).apply(key, observation(success, 100))
    const alone = observe(undefined, failure, 110)
    expect(await nodeOf(1).apply(key, observation(failure, 111, alone))).toMatchObject({
      from: 'down',
      health: { state: 'down', consecutiveFailures: 2 },
    })
    await nodeOf(0).apply(key, observation(success, 120))
    expect(await nodeOf(1).apply(key, observation(failure, 121, alone))).toMatchObject({
      from: 'up',
      health: { state: 'up', consecutiveFailures: 1 },
    })
  })

  it('is unknown for a provider that was never observed', async () => {
    expect(await nodeOf(0).load([aKey(), aKey()])).toEqual([undefined, undefined])
    expect(await nodeOf(0).load([])).toEqual([])
  })

  it('is forgotten a month after the last observation', async () => {
    const key = aKey()
    await nodeOf(0).apply(key, observation(success, 1))
    const life = await admin().pttl(`bb:health:${key}`)
    expect(life).toBeGreaterThan(29 * 86_400_000)
    expect(life).toBeLessThanOrEqual(30 * 86_400_000)
  })

  it('without Redis there is none, without waiting', async () => {
    const store = createHealthStore(undefined)
    expect(await store.apply('web:brave', observation(success, 1))).toBeUndefined()
    expect(await store.load(['web:brave'])).toEqual([undefined])
  })
})
