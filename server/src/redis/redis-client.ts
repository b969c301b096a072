// The client for Redis or Valkey: one server, the master that Sentinels name, or a cluster, each with ioredis's client.
//
// No request waits for a Redis that isn't there: callers get `undefined` and use their local fallback. A frozen server
// slows down only the requests of one second: once the oldest of them has waited that long, none waits any longer.
// `redis-availability.ts` defines what else counts as away.
import { createHash } from 'node:crypto'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import { parseRedisAddress, type RedisAddress, redisOptionsOf } from './redis-address.ts'
import { RedisAvailability, type RedisState } from './redis-availability.ts'

export type Reply = number | string | null | Reply[]
type Value = string | number

/** A Lua script, and the hash that calls it on a server that has already run it. */
interface Script {
  lua: string
  sha: string
}

export const defineScript = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })

/** Memory settings that a writable server reports. */
export interface ServerFacts {
  maxMemory: number
  maxMemoryPolicy: string
}

export interface RedisClient {
  isAway: () => boolean
  state: () => RedisState
  /** Why Redis is away, as ioredis reported it. */
  failure: () => Error | undefined
  /** Empty if Redis is away or doesn't let us run INFO. */
  facts: () => Promise<ServerFacts[]>
  /** Sends a command on one key; `undefined` if Redis is away or refuses it. */
  send: (name: string, key: string, ...values: Value[]) => Promise<Reply | undefined>
  /** Runs a script; `undefined` if Redis is away or refuses it. All keys have the same hash tag. */
  evaluate: (script: Script, keys: readonly string[], values: readonly Value[]) => Promise<Reply | undefined>
  /** Called when Redis is usable again, before the next command: Redis may have lost its data. */
  onReady: (listener: () => void) => void
  publish: (channel: string, message: string) => void
  /** Messages published while Redis is away are lost. */
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  /** Whether messages currently arrive. */
  isSubscribed: () => boolean
  close: () => Promise<void>
}

const RETRY_MS = 250
const CONNECT_MS = 1_000
/** A connection that is silent this long is replaced: the other machine may be gone. */
const SILENCE_MS = 3_000
const PING_MS = 2_000
/** The next reply is overdue after three ticks, so after a second at most. */
const TICK_MS = 250
const MAX_TICKS = 3

const OPTIONS = {
  connectionName: 'bowerbird',
  protocol: 2,
  replyMapping: 'legacy',
  lazyConnect: true,
  connectTimeout: CONNECT_MS,
  sentinelCommandTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  retryStrategy: () => RETRY_MS,
  sentinelRetryStrategy: () => RETRY_MS,
  // The new connection leads to the server that has taken over.
  reconnectOnError: ({ message }: Error) => message.includes('READONLY'),
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // `openMessages` subscribes, also if the first attempt has failed.
  autoResubscribe: false,
  // Both use commands that an ACL may forbid. The probe checks more.
  enableReadyCheck: false,
  disableClientInfo: true,
} satisfies RedisOptions

const PROBE = defineScript(`redis.call('SET', KEYS[1], '1', 'PX', 1000) redis.call('DEL', KEYS[1])`)
/** Keys that are spread over almost all servers of a cluster. A server without one is checked by its next command. */
const CLUSTER_PROBE_KEYS = Array.from({ length: 64 }, (_, tag) => `bb:probe:{${tag}}`)

/** Opens the client and waits for its first attempt to connect. The configuration has already validated the URL. */
export async function openRedis(url: string, log: Log): Promise<RedisClient> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const client = createClient(address)
  const names = client instanceof Cluster ? CLUSTER_PROBE_KEYS : []
  const probe = (key: string) => Promise.all([key, ...names].map((name) => runScript(client, PROBE, [1, name])))
  const availability = new RedisAvailability({ client, probe, log })
  const messages = openMessages(client)
  await availability.open()
  const { ask, stop } = watchReplies(availability)

  return {
    isAway: () => availability.isAway(),
    state: () => availability.state(),
    failure: () => availability.failure,
    facts: async () => (availability.isAway() ? [] : await readFacts(client)),
    send: (name, key, ...values) => ask(key, () => client.call(name, key, ...values)),
    evaluate: (script, keys, values) =>
      ask(keys[0] ?? '', () => runScript(client, script, [keys.length, ...keys, ...values])),
    onReady: (listener) => availability.onReady(listener),
    publish: (channel, message) => void ask(channel, () => client.publish(channel, message)),
    ...messages,
    async close() {
      // Commands sent before this still get their replies.
      if (!availability.isAway()) await client.quit().catch(() => undefined)
      stop()
      availability.close()
      messages.close()
      client.disconnect()
    },
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
    // Keep host names unresolved: certificates are issued for them.
    dnsLookup: (host, callback) => callback(null, host),
    // A command is only sent again after a redirection.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
  })
}

/** Calls a script by hash; ioredis sends its text first on each connection, and again if a server has forgotten it. */
function runScript(client: Redis | Cluster, { lua, sha }: Script, args: Value[]): Promise<unknown> {
  if (!(sha in client)) client.defineCommand(sha, { lua })
  // `defineCommand` adds a method of this name, which the type doesn't know.
  return (client as unknown as Record<string, (...args: Value[]) => Promise<unknown>>)[sha]?.(...args) ?? NOTHING
}
const NOTHING = Promise.resolve(undefined)

interface Call {
  key: string
  answer: (reply: Reply | undefined) => void
}

/**
 * Sends commands and waits for their replies until the next one is overdue. A server answers in order, so as long as
 * the oldest command keeps changing, it's only busy. Time is counted in ticks: a process that was itself blocked for
 * seconds sees a single tick, and so doesn't blame a server that has answered meanwhile.
 */
function watchReplies(availability: RedisAvailability) {
  const calls = new Set<Call>()
  let waitingFor: Call | undefined
  let ticks = 0
  const ticking = setInterval(() => {
    const [oldest] = calls
    ticks = oldest === waitingFor ? ticks + 1 : 0
    waitingFor = oldest
    if (!oldest || ticks < MAX_TICKS) return
    availability.noteSilence(oldest.key)
    for (const { answer } of calls) answer(undefined)
    calls.clear()
  }, TICK_MS).unref()

  const ask = (key: string, send: () => Promise<unknown>): Promise<Reply | undefined> =>
    new Promise((answer) => {
      if (availability.isAway()) {
        answer(undefined)
        return
      }
      const call = { key, answer }
      calls.add(call)
      send().then(
        (reply) => {
          calls.delete(call)
          // The protocol that we use has no other reply types.
          answer(reply as Reply)
        },
        (error) => {
          calls.delete(call)
          availability.noteRefusal(error, key)
          answer(undefined)
        },
      )
    })
  return { ask, stop: () => clearInterval(ticking) }
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
    close() {
      clearInterval(pinging)
      subscriber.disconnect()
    },
  }
}
