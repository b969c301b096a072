// Measures Redis latency: one in sixteen of the commands that requests wait for, so that the rest pay nothing.
import type { RedisClient } from '../redis/redis-client.ts'
import { isTracing, traced } from '../trace.ts'

const EVERY = 16

export function withTimedCommands(redis: RedisClient, observe: (ms: number) => void): RedisClient {
  let turn = 0
  const timed =
    <Args extends unknown[], Reply>(send: (...args: Args) => Promise<Reply>) =>
    (...args: Args): Promise<Reply> => {
      if (isTracing) return traced('redis', {}, () => send(...args))
      if (turn++ % EVERY !== 0) return send(...args)
      const askedAt = performance.now()
      return send(...args).then((reply) => {
        // While Redis is away, nothing is sent and the reply is an immediate `undefined`.
        if (reply !== undefined) observe(performance.now() - askedAt)
        return reply
      })
    }
  return {
    ...redis,
    send: timed(redis.send),
    evaluate: timed(redis.evaluate),
  }
}
