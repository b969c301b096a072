// The rate limit as the provider sees it: over real sockets, from three nodes that share a Redis, under far more load
// than fits.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { openProviderClient } from './provider-client.ts'
import { createResilience } from './resilience.ts'
import { createUpstreamRateLimits } from './upstream-rate-limit.ts'

/** The providers' names are those of no other run. */
const run = randomBytes(6).toString('hex')
const loadMonthUsage = () => expect.unreachable('there is no cap')
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
  rate: { calls: number; perSeconds: number }
  asks: number
  nodes: (RedisClient | undefined)[]
  maxWaitMs: number
}

/** Makes all calls concurrently, evenly from all nodes; returns the arrivals and the outcomes. */
async function measure({ slug, rate, asks, nodes, maxWaitMs }: Load) {
  const { arrivals, url, close } = await openProvider()
  const opened = nodes.map((redis) => {
    const client = openProviderClient({ baseUrl: url, isTrustedAddress: true, proxy: undefined, userAgent: 'test' })
    const rateLimiter = createRateLimiter({ redis, clock: Date.now, loadMonthUsage })
    const rateLimit = createUpstreamRateLimits({ rateLimiter })(`${run}-${slug}`, { rate })
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

describe.each([
  ['three nodes on one Redis', () => links],
  ['one node without Redis', () => [undefined]],
])('at the provider, called by %s', (_, nodes) => {
  it('20 a minute are never exceeded by 150 concurrent calls, and are used up', async () => {
    const rate = { calls: 20, perSeconds: 60 }
    const load = { slug: `fast-${nodes().length}`, rate, asks: 150, nodes: nodes(), maxWaitMs: 1_000 }
    const { arrivals, answered, outcomes } = await measure(load)
    expect(arrivals).toHaveLength(20)
    expect(answered).toBe(20)
    expect([...outcomes].sort()).toEqual(['200', 'busy'])
  })

  it('two a second: six concurrent calls all arrive, and take two seconds at least', async () => {
    const rate = { calls: 2, perSeconds: 1 }
    const load = { slug: `slow-${nodes().length}`, rate, asks: 6, nodes: nodes(), maxWaitMs: 20_000 }
    const { arrivals, outcomes } = await measure(load)
    expect([...outcomes]).toEqual(['200'])
    expect(arrivals).toHaveLength(6)
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThanOrEqual(2_000)
  })
})
