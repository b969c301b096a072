// The Redis of an instance: one for limits, usage and health, which must not lose anything to make room, and
// possibly another for cached responses, which may. A Redis that is not there yet is waited for in the background. One
// that refuses us would refuse us for ever, so the instance does not start, unless the operator prefers that it does.
import type { Log } from '../log.ts'
import type { RedisState } from '../storage/redis-availability.ts'
import { openRedis, type RedisClient, type ServerFacts } from '../storage/redis-client.ts'
import { lastingRefusalOf } from '../storage/redis-refusal.ts'
import type { Configuration } from './configuration.ts'

type RedisSetting = 'REDIS_URL' | 'REDIS_CACHE_URL'

/** The start fails because of it, with a sentence of `start-failure.ts`. */
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

/** By what each is for; `cache` only if responses have their own. */
export type RedisStates = Partial<Record<'limits' | 'cache', RedisState>>

/** For cached responses: the same as for everything else, unless they have their own. Throws if one refuses us. */
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
    /** What this node has to do without. */
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

/** What the operator should change. */
async function warnOfEviction(redis: RedisClient | undefined, cacheRedis: RedisClient | undefined, log: Log) {
  const [facts = [], cacheFacts = []] = await Promise.all([redis?.facts(), cacheRedis?.facts()])
  if (facts.some(({ maxMemoryPolicy }) => maxMemoryPolicy !== 'noeviction'))
    log.warn('Redis may evict limits; set maxmemory-policy to noeviction at REDIS_URL')
  const mayFill = ({ maxMemory, maxMemoryPolicy }: ServerFacts) => maxMemory === 0 || maxMemoryPolicy === 'noeviction'
  if (cacheFacts.some(mayFill))
    log.warn('cached responses are not bounded; set maxmemory and maxmemory-policy allkeys-lru at REDIS_CACHE_URL')
}
