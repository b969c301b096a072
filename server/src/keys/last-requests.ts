// Remembers the last request with each key and its reply, so that a key's owner can check whether a program they are
// setting up gets through. Never contains the query or anything about who sent it.
//
// It stays in the memory of the node that served the request. When the owner looks, a message asks all nodes, and each
// puts its last request into Redis for a minute: so requests cost nothing extra, and Redis knows nothing until then.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { RedisClient } from '../redis/redis-client.ts'

const LastRequest = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  method: z.string(),
  /** The path's pattern. */
  route: z.string(),
  /** Where in the request the key was. */
  carrier: z.enum(['Api-Key', 'Bearer', 'Basic', 'X-API-Key', 'URL']),
  status: z.number(),
  ms: z.number(),
  /** The Search-Status and Engine-Status headers; '' if it wasn't a search. */
  search: z.string(),
  engines: z.string(),
  /** Why it was refused; '' if it wasn't. */
  refusal: z.string(),
})
export type LastRequest = z.output<typeof LastRequest>
export type KeyLocation = LastRequest['carrier']

export type LastRequests = ReturnType<typeof createLastRequests>

const CHANNEL = 'bb:last-requests'
const MOST_KEYS = 2_000
const LIFE_MS = 3_600_000
/** In Redis. */
const SHARED_MS = 60_000
/** Other nodes answer within milliseconds. */
const ANSWER_MS = 200
const KEY_ID = /^\d{1,19}$/

export function createLastRequests(redis: RedisClient | undefined, clock: () => number) {
  const node = randomUUID()
  const known = new LRUCache<string, LastRequest>({ max: MOST_KEYS })
  const nameOf = (keyId: string) => `bb:{${keyId}}:last-request`

  function knownOf(keyId: string): LastRequest | undefined {
    const request = known.peek(keyId)
    return request && clock() - request.at < LIFE_MS ? request : undefined
  }

  void redis?.subscribe(CHANNEL, (keyId) => {
    const request = KEY_ID.test(keyId) ? knownOf(keyId) : undefined
    if (!request) return
    void redis.send('HSET', nameOf(keyId), node, JSON.stringify(request))
    void redis.send('PEXPIRE', nameOf(keyId), SHARED_MS)
  })

  return {
    note: (keyId: string, request: LastRequest): void => void known.set(keyId, request),
    /** The latest on any node; undefined if there was none in the last hour. */
    async read(keyId: string): Promise<LastRequest | undefined> {
      const own = knownOf(keyId)
      if (!redis || redis.isAway()) return own
      redis.publish(CHANNEL, keyId)
      await sleep(ANSWER_MS)
      return latestOf([own, ...readAll(await redis.send('HGETALL', nameOf(keyId)))])
    },
  }
}

const latestOf = (requests: readonly (LastRequest | undefined)[]): LastRequest | undefined =>
  requests.reduce((latest, request) => (request && request.at > (latest?.at ?? 0) ? request : latest), undefined)

/** The values of an HGETALL reply (a flat list); undefined for what another version wrote and this one can't parse. */
function readAll(reply: unknown): (LastRequest | undefined)[] {
  if (!Array.isArray(reply)) return []
  return reply.filter((_value, index) => index % 2 === 1).map((text) => readOne(String(text)))
}

function readOne(text: string): LastRequest | undefined {
  try {
    return LastRequest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
