// The provider responses shared by all nodes. Those of a search share a hash tag, so that on a cluster one script can
// look up all of them. Keys are hashed and values encrypted (`response-encryption.ts`). What the text of a response
// means is up to `single-flight.ts`; it comes back as stored, or as '' if another program wrote it.
//
// A response is stored as `<its life in ms> <text>`, so its age is that life minus its remaining TTL, and no node's
// clock matters.
import type { RedisClient, Reply } from '../redis/redis-client.ts'
import { defineScript } from '../redis/redis-client.ts'
import type { ResponseEncryption } from './response-encryption.ts'

export interface FoundResponse {
  text: string
  ageMs: number
}

export interface RedisStore {
  /** Looks up these responses in one round trip; each is undefined if there is none, or if Redis is unavailable. */
  find: (keyPrefix: string, slugs: readonly string[]) => Promise<(FoundResponse | undefined)[]>
  /** Look-ups that begin together share a round trip, whatever their prefixes. */
  findText: (keyPrefix: string, slug: string) => Promise<string | undefined>
  /** Returns before Redis has stored the response. */
  store: (keyPrefix: string, slug: string, response: { text: string; lifeMs: number }) => void
}

/** KEYS: responses. Returns each with its remaining life in ms; both at once, so that they belong together. */
const findResponses = defineScript(`
local found = {}
for index, key in ipairs(KEYS) do found[index] = { redis.call('GET', key), redis.call('PTTL', key) } end
return found
`)

export function createRedisStore(redis: RedisClient, encryption: ResponseEncryption): RedisStore {
  const { hashName, encrypt, decrypt } = encryption
  const toRedisKey = (keyPrefix: string, slug: string) => `bb:response:{${hashName(keyPrefix)}}:${slug}`

  function readText(value: string, redisKey: string): string {
    const encrypted = value.slice(value.indexOf(' ') + 1)
    return decrypt(encrypted, redisKey)
  }

  function readFound(reply: Reply | undefined, redisKey: string): FoundResponse | undefined {
    if (!Array.isArray(reply)) return undefined
    const [value, leftMs] = reply
    if (typeof value !== 'string') return undefined
    const ageMs = Number.parseInt(value, 10) - Number(leftMs)
    // What never expires, or lives longer than it says, isn't a response.
    if (!(Number(leftMs) >= 0 && ageMs >= 0)) return undefined
    return { text: readText(value, redisKey), ageMs }
  }

  return {
    async find(keyPrefix, slugs) {
      const redisKeys = slugs.map((slug) => toRedisKey(keyPrefix, slug))
      const reply = await redis.evaluate(findResponses, redisKeys, [])
      const replies = Array.isArray(reply) ? reply : []
      return redisKeys.map((redisKey, index) => readFound(replies[index], redisKey))
    },
    async findText(keyPrefix, slug) {
      const redisKey = toRedisKey(keyPrefix, slug)
      const value = await redis.send('GET', redisKey)
      return typeof value === 'string' ? readText(value, redisKey) : undefined
    },
    store(keyPrefix, slug, { text, lifeMs }) {
      const redisKey = toRedisKey(keyPrefix, slug)
      void redis.send('SET', redisKey, `${lifeMs} ${encrypt(text, redisKey)}`, 'PX', lifeMs)
    },
  }
}
