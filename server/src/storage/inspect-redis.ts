// Facts about Redis that `bowerbird doctor` judges, of each server that has to take writes: the one server, the master
// that Sentinels name, or the masters of a cluster. They come over connections of their own that never try twice.
// Nothing is written: the one write command deletes a key that never exists.
import { Redis, type RedisOptions } from 'ioredis'
import { atHost, parseRedisAddress, type RedisAddress, type RedisHost, redisOptionsOf } from './redis-address.ts'

export interface RedisFacts {
  version: string
  evictionPolicy: string
  usedBytes: number
  /** 0: no limit. */
  mostBytes: number
  isWritable: boolean
  replicas: number
  /** Milliseconds that its clock is ahead of ours; negative if behind. */
  clockAheadMs: number
}

export interface RedisInspection {
  kind: RedisAddress['kind']
  /** Those that answered, or why they did not. */
  servers: (RedisFacts | Error)[]
  /** Of a cluster: the slots that no master has. */
  slotsWithoutMaster: number
}

const TIMEOUT_MS = 3_000
const ABSENT_KEY = 'bb:doctor'
const SLOTS = 16_384

/** Rejects with Redis' or the socket's own error if nobody answers. */
export async function inspectRedis(url: string): Promise<RedisInspection> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const options = redisOptionsOf(address)
  if (address.kind !== 'cluster') {
    const facts = await withClient(options, (client) => readFacts(client, 1))
    return { kind: address.kind, servers: [facts], slotsWithoutMaster: 0 }
  }
  const ranges = await readMap(options, address.hosts)
  const masters = Map.groupBy(ranges, ({ host, port }) => `${host}:${port}`)
  const servers = await Promise.all(
    [...masters.values()].map(async (own) => {
      const [first] = own
      if (!first) return new Error('no range')
      return withClient(atHost(options, first), (client) => readFacts(client, SLOTS)).catch((error: Error) => error)
    }),
  )
  const covered = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  return { kind: 'cluster', servers, slotsWithoutMaster: SLOTS - covered }
}

async function withClient<Result>(options: RedisOptions, ask: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis({
    ...options,
    replyMapping: 'legacy',
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  })
  let failure: Error | undefined
  // ioredis prints an error that nobody listens for; the first one says why it could not connect.
  client.on('error', (error: Error) => {
    failure ??= error
  })
  try {
    await client.connect()
    return await ask(client)
  } catch (error) {
    throw failure ?? error
  } finally {
    client.disconnect()
  }
}

async function readFacts(client: Redis, mostNames: number): Promise<RedisFacts> {
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
    isWritable: await isWritable(client, mostNames),
    replicas: Number(read('connected_slaves')),
    clockAheadMs,
  }
}

interface SlotRange extends RedisHost {
  from: number
  to: number
}

/** Of the first server that knows it. */
async function readMap(options: RedisOptions, hosts: readonly RedisHost[]): Promise<SlotRange[]> {
  let failure: unknown
  for (const asked of hosts) {
    try {
      const ranges = await withClient(atHost(options, asked), (client) => client.cluster('SLOTS'))
      // A server that does not know its own name leaves it out.
      return ranges.flatMap(([from, to, master]) => {
        const [host, port] = master ?? []
        return port === undefined ? [] : [{ from, to, host: host || asked.host, port }]
      })
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

/** Tries names until this server has one of them: others in a cluster have the rest. */
async function isWritable(client: Redis, mostNames: number): Promise<boolean> {
  for (let count = 0; count < mostNames; count++) {
    try {
      await client.del(`${ABSENT_KEY}:${count}`)
      return true
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('MOVED '))) return false
    }
  }
  return false
}
