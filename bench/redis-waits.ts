// Counts the sequential round trips to Redis that a request waits for, from outside: every reply of Redis is delayed by
// the same time, so the request takes that delay as many times as it waits.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

const DELAY_MS = 80

export interface SlowRedis {
  url: string
  stop: () => void
}

/** A proxy in front of Redis that delays every reply. */
export async function startSlowRedis(redisUrl: string): Promise<SlowRedis> {
  const { port } = new URL(redisUrl)
  const server = createServer((client) => {
    const redis = connect(Number(port), '127.0.0.1')
    const end = () => {
      client.destroy()
      redis.destroy()
    }
    client.pipe(redis)
    redis.on('data', (chunk) => void setTimeout(() => client.writable && client.write(chunk), DELAY_MS))
    for (const socket of [client, redis]) socket.on('close', end).on('error', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo // TCP: has a port
  return { url: `redis://127.0.0.1:${address.port}`, stop: () => void server.close() }
}

/** The shortest of a few tries: other work only adds time. */
export async function countWaits(
  ask: () => Promise<unknown>,
  { tries, before }: { tries: number; before?: () => Promise<void> },
): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < tries; attempt += 1) {
    await before?.()
    const started = performance.now()
    await ask()
    shortest = Math.min(shortest, performance.now() - started)
  }
  return Math.floor(shortest / DELAY_MS)
}
