// The client of Redis or Valkey: one server, the master that Sentinels name, or a cluster, each with ioredis's own client.
//
// Nothing waits for a Redis that isn't there: callers get `undefined` and use their local fallback. Redis counts as away
// when a connection breaks, a command isn't answered, or is refused for a reason that holds for other commands too (a
// replica, out of memory, no password, ...). It's then probed four times a second until a write succeeds. A server that
// owes a reply and is silent for a second loses its connection, so a frozen one slows down the requests of that second
// and no others; a busy one that keeps answering isn't mistaken for it. A cluster is away while one of its masters is.
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import { parseRedisAddress, type RedisAddress, redisOptionsOf } from './redis-address.ts'
import { type LegacyRedis, legacyOf } from './redis-legacy.ts'
import { isUnavailable, reasonOf } from './redis-refusal.ts'
import { defineScript, type Script } from './redis-script.ts'

export type Reply = number | string | null | Reply[]
export type Value = string | number

export interface RedisState {
  state: 'connected' | 'away'
  /** Why it's away, in one word. */
  reason?: string
}

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

type Client = Redis | Cluster

const RETRY_MS = 250
const SILENCE_MS = 1_000
const PING_MS = 2_000
const LOG_AGAIN_MS = 60_000

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

/** Opens the client and waits for its first attempt to connect. The URL has been checked: the configuration reads it. */
export async function openRedis(url: string, log: Log): Promise<RedisClient> {
  const address = parseRedisAddress(url)
  if (!address) throw new Error('the address of Redis cannot be read')
  const client = createClient(address)
  const availability = new Availability(client, log)
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
    onReady: (listener) => void availability.readyListeners.push(listener),
    publish: (channel, message) => void ask(channel, () => client.publish(channel, message)),
    subscribe: messages.subscribe,
    isSubscribed: messages.isSubscribed,
    async close() {
      availability.close()
      await Promise.all([messages.close(), closeClient(client)])
    },
    ...legacyOf(evaluate),
  }
}

function createClient(address: RedisAddress): Client {
  const options = redisOptionsOf(address)
  if (address.kind !== 'cluster') return new Redis({ ...options, ...OPTIONS })
  const { retryStrategy, enableOfflineQueue, ...redisOptions } = { ...options, ...OPTIONS }
  return new Cluster(address.hosts, {
    redisOptions,
    lazyConnect: true,
    enableReadyCheck: false,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshInterval: 5_000,
    // Names stay names: certificates have them.
    dnsLookup: (host, callback) => callback(null, host),
    // A command isn't sent again, but for a redirection.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
  })
}

/** Calls it by its hash; ioredis sends the text first on each connection, and again if a server has forgotten it. */
function runScript(client: Client, { lua, sha }: Script, args: Value[]): Promise<unknown> {
  if (!(sha in client)) client.defineCommand(sha, { lua })
  // `defineCommand` adds a method of this name, which the type doesn't know.
  return (client as unknown as Record<string, (...args: Value[]) => Promise<unknown>>)[sha]?.(...args) ?? NOTHING
}
const NOTHING = Promise.resolve(undefined)

async function closeClient(client: Client): Promise<void> {
  // Commands that were given before are still answered.
  if (client.status === 'ready') await client.quit().catch(() => undefined)
  client.disconnect()
}

async function readFacts(client: Client): Promise<ServerFacts[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client]
  const texts = await Promise.all(servers.map((server) => server.info().catch(() => '')))
  return texts.flatMap((text) => {
    const [, maxMemory, maxMemoryPolicy] = /^maxmemory:(\d+)[^]*^maxmemory_policy:(\S+)/m.exec(text) ?? []
    return maxMemoryPolicy === undefined ? [] : [{ maxMemory: Number(maxMemory), maxMemoryPolicy }]
  })
}

const PROBE = defineScript(`redis.call('SET', KEYS[1], '1', 'PX', 1000) redis.call('DEL', KEYS[1])`)
const HASH_TAG = /\{([^}]+)\}/

