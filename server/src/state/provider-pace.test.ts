import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { openPrivateRedis, type PrivateRedis } from './private-redis.test-body.ts'
import { createProviderPaces, type PaceRate, type ProviderPace } from './provider-pace.ts'
import { openRedis, type RedisLink } from './redis-link.ts'

const log = createLog('silent')
const START = 1_800_000_000_000
const marginOf = ({ perSeconds }: PaceRate) => perSeconds * 1_100 + 50

let server: PrivateRedis
let links: RedisLink[]
const linkOf = (i: number): RedisLink => links[i] ?? expect.unreachable('there are three links')
beforeAll(async () => {
  server = await openPrivateRedis()
  links = await Promise.all([0, 1, 2].map(() => openRedis(server.url, log)))
  // Every instance under test listens to the same connections.
  for (const { client } of links) client.setMaxListeners(0)
})
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()))
  await server.remove()
})

/** Nodes of one instance of their own, on one simulated clock. */
function openNodes(count: number) {
  const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
  const luaClock = `tonumber(redis.call('GET', '${prefix}clock'))`
  const time = { now: START }
  const setTime = async (ms: number) => {
    time.now = ms
    await linkOf(0).client.set(`${prefix}clock`, Math.round(ms * 1_000))
  }
  const paces = links
    .slice(0, count)
    .map((redis) => createProviderPaces({ redis, clock: () => time.now, luaClock, prefix }))
  return { paces, time, setTime, prefix }
}

function openInProcess() {
  const time = { now: START }
  const setTime = async (ms: number) => {
    time.now = ms
  }
  return { paces: [createProviderPaces({ redis: undefined, clock: () => time.now })], time, setTime }
}

const step = fc.record({
  node: fc.nat(2),
  pauseMs: fc.oneof(fc.constantFrom(0, 0, 0, 1, 1_149, 1_150, 1_151, 20_000), fc.integer({ min: 0, max: 3_000 })),
  maxWaitMs: fc.constantFrom(0, 500, 1_500, 30_000),
})
const aRate = fc.record({ calls: fc.integer({ min: 1, max: 5 }), perSeconds: fc.constantFrom(1, 2, 8) })

describe.each([
  ['in Redis, over three nodes', () => openNodes(3)],
  ['in the process', openInProcess],
])('a provider’s pace, %s', (_, open) => {
  it('gives the next free moment exactly, or takes nothing: never more calls in any window than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), aRate, async (steps, rate) => {
        const { paces, time, setTime } = open()
        const nodes = paces.map((paceOf) => paceOf('brave', rate))
        const given: number[] = []
        for (const { node, pauseMs, maxWaitMs } of steps) {
          await setTime(time.now + pauseMs)
          const oldest = given.at(-rate.calls) ?? Number.NEGATIVE_INFINITY
          const free = Math.max(time.now, given.at(-1) ?? 0, oldest + marginOf(rate))
          const turn = await (nodes[node % nodes.length] ?? expect.unreachable('a node')).reserve(maxWaitMs)
          if (free - time.now > maxWaitMs) expect(turn).toEqual({ retryAfterMs: expect.closeTo(free - time.now, 2) })
          else {
            expect(turn).toMatchObject({ from: expect.closeTo(free, 2) })
            given.push(free)
          }
        }
        for (const [i, moment] of given.entries()) {
          const later = given[i + rate.calls]
          if (later !== undefined) expect(later - moment).toBeGreaterThan(rate.perSeconds * 1_000)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('lets as many go at once as a window holds', async () => {
    const { paces, setTime } = open()
    await setTime(START)
    const nodes = paces.map((paceOf) => paceOf('brave', { calls: 50, perSeconds: 1 }))
    const turns = await Promise.all(Array.from({ length: 60 }, (_, i) => nodes[i % nodes.length]?.reserve(0)))
    expect(turns.filter((turn) => turn && 'from' in turn)).toHaveLength(50)
    expect(
      turns.filter((turn) => turn && 'retryAfterMs' in turn && Math.round(turn.retryAfterMs) === 1_150),
    ).toHaveLength(10)
  })

  it('a moment may be used late by half of the margin', async () => {
    const { paces, setTime } = open()
    await setTime(START)
    expect(await paces[0]?.('brave', { calls: 1, perSeconds: 1 }).reserve(0)).toEqual({
      from: expect.closeTo(START, 2),
      until: expect.closeTo(START + 75, 2),
    })
  })

  it('two providers do not share', async () => {
    const { paces, setTime } = open()
    await setTime(START)
    const [brave, mojeek] = ['brave', 'mojeek'].map((slug) => paces[0]?.(slug, { calls: 1, perSeconds: 1 }))
    expect(await brave?.reserve(0)).toHaveProperty('from')
    expect(await mojeek?.reserve(0)).toHaveProperty('from')
    expect(await brave?.reserve(0)).toHaveProperty('retryAfterMs')
  })
})

describe('a provider’s pace, when Redis comes and goes', () => {
  const rate = { calls: 2, perSeconds: 1 }
  const takes = async (pace: ProviderPace) => 'from' in (await pace.reserve(0))

  it('what it writes ends by itself and carries the provider’s hash tag', async () => {
    const { paces, prefix, setTime } = openNodes(1)
    await setTime(START)
    await paces[0]?.('brave', rate).reserve(0)
    const keys = (await linkOf(0).client.keys(`${prefix}*`)).filter((key) => !key.endsWith('clock'))
    expect(keys).toEqual([`${prefix}{provider:brave}:pace`])
    expect(await linkOf(0).client.pttl(keys[0] ?? '')).toBeGreaterThan(1_000)
  })

  it('a node goes on by itself from what it was given, and Redis from what the node took meanwhile', async () => {
    const link = await openRedis(server.url, log)
    const time = { now: 0 }
    const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
    const pace = createProviderPaces({ redis: link, clock: () => time.now, prefix })('brave', rate)
    expect(await takes(pace)).toBe(true)
    await server.kill()
    await expect.poll(() => link.isAway()).toBe(true)
    expect([await takes(pace), await takes(pace)]).toEqual([true, false])
    await server.start()
    await expect.poll(() => link.isAway(), { timeout: 5_000 }).toBe(false)
    expect(await takes(pace)).toBe(false)
    time.now += 1_151
    expect([await takes(pace), await takes(pace), await takes(pace)]).toEqual([true, true, false])
    await link.close()
  })
})
