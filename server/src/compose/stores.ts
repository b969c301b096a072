// Opens what an instance keeps its data in: the database, and Redis if there is one. REDIS_URL is for limits and health
// and must not evict anything; REDIS_CACHE_URL is optional, for cached responses, and may evict. An unreachable Redis
// is retried in the background. One that refuses us will keep refusing, so the start fails, unless REDIS_OPTIONAL is
// set.
import { randomBytes } from 'node:crypto'
import { RECOMMENDED_COST } from '../accounts/passwords.ts'
import { type ChangeBus, createLocalChangeBus } from '../keys/key-changes.ts'
import type { Log } from '../log.ts'
import { createMetrics, withTimedCommands } from '../metrics/metrics.ts'
import { lastingRefusalOf, type RedisStates } from '../redis/redis-availability.ts'
import { openRedis, type RedisClient, type ServerFacts } from '../redis/redis-client.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createSettingsStore, type SettingsContext } from '../settings/stored-settings.ts'
import type { Database } from '../store/database.ts'
import { readInstanceSecret } from '../store/instance-secret.ts'
import { migrate } from '../store/migrations.ts'
import { openPostgres } from '../store/postgres.ts'
import { openSqlite } from '../store/sqlite.ts'
import { forgetAccountIn } from './forget-account.ts'

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

/** `mayCreate`: whether a data folder without a database gets one. */
export const openDatabase = async (configuration: Configuration, log: Log, mayCreate = true): Promise<Database> => {
  const { databaseUrl, dataFolder, operation } = configuration
  if (databaseUrl === undefined) return await openSqlite(dataFolder, log, mayCreate)
  return openPostgres(databaseUrl, log, operation.databasePoolSize)
}

/** Opens only what administration needs: the migrated database, and a way to notify the nodes of a change. */
export async function openAccess(configuration: Configuration, log: Log, mayCreate = true) {
  await using opening = new AsyncDisposableStack()
  const database = await openDatabase(configuration, log, mayCreate)
  opening.defer(() => database.close())
  await database.withoutTimeout(migrate)
  const redis = configuration.redisUrl === undefined ? undefined : await openRedis(configuration.redisUrl, log)
  opening.defer(async () => redis?.close())
  const { db } = database
  const readSecret = () => readInstanceSecret({ db, configured: configuration.instanceSecret, randomBytes })
  const access: SettingsContext = {
    db,
    clock: Date.now,
    randomBytes,
    changes: redis ? redisChanges(redis) : createLocalChangeBus(),
    log,
    forgetShared: redis && forgetAccountIn(redis, Date.now),
    passwordCost: RECOMMENDED_COST,
    maxKeysPerUser: configuration.accounts.maxKeysPerUser,
    defaultKeyDays: configuration.accounts.defaultKeyDays,
    settings: createSettingsStore({ db, configuration, readInstanceSecret: readSecret, randomBytes }),
  }
  const opened = opening.move()
  return { access, database, redis, close: () => opened.disposeAsync() }
}

/** Opens everything, with metrics. */
export async function openStores(configuration: Configuration, log: Log) {
  await using opening = new AsyncDisposableStack()
  const { access, database, redis, close } = await openAccess(configuration, log)
  opening.defer(close)
  if (redis) requireRedis(redis, 'REDIS_URL', configuration)
  const { redisCacheUrl } = configuration
  const cacheRedis = redisCacheUrl === undefined ? undefined : await openRedis(redisCacheUrl, log)
  opening.defer(async () => cacheRedis?.close())
  if (cacheRedis) requireRedis(cacheRedis, 'REDIS_CACHE_URL', configuration)
  await warnOfEviction(redis, cacheRedis, log)
  const redisStates = (): RedisStates => ({
    ...(redis && { limits: redis.state() }),
    ...(cacheRedis && { cache: cacheRedis.state() }),
  })
  const { metricsPort, metricsToken } = configuration.operation
  const areServed = metricsPort !== undefined || metricsToken !== undefined
  const metrics = createMetrics(redis && redisStates, { areServed })
  const timed = (client: RedisClient | undefined) => client && withTimedCommands(client, metrics.redisCommand)
  const opened = opening.move()
  return {
    access: { ...access, countEvent: metrics.securityEvent },
    database,
    redis: timed(redis),
    cacheRedis: timed(cacheRedis ?? redis),
    redisStates,
    /** Names the stores that are currently unavailable. */
    missing: (): string[] => [
      ...(redis?.isAway() ? ['Redis'] : []),
      ...(cacheRedis?.isAway() ? ['Redis for cached responses'] : []),
    ],
    metrics,
    close: () => opened.disposeAsync(),
  }
}

export type Stores = Awaited<ReturnType<typeof openStores>>

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

const CHANGES_CHANNEL = 'bb:key-changes'

/**
 * Notifies all nodes of changed keys and users. This node learns of its own changes without Redis, so they apply here
 * immediately, even while Redis is down.
 */
function redisChanges(redis: RedisClient): ChangeBus {
  const local = createLocalChangeBus()
  return {
    publish(message) {
      local.publish(message)
      redis.publish(CHANGES_CHANNEL, message)
    },
    subscribe(onMessage) {
      local.subscribe(onMessage)
      void redis.subscribe(CHANGES_CHANNEL, onMessage)
    },
  }
}