/** Knows whether Redis is usable, and logs when that changes: an outage once a minute, as soon as its reason is known. */
class Availability {
  readonly #client: Client
  readonly #log: Log
  #isUsable = false
  #isClosed = false
  #probeKey = 'bb:probe'
  #probing: NodeJS.Timeout | undefined
  #outageLoggedAt: number | undefined
  #refusalLoggedAt = Number.NEGATIVE_INFINITY
  failure: Error | undefined
  readonly readyListeners: (() => void)[] = []

  constructor(client: Client, log: Log) {
    this.#client = client
    this.#log = log
    const noteFailure = (error: Error) => {
      this.failure = error
    }
    client.on('close', () => this.#lose())
    if (client instanceof Cluster) {
      client.on('node error', noteFailure)
      client.on('-node', () => this.#lose())
      // It only repeats what the nodes have said.
      client.on('error', () => undefined)
    } else client.on('error', noteFailure)
  }

  isAway(): boolean {
    return !this.#isUsable || this.#client.status !== 'ready'
  }

  state(): RedisState {
    if (!this.isAway()) return { state: 'connected' }
    return { state: 'away', reason: this.failure ? reasonOf(this.failure) : 'closed' }
  }

  async open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    // With Sentinels, `connect` doesn't return before there is a master.
    this.#client.once('error', () => resolve())
    this.#client.connect().then(resolve, resolve)
    await promise
    await this.#probe()
  }

  close(): void {
    this.#isClosed = true
    this.#isUsable = false
    clearTimeout(this.#probing)
  }

  /** Judges why a command about this key has failed. */
  noteRefusal(error: unknown, key: string): void {
    const isReply = error instanceof Error && error.name === 'ReplyError'
    if (isReply && !isUnavailable(error)) {
      if (performance.now() - this.#refusalLoggedAt < LOG_AGAIN_MS) return
      this.#refusalLoggedAt = performance.now()
      this.#log.warn({ reason: reasonOf(error) }, 'a Redis command failed; using the in-process fallback for it')
      return
    }
    if (isReply) this.failure = error
    // It belongs to the same server of a cluster.
    if (this.#isUsable) this.#probeKey = `bb:probe:{${HASH_TAG.exec(key)?.[1] ?? key}}`
    this.#lose()
  }

  #lose(): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    this.#probeSoon()
  }

  #probeSoon(): void {
    this.#probing = setTimeout(() => void this.#probe(), RETRY_MS)
  }

  async #probe(): Promise<void> {
    try {
      if (this.#client.status === 'ready') await runScript(this.#client, PROBE, [1, this.#probeKey])
    } catch (error) {
      // That a connection is closed says nothing: the next one shows why.
      if (error instanceof Error && reasonOf(error) !== 'closed') this.failure = error
      this.#continueOutage()
      return
    }
    if (this.#client.status === 'ready') this.#recover()
    else this.#continueOutage()
  }

  #continueOutage(): void {
    if (this.#isClosed) return
    this.#probeSoon()
    const isNews = this.#outageLoggedAt === undefined || performance.now() - this.#outageLoggedAt >= LOG_AGAIN_MS
    if (!this.failure || !isNews) return
    this.#outageLoggedAt = performance.now()
    const reason = reasonOf(this.failure)
    this.#log.warn({ reason }, 'Redis is unavailable; using in-process limits and cache')
  }

  #recover(): void {
    if (this.#isClosed) return
    this.failure = undefined
    for (const listener of this.readyListeners) listener()
    this.#isUsable = true
    if (this.#outageLoggedAt !== undefined) this.#log.info('Redis is available again')
    this.#outageLoggedAt = undefined
  }
}

/** Messages arrive on a connection that takes no other commands; a cluster's client has one itself. */
function openMessages(client: Client) {
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
  const pinging = setInterval(() => isListening && subscriber.ping().catch(() => undefined), PING_MS).unref()

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
