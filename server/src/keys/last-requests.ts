// Remembers the last request with each key and its outcome, so that a key's owner can check whether a program they are
// setting up gets through. What is remembered never includes the query or anything about the sender.
//
// Each node keeps the last requests that it served in memory. When a key's owner looks, a message asks all nodes, and
// each puts its last request with that key into Redis for a minute. So a request costs nothing extra, and nothing is in
// Redis until someone looks.
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
  carrier: z.enum(['Api-Key', 'Bearer', 'Basic', 'X-API-Key', 'X-Subscription-Token', 'X-Goog-Api-Key', 'URL']),
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
const MAX_KEYS = 2_000
const MAX_AGE_MS = 3_600_000
/** How long a request stays in Redis. */
const SHARED_FOR_MS = 60_000
/** Other nodes answer within milliseconds. */
const ANSWER_WAIT_MS = 200
const KEY_ID = /^\d{1,19}$/

export function createLastRequests(redis: RedisClient | undefined, clock: () => number) {
  const node = randomUUID()
  const requests = new LRUCache<string, LastRequest>({ max: MAX_KEYS })
  const redisKeyOf = (keyId: string) => `bb:{${keyId}}:last-request`

  function recentRequestOf(keyId: string): LastRequest | undefined {
    const request = requests.peek(keyId)
    return request && clock() - request.at < MAX_AGE_MS ? request : undefined
  }

  void redis?.subscribe(CHANNEL, (keyId) => {
    const request = KEY_ID.test(keyId) ? recentRequestOf(keyId) : undefined
    if (!request) return
    void redis.send('HSET', redisKeyOf(keyId), node, JSON.stringify(request))
    void redis.send('PEXPIRE', redisKeyOf(keyId), SHARED_FOR_MS)
  })

  return {
    note: (keyId: string, request: LastRequest): void => void requests.set(keyId, request),
    /** The latest request on any node; undefined if there was none in the last hour. */
    async read(keyId: string): Promise<LastRequest | undefined> {
      const local = recentRequestOf(keyId)
      if (!redis || redis.isAway()) return local
      redis.publish(CHANNEL, keyId)
      await sleep(ANSWER_WAIT_MS)
      return latestOf([local, ...parseRequests(await redis.send('HGETALL', redisKeyOf(keyId)))])
    },
  }
}

const latestOf = (requests: readonly (LastRequest | undefined)[]): LastRequest | undefined =>
  requests.reduce((latest, request) => (request && request.at > (latest?.at ?? 0) ? request : latest), undefined)

/** The values of an HGETALL reply (a flat list); undefined for a value of another version that this one can't parse. */
function parseRequests(reply: unknown): (LastRequest | undefined)[] {
  if (!Array.isArray(reply)) return []
  return reply.filter((_value, index) => index % 2 === 1).map((text) => parseRequest(String(text)))
}

function parseRequest(text: string): LastRequest | undefined {
  try {
    return LastRequest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
