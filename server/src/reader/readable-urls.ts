// Remembers the URLs that a key's searches returned in the last two hours: the only ones that most keys may read. This
// blocks exfiltration by prompt injection: a program that a page has manipulated can fetch only URLs that a search
// returned, not URLs that it has made up to carry what it knows.
//
// Stored as hashes keyed with the instance's secret, in Redis for all nodes and in the process for when Redis is down. The
// key is part of what is hashed, so that nobody can see in Redis that two keys found the same page. Each key has room for
// its newest URLs, and can't push out those of others.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import { defineScript, type RedisClient } from '../redis/redis-client.ts'
import type { KeyedHash } from '../text/cryptography.ts'

export interface ReadableUrls {
  /** Doesn't wait for Redis. */
  remember: (keyId: string, addresses: readonly string[]) => void
  has: (keyId: string, address: string) => Promise<boolean>
}

interface FoundParts {
  redis: RedisClient | undefined
  hash: KeyedHash
  clock: () => number
}

const LIFE_MS = 7_200_000
/** About a hundred searches. */
export const MAX_URLS_PER_KEY = 2_000
const MAX_LOCAL_KEYS = 100

/** ARGV: now, life, the most URLs, then hashes. */
const REMEMBER = defineScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[1] - ARGV[2])
for i = 4, #ARGV do
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i])
end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[3] - 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`)

/** The fragment doesn't change the page. */
const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? address

export function createReadableUrls({ redis, hash, clock }: FoundParts): ReadableUrls {
  const local = new LRUCache<string, LRUCache<string, number>>({ max: MAX_LOCAL_KEYS })
  const redisKeyOf = (keyId: string) => `bb:{${keyId}}:found`
  const hashOf = (keyId: string, address: string) => hash(`${keyId}\n${withoutFragment(address)}`)
  const isRecent = (at: number | undefined) => at !== undefined && at > clock() - LIFE_MS

  return {
    remember(keyId, addresses) {
      if (addresses.length === 0) return
      const hashes = [...new Set(addresses.map((address) => hashOf(keyId, address)))]
      const ofKey = local.get(keyId) ?? new LRUCache<string, number>(atMost(MAX_URLS_PER_KEY))
      local.set(keyId, ofKey)
      for (const hashed of hashes) ofKey.set(hashed, clock())
      void redis?.evaluate(REMEMBER, [redisKeyOf(keyId)], [clock(), LIFE_MS, MAX_URLS_PER_KEY, ...hashes])
    },
    async has(keyId, address) {
      const hashed = hashOf(keyId, address)
      if (isRecent(local.get(keyId)?.get(hashed))) return true
      const score = await redis?.send('ZSCORE', redisKeyOf(keyId), hashed)
      return typeof score === 'string' && isRecent(Number(score))
    },
  }
}
