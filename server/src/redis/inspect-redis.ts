// Collects facts about Redis for `bowerbird doctor`, from each server that takes writes: the single server, the master
// that Sentinels name, or the masters of a cluster. Uses its own connections, which never retry. Nothing is written:
// the one write command sets a key only if it exists, which it never does.
import { Redis, type RedisOptions } from 'ioredis'
import { atHost, parseRedisAddress, type RedisAddress, type RedisHost, redisOptionsOf } from './redis-address.ts'
import { reasonOf } from './redis-availability.ts'

export interface RedisFacts {
  version: string
  evictionPolicy: string
  usedBytes: number
  /** 0: no limit. */
  maxBytes: number
  /** Why it takes no writes, in one word; undefined if it does. */
  writeRefusal: string | undefined
  replicas: number
  /** Milliseconds that its clock is ahead of ours; negative if behind. */
  clockAheadMs: number
}

export interface RedisInspection {
  kind: RedisAddress['kind']
  /** The facts of each server, or why it didn't answer. */
  servers: (RedisFacts | Error)[]
  /** Slots of a cluster that no master serves. */
  slotsWithoutMaster: number
}

const TIMEOUT_MS = 3_000
const ABSENT_KEY = 'bb:doctor'
const SLOTS = 16_384

/** Rejects with Redis' or the socket's error if no server answers. */
export async function inspectRedis(url: string): Promise<RedisInspection> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const options = redisOptionsOf(address)
  if (address.kind !== 'cluster') {
    const facts = await withClient(options, (client) => readFacts(client, 1))
    return { kind: address.kind, servers: [facts], slotsWithoutMaster: 0 }
  }
  const ranges = await readSlotMap(options, address.hosts)
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
  // Without a listener, ioredis prints errors. The first one says why it couldn't connect.
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

async function readFacts(client: Redis, maxKeys: number): Promise<RedisFacts> {
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
    maxBytes: Number(read('maxmemory')),
    writeRefusal: await findWriteRefusal(client, maxKeys),
    replicas: Number(read('connected_slaves')),
    clockAheadMs,
  }
}

interface SlotRange extends RedisHost {
  from: number
  to: number
}

/** Reads the slot map from the first server that knows it. */
async function readSlotMap(options: RedisOptions, hosts: readonly RedisHost[]): Promise<SlotRange[]> {
  let failure: unknown
  for (const asked of hosts) {
    try {
      const ranges = await withClient(atHost(options, asked), (client) => client.cluster('SLOTS'))
      // A server that doesn't know its own host name leaves it out.
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

/** Tries keys until one belongs to this server: in a cluster, most belong to others. */
async function findWriteRefusal(client: Redis, maxKeys: number): Promise<string | undefined> {
  for (let count = 0; count < maxKeys; count++) {
    try {
      await client.set(`${ABSENT_KEY}:${count}`, '', 'XX')
      return undefined
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== 'MOVED') return reason
    }
  }
  return 'MOVED'
}
