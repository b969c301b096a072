// Measures how long Redis takes to answer: one in sixteen commands of those that requests wait for, so that the others
// pay nothing for it.
import type { RedisClient } from '../../storage/redis-client.ts'
import { isTracing, traced } from '../../trace.ts'

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
        // While Redis is away, nothing is sent and `undefined` comes at once.
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
