// Notifies all nodes of changed keys and users, through Redis.
import { createLocalChanges, type KeyChanges } from '../keys/key-changes.ts'
import type { RedisClient } from '../redis/redis-client.ts'

const CHANGES_CHANNEL = 'bb:key-changes'

/** This node learns of its own changes without Redis, so they apply here immediately, even while Redis is down. */
export function redisChanges(redis: RedisClient): KeyChanges {
  const local = createLocalChanges()
  return {
    publish(message) {
      local.publish(message)
      redis.publish(CHANGES_CHANNEL, message)
    },
    subscribe(onMessage) {
      local.subscribe(onMessage)
      void redis.subscribe(CHANGES_CHANNEL, onMessage)
    },
  }
}
