// Remembers the URLs that a key's searches returned in the last two hours: the only ones that most keys may read. This
// blocks exfiltration by prompt injection: a program that a page has manipulated can fetch only URLs that a search
// returned, not URLs that it has made up to carry what it knows.
//
// A program may tidy an address, so the canonical forms are compared, and what is fetched is an address that was found,
// or one made of the canonical form alone: nothing else of what was sent leaves the instance.
//
// A key that may read links has a second list, of the addresses that the pages it found link to. It is apart from the
// first, so that links push out no finds, and because the links of a page that was reached by a link are not readable: a
// page could lead a program on and on, and learn from the way it takes.
//
// Stored as hashes keyed with the instance's secret, in Redis for all nodes and in the process for when Redis is down. The
// key is part of what is hashed, so that nobody can see in Redis that two keys found the same page. Each key has room for
// its newest URLs, and can't push out those of others.
import { LRUCache } from 'lru-cache'
import { atMost } from '../lru-bounds.ts'
import { defineScript, type RedisClient } from '../redis/redis-client.ts'
import { canonicalAddress } from '../text/canonical-address.ts'
import type { KeyedHash } from '../text/cryptography.ts'

export interface ReadableUrls {
  /** Doesn't wait for Redis. */
  remember: (keyId: string, addresses: readonly string[]) => void
  /** The address to fetch for the one that a client sends; undefined: the key has found no such page. */
  find: (keyId: string, address: string) => Promise<string | undefined>
}

interface FoundParts {
  /** Which list, in the name of its Redis key. */
  list: 'found' | 'linked'
  redis: RedisClient | undefined
  hash: KeyedHash
  clock: () => number
}

const LIFE_MS = 7_200_000
/** About a hundred searches; each URL has two entries. */
export const MAX_ENTRIES_PER_KEY = 4_000
const MAX_LOCAL_KEYS = 100

/** ARGV: now, life, the most entries, then hashes. */
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

/** No address begins with a space. */
const canonicalEntry = (address: string): string => ` ${canonicalAddress(address)}`

/** The usual addresses with this canonical form. */
const formsOf = (canonical: string): string[] => {
  const slashed = /[?#]|\/[^/]*\.\w{1,5}$/.test(canonical) ? [canonical] : [canonical, `${canonical}/`]
  return ['https://', 'https://www.', 'http://', 'http://www.'].flatMap((start) => slashed.map((rest) => start + rest))
}

export function createReadableUrls({ list, redis, hash, clock }: FoundParts): ReadableUrls {
  const local = new LRUCache<string, LRUCache<string, number>>({ max: MAX_LOCAL_KEYS })
  const redisKeyOf = (keyId: string) => `bb:{${keyId}}:${list}`
  const hashOf = (keyId: string, entry: string) => hash(`${keyId}\n${entry}`)
  const isRecent = (at: number | undefined) => at !== undefined && at > clock() - LIFE_MS

  /** Which of these entries the key has. */
  async function known(keyId: string, entries: readonly string[]): Promise<Set<string>> {
    const hashes = entries.map((entry) => hashOf(keyId, entry))
    const ofKey = local.get(keyId)
    const foundHere = entries.filter((_, at) => isRecent(ofKey?.get(hashes[at] ?? '')))
    if (foundHere.length > 0) return new Set(foundHere)
    const scores = await redis?.send('ZMSCORE', redisKeyOf(keyId), ...hashes)
    const times = Array.isArray(scores) ? scores : []
    return new Set(entries.filter((_, at) => typeof times[at] === 'string' && isRecent(Number(times[at]))))
  }

  return {
    remember(keyId, addresses) {
      if (addresses.length === 0) return
      const entries = new Set(addresses.flatMap((address) => [withoutFragment(address), canonicalEntry(address)]))
      const hashes = [...entries].map((entry) => hashOf(keyId, entry))
      const ofKey = local.get(keyId) ?? new LRUCache<string, number>(atMost(MAX_ENTRIES_PER_KEY))
      local.set(keyId, ofKey)
      for (const hashed of hashes) ofKey.set(hashed, clock())
      void redis?.evaluate(REMEMBER, [redisKeyOf(keyId)], [clock(), LIFE_MS, MAX_ENTRIES_PER_KEY, ...hashes])
    },
    async find(keyId, address) {
      const canonical = canonicalAddress(address)
      const forms = [withoutFragment(address), ...formsOf(canonical)]
      const found = await known(keyId, [...forms, canonicalEntry(address)])
      return forms.find((form) => found.has(form)) ?? (found.size > 0 ? `https://${canonical}` : undefined)
    },
  }
}
