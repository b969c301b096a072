// A task that one node does for all: the node that holds the lease. It lasts for a while and must be renewed, so that a
// node that died is replaced. Without Redis, or while it is away, every node holds it: then each looks after itself,
// as it does with everything else that Redis keeps.
import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { RedisLink } from './redis-link.ts'

export interface NodeLease {
  /** Takes it if it is free, renews it if it is ours; false when another node holds it. */
  hold: (lifeMs: number) => Promise<boolean>
  /** Lets another node have it at once. */
  release: () => Promise<void>
}

const HOLD = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

interface Scripts {
  bowerbirdHoldNodeLease: (key: string, holder: string, lifeMs: number) => Promise<number>
  bowerbirdReleaseNodeLease: (key: string, holder: string) => Promise<unknown>
}

// `defineCommand` adds the methods at run time, which the client's type cannot know.
const scripts = (client: Redis) => client as Redis & Scripts

export function createNodeLease(redis: RedisLink | undefined, name: string, prefix = 'bb:'): NodeLease {
  redis?.client.defineCommand('bowerbirdHoldNodeLease', { lua: HOLD, numberOfKeys: 1 })
  redis?.client.defineCommand('bowerbirdReleaseNodeLease', { lua: RELEASE, numberOfKeys: 1 })
  const key = `${prefix}lease:${name}`
  const holder = randomBytes(12).toString('hex')
  return {
    async hold(lifeMs) {
      const reply = await redis?.attempt((client) => scripts(client).bowerbirdHoldNodeLease(key, holder, lifeMs))
      return reply !== 0
    },
    async release() {
      await redis?.attempt((client) => scripts(client).bowerbirdReleaseNodeLease(key, holder))
    },
  }
}
