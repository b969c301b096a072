// Remembers the URLs that a key's searches returned in the last two hours: the only ones that most keys may read. This
// blocks exfiltration by prompt injection: a program that a page has talked into something can fetch only URLs that a
// search found, none into which it has written what it knows.
//
// Stored as hashes keyed with the instance's secret, in Redis for all nodes and in the process for when Redis is down.
import { LRUCache } from 'lru-cache'
import { defineScript, type RedisClient } from '../redis/redis-client.ts'
import type { KeyedHash } from '../text/cryptography.ts'

export interface FoundAddresses {
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
const KEPT_HERE = 20_000

/** ARGV: now, life, then hashes. */
const REMEMBER = defineScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[1] - ARGV[2])
for i = 3, #ARGV do
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`)

/** The fragment doesn't change the page. */
const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? address

export function createFoundAddresses({ redis, hash, clock }: FoundParts): FoundAddresses {
  const here = new LRUCache<string, number>({ max: KEPT_HERE })
  const nameOf = (keyId: string) => `bb:{${keyId}}:found`
  const markOf = (address: string) => hash(withoutFragment(address))
  const isRecent = (at: number | undefined) => at !== undefined && at > clock() - LIFE_MS

  return {
    remember(keyId, addresses) {
      if (addresses.length === 0) return
      const marks = [...new Set(addresses.map(markOf))]
      for (const mark of marks) here.set(`${keyId} ${mark}`, clock())
      void redis?.evaluate(REMEMBER, [nameOf(keyId)], [clock(), LIFE_MS, ...marks])
    },
    async has(keyId, address) {
      const mark = markOf(address)
      if (isRecent(here.get(`${keyId} ${mark}`))) return true
      const score = await redis?.send('ZSCORE', nameOf(keyId), mark)
      return typeof score === 'string' && isRecent(Number(score))
    },
  }
}
