// The client of Redis or Valkey: one server, the master that Sentinels name, or a cluster, each with ioredis's own client.
//
// Nothing waits for a Redis that isn't there: callers get `undefined` and use their local fallback. A server that owes a
// reply and is silent for a second loses its connection, so a frozen one slows down the requests of that second and no
// others; a busy one that keeps answering isn't mistaken for it. `redis-availability.ts` says what else counts as away.
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import { parseRedisAddress, type RedisAddress, redisOptionsOf } from './redis-address.ts'
import { RedisAvailability, type RedisState } from './redis-availability.ts'
import { type LegacyRedis, legacyOf } from './redis-legacy.ts'
import { defineScript, type Script } from './redis-script.ts'

export type Reply = number | string | null | Reply[]
export type Value = string | number

/** What a server that takes writes says of itself. */
export interface ServerFacts {
  maxMemory: number
  maxMemoryPolicy: string
}

export interface RedisClient extends LegacyRedis {
  // The key goes with the usage counters in Redis.
  isAway: (key?: string) => boolean
  state: () => RedisState
  /** Why Redis is away, as ioredis reported it. */
  failure: () => Error | undefined
  /** Empty if we may not know. */
  facts: () => Promise<ServerFacts[]>
  /** Sends a command about one key; `undefined` if Redis is away or refuses it. */
  send: (name: string, key: string, ...values: Value[]) => Promise<Reply | undefined>
  /** Runs a script; `undefined` if Redis is away or refuses it. All keys have the same hash tag. */
  evaluate: (script: Script, keys: readonly string[], values: readonly Value[]) => Promise<Reply | undefined>
  /** Called when Redis is usable again, before the next command: it may have lost its data. */
  onReady: (listener: () => void) => void
  publish: (channel: string, message: string) => void
  /** Messages published while Redis is away are lost. */
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  /** Whether messages arrive at the moment. */
  isSubscribed: () => boolean
  close: () => Promise<void>
}

const RETRY_MS = 250
const SILENCE_MS = 1_000
const PING_MS = 2_000

const OPTIONS = {
  connectionName: 'bowerbird',
  protocol: 2,
  replyMapping: 'legacy',
  lazyConnect: true,
  connectTimeout: SILENCE_MS,
  socketTimeout: SILENCE_MS,
  sentinelCommandTimeout: SILENCE_MS,
  // For a server that answers others but not this command. Longer, so that a frozen one is known by its silence.
  commandTimeout: 1_500,
  retryStrategy: () => RETRY_MS,
  sentinelRetryStrategy: () => RETRY_MS,
  // The new connection leads to the server that has taken over.
  reconnectOnError: ({ message }: Error) => message.includes('READONLY'),
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // `openMessages` subscribes, also if the first attempt has failed.
  autoResubscribe: false,
  // Both may be forbidden to us. The probe checks more.
  enableReadyCheck: false,
  disableClientInfo: true,
} satisfies RedisOptions

const PROBE = defineScript(`redis.call('SET', KEYS[1], '1', 'PX', 1000) redis.call('DEL', KEYS[1])`)

/** Opens the client and waits for its first attempt to connect. The URL has been checked: the configuration reads it. */
export async function openRedis(url: string, log: Log): Promise<RedisClient> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const client = createClient(address)
  const probe = (key: string) => runScript(client, PROBE, [1, key])
  const availability = new RedisAvailability({ client, probe, log })
  const messages = openMessages(client)
  await availability.open()

  async function ask(key: string, send: () => Promise<unknown>): Promise<Reply | undefined> {
    if (availability.isAway()) return undefined
    try {
      // Redis has no other replies, in the protocol that we use.
      return (await send()) as Reply
    } catch (error) {
      availability.noteRefusal(error, key)
      return undefined
    }
  }
  const evaluate: RedisClient['evaluate'] = (script, keys, values) =>
    ask(keys[0] ?? '', () => runScript(client, script, [keys.length, ...keys, ...values]))

  return {
    isAway: () => availability.isAway(),
    state: () => availability.state(),
    failure: () => availability.failure,
    facts: () => readFacts(client),
    send: (name, key, ...values) => ask(key, () => client.call(name, key, ...values)),
    evaluate,
    onReady: (listener) => availability.onReady(listener),
    publish: (channel, message) => void ask(channel, () => client.publish(channel, message)),
    ...messages,
    async close() {
      availability.close()
      await Promise.all([messages.close(), closeClient(client)])
    },
    ...legacyOf(evaluate),
  }
}

