// Shared by tests of the response cache: a provider that counts its calls, and nodes that share one Redis.
import { createDeadline, type Deadline } from '@bowerbird/engines/deadline.ts'
import type { EngineResponse } from '@bowerbird/engines/engine.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { responseKey } from '../search/response-key.ts'
import { isResponseOf } from '../search/response-shape.ts'
import { createRedisStore } from './redis-store.ts'
import { createResponseCache, type ResponseCache, type ResponseKey } from './response-cache.ts'
import type { ResponseEncryption } from './response-encryption.ts'
import type { ResponseOutcome, WantedResponse } from './single-flight.ts'

export type ImageResponse = EngineResponse

/** A response that a test wants, and how it is fetched. */
interface TestAsk extends WantedResponse<ImageResponse> {
  fetch: (deadline: Deadline) => Promise<ImageResponse>
  /** Called with the outcome as soon as it is known. */
  onOutcome?: (outcome: ResponseOutcome<ImageResponse>) => void
}

type Search = [keyPrefix: ResponseKey<ImageResponse>, asks: readonly TestAsk[], until?: Deadline]

interface TestCache extends ResponseCache {
  /** Resolves to all outcomes, as a search does. */
  obtain: (
    keyPrefix: ResponseKey<ImageResponse>,
    asks: readonly TestAsk[],
    until: Deadline,
  ) => Promise<ResponseOutcome<ImageResponse>[]>
}

export function openCache(parts: Parameters<typeof createResponseCache>[0]): TestCache {
  const cache = createResponseCache(parts)
  return Object.assign(cache, {
    obtain(keyPrefix: ResponseKey<ImageResponse>, asks: readonly TestAsk[], until: Deadline) {
      const outcomes = cache.getOrFetch(keyPrefix, asks, until, (ask, deadline) => ask.fetch(deadline))
      return Promise.all(
        outcomes.map(async (outcome, index) => {
          const known = await outcome
          asks[index]?.onOutcome?.(known)
          return known
        }),
      )
    },
  })
}

export const log = createLog('silent')

let queries = 0
/** The key prefix of a query that no other test uses. */
export const newKeyPrefix = () => {
  queries += 1
  return responseKey({
    tab: 'images',
    text: `query ${queries} of ${process.pid}`,
    page: 1,
    safe: true,
    date: undefined,
    lang: '',
  })
}

export const aResponse = (title: string): ImageResponse => ({
  hits: [{ kind: 'image', title, url: `https://example.org/${title}`, thumbnailUrl: 'https://example.org/small.png' }],
  correction: '',
})

/** A provider whose responses are numbered by its calls; it keeps the deadline of each. */
export function aProvider(behave: (call: number) => Promise<unknown> = () => Promise.resolve()) {
  const calls: Deadline[] = []
  return {
    calls,
    ask: (own: Partial<TestAsk> = {}): TestAsk => ({
      slug: 'openverse',
      cacheSeconds: 60,
      cacheIn: 'shared',
      isResponse: isResponseOf.images,
      async fetch(deadline) {
        calls.push(deadline)
        const call = calls.length
        await behave(call)
        return aResponse(`call-${call}`)
      },
      ...own,
    }),
  }
}

export const failing = (kind: UpstreamError['kind'] = 'unreachable') => {
  throw new UpstreamError(kind, 'as the test wants it')
}

export const within = createDeadline

/** The title that tells which call a response came from, or the kind of the error. */
export const saying = (outcome: ResponseOutcome<ImageResponse> | undefined): string => {
  if (!outcome) return 'nothing'
  return 'error' in outcome ? outcome.error.kind : (outcome.response.hits[0]?.title ?? 'empty')
}

/** What each engine says in a search. */
export const answers = async (
  cache: TestCache,
  ...[keyPrefix, asks, until = within(1_000)]: Search
): Promise<string[]> => (await cache.obtain(keyPrefix, asks, until)).map(saying)

/** In clear text, so that a test can find what was stored, and store anything. */
export const IN_CLEAR: ResponseEncryption = {
  hashName: (name) => name,
  encrypt: (text) => text,
  decrypt: (text) => text,
}

interface TestNode {
  cache: TestCache
  redis: RedisClient
}

async function openNode(url: string, watch: (redis: RedisClient) => RedisClient): Promise<TestNode> {
  const redis = await openRedis(url, log)
  const shared = createRedisStore(watch(redis), IN_CLEAR)
  const cache = openCache({ shared, clock: Date.now, maxAgeSeconds: 3_600, log })
  return { cache, redis }
}

/** Nodes on a private Redis of the test file, closed after each test. */
export function useNodes() {
  let redis: PrivateRedis | undefined
  const open: TestNode[] = []
  const theRedis = (): PrivateRedis => {
    if (!redis) throw new Error('only in a test')
    return redis
  }
  beforeAll(async () => {
    redis = await startPrivateRedis()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ redis }) => redis.close()))
  })
  afterAll(() => redis?.stop())
  return {
    redis: theRedis,
    admin: useRedisAdmin(() => theRedis().url),
    nodes: async (count: number, watch = (redis: RedisClient): RedisClient => redis): Promise<TestNode[]> => {
      const opened = await Promise.all(Array.from({ length: count }, () => openNode(theRedis().url, watch)))
      open.push(...opened)
      return opened
    },
  }
}
