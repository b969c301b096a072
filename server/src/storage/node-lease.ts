// A lease for a task that one node does for all. It expires after a while and must be renewed, so a node that died is
// replaced. Without Redis, or while it is unavailable, every node holds the lease: each then takes care of itself, as
// with everything else that Redis keeps.
import { randomBytes } from 'node:crypto'
import type { RedisClient } from './redis-client.ts'
import { defineScript } from './redis-script.ts'

export interface NodeLease {
  /** Takes it if it is free, renews it if it is ours; false if another node holds it. */
  hold: (lifeMs: number) => Promise<boolean>
  /** Releases it, so that another node can take it at once. */
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
