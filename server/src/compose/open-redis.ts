// Opens Redis: one for limits and health, which must not evict anything, and optionally another for cached responses,
// which may. A Redis that is unreachable is retried in the background. One that refuses us will keep refusing, so the
// start fails, unless REDIS_OPTIONAL is set.
import type { Log } from '../log.ts'
import { lastingRefusalOf, type RedisStates } from '../redis/redis-availability.ts'
import { openRedis, type RedisClient, type ServerFacts } from '../redis/redis-client.ts'
import type { Configuration } from '../settings/configuration.ts'

type RedisSetting = 'REDIS_URL' | 'REDIS_CACHE_URL'

/** Makes the start fail; `start-failure.ts` explains it. */
export class RedisRefused extends Error {
  override readonly name = 'RedisRefused'
  readonly setting: RedisSetting
  readonly reason: string

  constructor(setting: RedisSetting, reason: string) {
    super('Redis refuses us')
    this.setting = setting
    this.reason = reason
  }
}

/** Opens the Redis for cached responses: REDIS_CACHE_URL, or else `redis`. Throws if either refuses us. */
export async function openCacheRedis(configuration: Configuration, redis: RedisClient | undefined, log: Log) {
  if (redis) requireRedis(redis, 'REDIS_URL', configuration)
  const { redisCacheUrl } = configuration
  const own = redisCacheUrl === undefined ? undefined : await openRedis(redisCacheUrl, log)
  const closeCacheRedis = async () => own?.close()
  try {
    if (own) requireRedis(own, 'REDIS_CACHE_URL', configuration)
  } catch (error) {
    await closeCacheRedis()
    throw error
  }
  await warnOfEviction(redis, own, log)
  return {
    cacheRedis: own ?? redis,
    redisStates: (): RedisStates => ({ ...(redis && { limits: redis.state() }), ...(own && { cache: own.state() }) }),
    /** Dependencies that are currently unavailable. */
    missing: (): string[] => [
      ...(redis?.isAway() ? ['Redis'] : []),
      ...(own?.isAway() ? ['Redis for cached responses'] : []),
    ],
    closeCacheRedis,
  }
}

function requireRedis(redis: RedisClient, setting: RedisSetting, { redisOptional }: Configuration): void {
  const reason = redis.isAway() ? lastingRefusalOf(redis.failure()) : undefined
  if (reason !== undefined && !redisOptional) throw new RedisRefused(setting, reason)
}

/** Warns about memory settings that the operator should change. */
async function warnOfEviction(redis: RedisClient | undefined, cacheRedis: RedisClient | undefined, log: Log) {
  const [facts = [], cacheFacts = []] = await Promise.all([redis?.facts(), cacheRedis?.facts()])
  if (facts.some(({ maxMemoryPolicy }) => maxMemoryPolicy !== 'noeviction'))
    log.warn('Redis may evict limits; set maxmemory-policy to noeviction at REDIS_URL')
  const mayFill = ({ maxMemory, maxMemoryPolicy }: ServerFacts) => maxMemory === 0 || maxMemoryPolicy === 'noeviction'
  if (cacheFacts.some(mayFill))
    log.warn('cached responses are not bounded; set maxmemory and maxmemory-policy allkeys-lru at REDIS_CACHE_URL')
}
