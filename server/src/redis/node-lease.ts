// A lease on a task that one node does for all. It expires unless renewed, so a dead node is replaced. Without Redis,
// or while it's unavailable, every node holds the lease and does the task for itself, as with everything else in Redis.
import { randomBytes } from 'node:crypto'
import { defineScript, type RedisClient } from './redis-client.ts'

export interface NodeLease {
  /** Takes the lease if it's free, renews it if it's ours; false if another node holds it. */
  hold: (lifeMs: number) => Promise<boolean>
  /** Releases the lease, so that another node can take it immediately. */
  release: () => Promise<void>
}

const HOLD = defineScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)

const RELEASE = defineScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`)

export function createNodeLease(redis: RedisClient | undefined, name: string, prefix = 'bb:'): NodeLease {
  const key = `${prefix}lease:${name}`
  const holder = randomBytes(12).toString('hex')
  return {
    async hold(lifeMs) {
      return (await redis?.evaluate(HOLD, [key], [holder, lifeMs])) !== 0
    },
    async release() {
      await redis?.evaluate(RELEASE, [key], [holder])
    },
  }
}