function createClient(address: RedisAddress): Redis | Cluster {
  const options = redisOptionsOf(address)
  if (address.kind !== 'cluster') return new Redis({ ...options, ...OPTIONS })
  return new Cluster(address.hosts, {
    redisOptions: { ...options, ...OPTIONS },
    lazyConnect: true,
    enableReadyCheck: false,
    clusterRetryStrategy: () => RETRY_MS,
    slotsRefreshInterval: 5_000,
    // Names stay names: certificates have them.
    dnsLookup: (host, callback) => callback(null, host),
    // A command isn't sent again, but for a redirection.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
  })
}

/** Calls it by its hash; ioredis sends the text first on each connection, and again if a server has forgotten it. */
function runScript(client: Redis | Cluster, { lua, sha }: Script, args: Value[]): Promise<unknown> {
  if (!(sha in client)) client.defineCommand(sha, { lua })
  // `defineCommand` adds a method of this name, which the type doesn't know.
  return (client as unknown as Record<string, (...args: Value[]) => Promise<unknown>>)[sha]?.(...args) ?? NOTHING
}
const NOTHING = Promise.resolve(undefined)

async function closeClient(client: Redis | Cluster): Promise<void> {
  // Commands that were given before are still answered.
  if (client.status === 'ready') await client.quit().catch(() => undefined)
  client.disconnect()
}

async function readFacts(client: Redis | Cluster): Promise<ServerFacts[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client]
  const texts = await Promise.all(servers.map((server) => server.info().catch(() => '')))
  return texts.flatMap((text) => {
    const [, maxMemory, maxMemoryPolicy] = /^maxmemory:(\d+).*^maxmemory_policy:(\S+)/ms.exec(text) ?? []
    return maxMemoryPolicy === undefined ? [] : [{ maxMemory: Number(maxMemory), maxMemoryPolicy }]
  })
}

/** Messages arrive on a connection that takes no other commands; a cluster's client has one itself. */
function openMessages(client: Redis | Cluster) {
  const subscriber = client instanceof Cluster ? client : client.duplicate({ connectionName: 'bowerbird-messages' })
  const listeners = new Map<string, ((message: string) => void)[]>()
  let isListening = false
  const listen = async () => {
    if (subscriber.status !== 'ready' || listeners.size === 0) return
    isListening = await subscriber.subscribe(...listeners.keys()).then(
      () => true,
      () => false,
    )
  }
  subscriber.on('ready', () => void listen())
  subscriber.on('close', () => {
    isListening = false
  })
  subscriber.on('message', (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message)
  })
  // The other client logs outages.
  subscriber.on('error', () => undefined)
  // A frozen server doesn't close the connection; a ping that isn't answered does.
  const ping = () => {
    if (isListening) subscriber.ping().catch(() => undefined)
  }
  const pinging = setInterval(ping, PING_MS).unref()

  return {
    isSubscribed: () => isListening,
    async subscribe(channel: string, onMessage: (message: string) => void): Promise<void> {
      listeners.set(channel, [...(listeners.get(channel) ?? []), onMessage])
      if (subscriber.status === 'wait') await subscriber.connect().catch(() => undefined)
      await listen()
    },
    async close() {
      clearInterval(pinging)
      await closeClient(subscriber)
    },
  }
}
