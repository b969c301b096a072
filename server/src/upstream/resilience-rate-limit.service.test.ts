// The rate limit as the provider sees it: over real sockets, from three nodes that share a Redis, under far more load
// than fits.
import { randomBytes } from 'node:crypto'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TakenRedis, takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter-with-fallback.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { setUpLocalServers } from './local-servers.test-harness.ts'
import { openProviderClient } from './provider-client.ts'
import { createResilience } from './resilience.ts'
import { createUpstreamRateLimits } from './upstream-rate-limit.ts'

/** The providers' names are those of no other run. */
const run = randomBytes(6).toString('hex')
const loadMonthUsage = () => expect.unreachable('there is no cap')
const { closeLater, serveHttp } = setUpLocalServers()
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

it('a provider gets exactly the 20 calls a minute that it allows, from three nodes with 150 concurrent calls', async () => {
  let arrivals = 0
  const url = await serveHttp((_, response) => {
    arrivals += 1
    response.end('{}')
  })
  const nodes = links.map((redis) => {
    const client = openProviderClient({
      baseUrl: url,
      isTrustedAddress: true,
      proxy: undefined,
      userAgent: 'test',
    })
    closeLater(client)
    const rateLimiter = createRateLimiter({ redis, clock: Date.now, loadMonthUsage })
    const rate = { calls: 20, perSeconds: 60 }
    const rateLimit = createUpstreamRateLimits({ rateLimiter })(`provider-${run}`, { rate })
    return createResilience({
      send: (...call) => client.send(...call),
      countCall: () => undefined,
      rateLimit,
      maxWaitMs: 1_000,
    })
  })
  const deadline = createDeadline(60_000)
  const calls = Array.from({ length: 50 }, () => nodes.map(({ ask }) => ask({ path: '/' }, deadline, () => 'answered')))
  const outcomes = await Promise.all(
    calls.flat().map((call) => call.catch((error: unknown) => (error instanceof UpstreamError ? error.kind : error))),
  )
  deadline.cancel()
  expect(arrivals).toBe(20)
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(20)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(130)
})
