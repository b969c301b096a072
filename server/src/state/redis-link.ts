// The way to Redis or Valkey, and what "Redis is away" means. Nothing ever waits for a Redis that is not there: a command
// is tried only on a ready connection, has half a second on the wire, and a first time-out there suspends Redis for a
// moment, so that a frozen server costs one slow request and not every one. Callers get `undefined` and use their twin.
//
// There are two connections for commands: ioredis, which knows every command (`attempt`), and the wire, which is cheap
// (`send`, `evaluate`). Each keeps its order, and there is none between them: what must come in order takes the same one.
import { Redis } from 'ioredis'
import type { Log } from '../log.ts'
import { openRedisWire } from './redis-wire.ts'
import type { Script } from './resp-command.ts'
import type { Reply } from './resp-reader.ts'
import { type WireAddress, WireTimeout } from './wire-connection.ts'

/** For ioredis, which is on no hot path. It counts the time that this process was busy itself, so it must be patient. */
const COMMAND_TIMEOUT_MS = 1_000
const QUIT_TIMEOUT_MS = 500
const SUSPENSION_MS = 1_000
const LONGEST_RECONNECT_DELAY_MS = 500
const AWAY = Promise.resolve(undefined)

export interface RedisLink {
  readonly client: Redis
  /** True unless every connection is ready. */
  isAway: () => boolean
  /** Runs commands, or gives `undefined` when Redis is away or fails. */
  attempt: <T>(commands: (client: Redis) => Promise<T>) => Promise<T | undefined>
  /** An encoded command over the wire; `undefined` as with `attempt`. */
  send: (text: string) => Promise<Reply | undefined>
  /** The same for a script. */
  evaluate: (script: Script, keysAndValues: string) => Promise<Reply | undefined>
  /** Which run of the server the wire leads to. */
  run: () => string
  /** When the wire is ready again, and before the next command on it: Redis may have lost its data. */
  onReady: (listener: () => void) => void
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  close: () => Promise<void>
}

export async function openRedis(url: string, log: Log): Promise<RedisLink> {
  const client = connect(url, { enableAutoPipelining: true, commandTimeout: COMMAND_TIMEOUT_MS })
  const subscriber = connect(url, {})
  const readyListeners: (() => void)[] = []
  const { noteAway, noteBack, isSuspended } = watchPresence(log)
  const underWay = new Set<Promise<unknown>>()
  client.on('error', noteAway)
  client.on('ready', noteBack)
  subscriber.on('error', (error) => log.debug({ err: new Error('the Redis subscriber broke', { cause: error }) }))
  const onReady = () => {
    for (const listener of readyListeners) listener()
    noteBack()
  }

  // The first connections are waited for, but their failure is no reason not to start.
  const opening = Promise.allSettled([client.connect(), subscriber.connect()])
  const wire = await openRedisWire({ address: addressOf(client), onReady, onFailure: noteAway })
  await opening

  return {
    client,
    isAway: () => client.status !== 'ready' || !wire.isReady() || isSuspended(),
    send: (text) => (isSuspended() ? AWAY : wire.send(text)),
    evaluate: (script, keysAndValues) => (isSuspended() ? AWAY : wire.evaluate(script, keysAndValues)),
    run: wire.run,
    onReady: (listener) => void readyListeners.push(listener),
    async attempt(commands) {
      if (client.status !== 'ready' || isSuspended()) return undefined
      const running = commands(client)
      underWay.add(running)
      try {
        return await running
      } catch (error) {
        noteAway(error)
        return undefined
      } finally {
        underWay.delete(running)
      }
    },
    async subscribe(channel, onMessage) {
      subscriber.on('message', (from, message) => from === channel && onMessage(message))
      const listen = () => subscriber.subscribe(channel).catch(noteAway)
      // A subscriber that was never connected has nothing to resubscribe by itself, so every connection subscribes.
      subscriber.on('ready', () => void listen())
      if (subscriber.status === 'ready') await listen()
    },
    async close() {
      subscriber.disconnect()
      // A pipelined command is sent a moment later than it was given: `quit` would overtake it.
      await Promise.allSettled([...underWay, wire.close()])
      await Promise.race([client.quit(), new Promise((resolve) => setTimeout(resolve, QUIT_TIMEOUT_MS))]).catch(
        () => 'gone',
      )
      client.disconnect()
    },
  }
}

/** Says once that Redis is away and once that it is back, and for how long a time-out keeps everybody from trying. */
function watchPresence(log: Log) {
  let suspendedUntil = 0
  let wasAway = false
  return {
    noteAway: (error: unknown): void => {
      // Only the wire knows a server that does not answer from a process that was too busy to look.
      if (error instanceof WireTimeout) suspendedUntil = performance.now() + SUSPENSION_MS
      if (!wasAway)
        log.warn({ err: new Error('Redis is away; limits and cache are kept in this process', { cause: error }) })
      wasAway = true
    },
    noteBack: (): void => {
      if (wasAway) log.info('Redis is back')
      wasAway = false
    },
    isSuspended: () => performance.now() < suspendedUntil,
  }
}

const connect = (url: string, options: { enableAutoPipelining?: boolean; commandTimeout?: number }): Redis =>
  new Redis(url, {
    ...options,
    lazyConnect: true,
    enableOfflineQueue: false,
    // A spend that was sent may have been done: sending it again could count it twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_RECONNECT_DELAY_MS),
  })

/** Both connections go to one place: ioredis reads the address for them. */
const addressOf = ({ options }: Redis): WireAddress => ({
  host: options.host ?? 'localhost',
  port: options.port ?? 6379,
  isTls: options.tls !== undefined,
  username: options.username || undefined,
  password: options.password || undefined,
  db: options.db ?? 0,
})
