// The rate limit as the provider sees it: over real sockets, from three nodes that share a Redis, under far more load
// than fits.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { openProviderClient } from './provider-client.ts'
import { createResilience } from './resilience.ts'
import { createUpstreamRateLimits, type UpstreamRate } from './upstream-rate-limit.ts'

const prefix = `bbtest:${randomBytes(6).toString('hex')}:`
let redis: TakenRedis
let links: RedisClient[]
beforeAll(async () => {
  redis = await takeRedis()
  links = await Promise.all([0, 1, 2].map(() => openRedis(redis.url, createLog('silent'))))
})
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()))
  redis.giveBack()
})

/** A provider that records when it was called. */
async function openProvider() {
  const arrivals: number[] = []
  const server = createServer((_, response) => {
    arrivals.push(performance.now())
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { arrivals, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

interface Load {
  slug: string
  rate: UpstreamRate
  asks: number
  nodes: (RedisClient | undefined)[]
  maxWaitMs: number
}

/** Makes all calls concurrently, evenly from all nodes; returns the arrivals and the outcomes. */
async function measure({ slug, rate, asks, nodes, maxWaitMs }: Load) {
  const { arrivals, url, close } = await openProvider()
  const opened = nodes.map((redis) => {
    const client = openProviderClient({ baseUrl: url, isTrustedAddress: true, proxy: undefined, userAgent: 'test' })
    const rateLimit = createUpstreamRateLimits({ redis, prefix })(slug, rate)
    return {
      client,
      ...createResilience({ ask: (...call) => client.ask(...call), countCall: () => undefined, rateLimit, maxWaitMs }),
    }
  })
  const deadline = createDeadline(maxWaitMs + 2_000)
  const outcomes = await Promise.all(
    Array.from({ length: asks }, async (_, i) => {
      try {
        const node = opened[i % opened.length] ?? expect.unreachable('there is a node')
        return await node.ask({ path: '/' }, deadline, ({ status }) => `${status}`)
      } catch (error) {
        return error instanceof UpstreamError ? error.kind : String(error)
      }
    }),
  )
  deadline.cancel()
  await Promise.all(opened.map(({ client }) => client.close()))
  close()
  return { arrivals, answered: outcomes.filter((outcome) => outcome === '200').length, outcomes: new Set(outcomes) }
}

/** The most arrivals within any span as long as the rate's window. */
const mostWithin = (arrivals: number[], ms: number): number =>
  Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + ms).length))

// They mostly wait, so they run concurrently.
describe.concurrent.each([
  ['three nodes on one Redis', () => links],
  ['one node without Redis', () => [undefined]],
])('at the provider, called by %s', (_, nodes) => {
  it('20 a second are never exceeded by 500 concurrent calls, and are used up', async () => {
    const rate = { calls: 20, perSeconds: 1 }
    // One node queues no more than 200.
    const asks = nodes().length === 1 ? 200 : 500
    const load = { slug: `fast-${nodes().length}`, rate, asks, nodes: nodes(), maxWaitMs: 4_800 }
    const { arrivals, answered, outcomes } = await measure(load)
    expect(mostWithin(arrivals, 1_000)).toBeLessThanOrEqual(20)
    expect(answered).toBe(arrivals.length)
    // Five windows begin within 4.8 s; a slow machine may not manage all of them.
    expect(arrivals.length).toBeGreaterThanOrEqual(60)
    expect(arrivals.length).toBeLessThanOrEqual(100)
    expect([...outcomes].sort()).toEqual(['200', 'busy'])
  })

  it('one a second: five concurrent calls all arrive, at least a second apart', async () => {
    const rate = { calls: 1, perSeconds: 1 }
    const load = { slug: `slow-${nodes().length}`, rate, asks: 5, nodes: nodes(), maxWaitMs: 10_000 }
    const { arrivals, outcomes } = await measure(load)
    expect([...outcomes]).toEqual(['200'])
    for (const [i, at] of arrivals.slice(1).entries()) {
      expect(at - (arrivals[i] ?? at)).toBeGreaterThanOrEqual(1_000)
    }
  })
})

it.concurrent('latency to the provider that varies between none and half a second makes no difference', async () => {
  const arrivals: number[] = []
  let asked = 0
  const ask = async () => {
    // The first calls of a window are slow, those of the next quick: the worst that a cold connection can do.
    await sleep(asked++ % 6 < 3 ? 500 : 0)
    arrivals.push(performance.now())
    return { status: 200, headers: {}, body: '' }
  }
  const rate = { calls: 3, perSeconds: 1 }
  const nodes = links.map((redis) => {
    const rateLimit = createUpstreamRateLimits({ redis, prefix })('slow-road', rate)
    return createResilience({ ask, countCall: () => undefined, rateLimit, maxWaitMs: 10_000 })
  })
  const deadline = createDeadline(15_000)
  const askTimes = (node: (typeof nodes)[number], times: number) =>
    Array.from({ length: times }, () => node.ask({ path: '/' }, deadline, () => 'read'))
  await Promise.all(nodes.flatMap((node) => askTimes(node, 4)))
  deadline.cancel()
  expect(arrivals).toHaveLength(12)
  expect(mostWithin(arrivals, 1_000)).toBeLessThanOrEqual(3)
})
