// The libraries that a cached search uses, wired together directly: Fastify, SHA-256 of the key, two limits in one
// script on ioredis, the headers and bytes of our reply, a histogram of prom-client, a line of pino. The difference
// between this and ours is what Bowerbird adds. Started with a file made by `run.ts`; prints its port.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { Redis, type Result } from 'ioredis'
import { pino } from 'pino'
import { Histogram } from 'prom-client'

export interface LibrariesOrder {
  redisUrl: string
  /** The whole header. */
  authorization: string
  /** Headers of the reply, the same for every request. */
  headers: Record<string, string>
  body: string
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Two keys, then the length of their windows in ms. */
    countBoth: (...keysAndWindows: (string | number)[]) => Result<number[], Context>
  }
}

const LIMIT = 10_000_000
const BURST_MS = 1_000
const SUSTAINED_MS = 86_400_000

const order: LibrariesOrder = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const keys = new Map([[hash('sha256', order.authorization), 'bench']])
const redis = new Redis(order.redisUrl)
redis.defineCommand('countBoth', {
  numberOfKeys: 2,
  lua: `
local counts = {}
for at, key in ipairs(KEYS) do
  counts[at] = redis.call('INCR', key)
  if counts[at] == 1 then redis.call('PEXPIRE', key, ARGV[at]) end
end
return counts`,
})
const log = pino({ base: null }, pino.destination({ dest: 2, sync: false, minLength: 16_000 }))
const seconds = new Histogram({ name: 'seconds', help: 'Of requests.', labelNames: ['route', 'status'] })

const server = fastify({ logger: false })
server.addHook(
  'onResponse',
  async ({ id, routeOptions: { url: route = '' } }, { statusCode: status, elapsedTime: ms }) => {
    seconds.labels(route, String(status)).observe(ms / 1000)
    log.info({ requestId: id, route, status, ms })
  },
)
server.get('/api/v1/web/', async (request, reply) => {
  const keyId = keys.get(hash('sha256', request.headers.authorization ?? ''))
  if (keyId === undefined) return await reply.code(401).send({ detail: 'No such key.' })
  const [burst = 0, sustained = 0] = await redis.countBoth(`{${keyId}}:b`, `{${keyId}}:s`, BURST_MS, SUSTAINED_MS)
  if (burst > LIMIT || sustained > LIMIT) return await reply.code(429).send({ detail: 'Too many requests.' })
  reply.headers(order.headers)
  reply.header('ratelimit', `"burst";r=${LIMIT - burst};t=1, "sustained";r=${LIMIT - sustained};t=86400`)
  return order.body
})
await server.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${JSON.stringify({ port: (server.server.address() as AddressInfo).port })}\n`) // TCP: has a port
process.on('SIGTERM', () => process.exit())
