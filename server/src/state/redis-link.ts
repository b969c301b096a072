// The one connection to Redis or Valkey, and what "Redis is away" means. Nothing ever waits for a Redis that is not
// there: a command is tried only on a ready connection, has half a second, and a first time-out suspends Redis for a
// moment, so that a frozen server costs one slow request and not every one. Callers get `undefined` and use their twin.
import { Redis } from 'ioredis'
import type { Log } from '../log.ts'

const COMMAND_TIMEOUT_MS = 500
const SUSPENSION_MS = 1_000
const LONGEST_RECONNECT_DELAY_MS = 500

export interface RedisLink {
  readonly client: Redis
  isAway: () => boolean
  /** Runs commands, or gives `undefined` when Redis is away or fails. */
  attempt: <T>(commands: (client: Redis) => Promise<T>) => Promise<T | undefined>
  subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  close: () => Promise<void>
}

export async function openRedis(url: string, log: Log): Promise<RedisLink> {
  const client = connect(url, { enableAutoPipelining: true, commandTimeout: COMMAND_TIMEOUT_MS })
  const subscriber = connect(url, {})
  let suspendedUntil = 0
  let wasAway = false

  const noteAway = (error: unknown) => {
    suspendedUntil = isTimeout(error) ? performance.now() + SUSPENSION_MS : suspendedUntil
    if (!wasAway)
      log.warn({ err: new Error('Redis is away; limits and cache are kept in this process', { cause: error }) })
    wasAway = true
  }
  client.on('error', noteAway)
  subscriber.on('error', (error) => log.debug({ err: new Error('the Redis subscriber broke', { cause: error }) }))
  client.on('ready', () => {
    if (wasAway) log.info('Redis is back')
    wasAway = false
  })

  const underWay = new Set<Promise<unknown>>()

  const isAway = () => client.status !== 'ready' || performance.now() < suspendedUntil

  // The first connection is waited for, but its failure is no reason not to start.
  await Promise.allSettled([client.connect(), subscriber.connect()])

  return {
    client,
    isAway,
    async attempt(commands) {
      if (isAway()) return undefined
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
      await Promise.allSettled(underWay)
      await Promise.race([client.quit(), new Promise((resolve) => setTimeout(resolve, COMMAND_TIMEOUT_MS))]).catch(
        () => 'gone',
      )
      client.disconnect()
    },
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

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Command timed out'
