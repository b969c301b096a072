// The provider responses shared by all nodes. Those of a search share a hash tag, so that on a cluster one script can look
// up all of them. Keys are hashed and values encrypted (`response-encryption.ts`). What the text of a response means is up
// to `single-flight.ts`; it comes back as stored, or as '' if another program wrote it.
//
// A response is stored as `<its life in ms> <text>`, so its age is that life minus its remaining TTL, and no node's clock
// matters.
import type { RedisClient, Reply } from '../redis/redis-client.ts'
import { defineScript } from '../redis/redis-client.ts'
import type { ResponseEncryption } from './response-encryption.ts'

export interface FoundResponse {
  text: string
  ageMs: number
}

export interface RedisStore {
  /** Looks up these responses in one round trip; each is undefined if there is none, or if Redis is unavailable. */
  find: (base: string, slugs: readonly string[]) => Promise<(FoundResponse | undefined)[]>
  /** Returns the texts that exist, in one round trip. */
  read: (wanted: readonly { base: string; slug: string }[]) => Promise<string[]>
  /** Doesn't wait for Redis. */
  store: (base: string, slug: string, response: { text: string; lifeMs: number }) => void
}

/** KEYS: responses. Returns each with its remaining life in ms; both at once, so that they belong together. */
const findResponses = defineScript(`
local found = {}
for at, key in ipairs(KEYS) do found[at] = { redis.call('GET', key), redis.call('PTTL', key) } end
return found
`)

export function createRedisStore(redis: RedisClient, encryption: ResponseEncryption, prefix = 'bb:'): RedisStore {
  const { nameOf, encrypt, decrypt } = encryption
  const keyAt = (base: string, slug: string) => `${prefix}response:{${nameOf(base)}}:${slug}`

  function readFound(reply: Reply | undefined, key: string): FoundResponse | undefined {
    const [value, leftMs] = Array.isArray(reply) ? reply : []
    if (typeof value !== 'string') return undefined
    const ageMs = Number.parseInt(value, 10) - Number(leftMs)
    // What never expires, or lives longer than it says, isn't a response.
    if (!(Number(leftMs) >= 0 && ageMs >= 0)) return undefined
    return { text: decrypt(textOf(value), key), ageMs }
  }

  return {
    async find(base, slugs) {
      const keys = slugs.map((slug) => keyAt(base, slug))
      const reply = await redis.evaluate(findResponses, keys, [])
      return keys.map((key, at) => (Array.isArray(reply) ? readFound(reply[at], key) : undefined))
    },
    async read(wanted) {
      const keys = wanted.map(({ base, slug }) => keyAt(base, slug))
      const responses = await Promise.all(keys.map((key) => redis.send('GET', key)))
      return responses.flatMap((response, at) =>
        typeof response === 'string' ? [decrypt(textOf(response), keys[at] ?? '')] : [],
      )
    },
    store(base, slug, { text, lifeMs }) {
      const key = keyAt(base, slug)
      void redis.send('SET', key, `${lifeMs} ${encrypt(text, key)}`, 'PX', lifeMs)
    },
  }
}

/** Strips the response's life from the front. */
const textOf = (response: string): string => response.slice(response.indexOf(' ') + 1)
