// Facts about a Redis server that `bowerbird doctor` judges, over a connection of its own that never tries twice. It
// writes nothing: the one write command it sends deletes a key that never exists.
import { Redis } from 'ioredis'
import { parseRedisAddress, redisOptionsOf } from './redis-address.ts'

export interface RedisFacts {
  version: string
  evictionPolicy: string
  usedBytes: number
  /** 0: no limit. */
  mostBytes: number
  isWritable: boolean
  /** Milliseconds that its clock is ahead of ours; negative if behind. */
  clockAheadMs: number
}

const TIMEOUT_MS = 3_000
const ABSENT_KEY = 'bb:doctor'

/** Rejects with Redis' or the socket's own error. */
export async function inspectRedis(url: string): Promise<RedisFacts> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const client = new Redis({
    ...redisOptionsOf(address),
    replyMapping: 'legacy',
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  })
  let failure: Error | undefined
  // ioredis prints an error that nobody listens for; the first one says why it could not connect.
  client.on('error', (error: Error) => {
    failure ??= error
  })
  try {
    await client.connect()
    const askedAt = Date.now()
    const [seconds, micros] = await client.time()
    const clockAheadMs = Number(seconds) * 1_000 + Number(micros) / 1_000 - (askedAt + Date.now()) / 2
    const text = await client.info()
    const read = (name: string) =>
      new Map(text.split('\r\n').map((line) => line.split(':') as [string, string])).get(name) ?? ''
    return {
      version: read('redis_version'),
      evictionPolicy: read('maxmemory_policy'),
      usedBytes: Number(read('used_memory')),
      mostBytes: Number(read('maxmemory')),
      isWritable: await canWrite(client),
      clockAheadMs,
    }
  } catch (error) {
    throw failure ?? error
  } finally {
    client.disconnect()
  }
}

const canWrite = (client: Redis): Promise<boolean> =>
  client.del(ABSENT_KEY).then(
    () => true,
    () => false,
  )
