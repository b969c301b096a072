// The connection on which messages arrive, to any server of those behind an address: a message reaches all of them. It
// is opened when the first channel is subscribed to, and again whenever it breaks or a ping is not answered. What is
// published meanwhile is lost, so a message only ever says earlier what can also be found out by asking.
import { Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../log.ts'
import { ONE_CONNECTION } from './redis-connection-options.ts'

const PING_MS = 2_000
const RECONNECT_STEP_MS = 50
const MOST_FAILURES = 10

export class RedisSubscriber {
  readonly #optionsOf: () => RedisOptions
  readonly #log: Log
  readonly #listeners = new Map<string, ((message: string) => void)[]>()
  #client: Redis | undefined
  #isReady = false
  #isClosed = false
  #failures = 0
  #reconnecting: NodeJS.Timeout | undefined
  #pinging: NodeJS.Timeout | undefined
  #opening: Promise<void> | undefined

  constructor(optionsOf: () => RedisOptions, log: Log) {
    this.#optionsOf = optionsOf
    this.#log = log
  }

  /** Whether messages arrive. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Resolves when the first attempt has ended. */
  async subscribe(channel: string, onMessage: (message: string) => void): Promise<void> {
    const known = this.#listeners.get(channel)
    this.#listeners.set(channel, [...(known ?? []), onMessage])
    if (this.#opening === undefined) {
      this.#opening = this.#open()
      await this.#opening
      return
    }
    await this.#opening
    if (!known && this.#isReady) await this.#client?.subscribe(channel).catch(() => this.#client?.disconnect())
  }

  close(): void {
    this.#isClosed = true
    this.#isReady = false
    clearTimeout(this.#reconnecting)
    clearInterval(this.#pinging)
    this.#client?.disconnect()
  }

  async #open(): Promise<void> {
    const own = { connectionName: 'bowerbird-messages', commandTimeout: PING_MS }
    const client = new Redis({ ...this.#optionsOf(), ...ONE_CONNECTION, ...own })
    this.#client = client
    client.on('message', (channel, message) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(message)
    })
    client.on('error', (error) => this.#tell('the Redis subscriber connection failed', error))
    client.on('end', () => this.#reopen())
    try {
      await client.connect()
      await client.subscribe(...this.#listeners.keys())
      this.#isReady = true
      this.#failures = 0
      this.#watch(client)
    } catch (error) {
      this.#tell('could not subscribe to Redis messages', error)
      client.disconnect()
    }
  }

  #tell(message: string, error: unknown): void {
    this.#log.debug({ err: new Error(message, { cause: error }) })
  }

  #reopen(): void {
    this.#isReady = false
    clearInterval(this.#pinging)
    if (this.#isClosed) return
    this.#failures = Math.min(this.#failures + 1, MOST_FAILURES)
    this.#reconnecting = setTimeout(() => void this.#open(), this.#failures * RECONNECT_STEP_MS).unref()
  }

  /** A server that is frozen, or cut off, does not close the connection. */
  #watch(client: Redis): void {
    let isAnswered = true
    const note = () => {
      isAnswered = true
    }
    this.#pinging = setInterval(() => {
      if (!isAnswered) {
        client.disconnect()
        client.stream.destroy()
        return
      }
      isAnswered = false
      // A rejection means that the connection is gone, or soon will be.
      client.ping().then(note, () => undefined)
    }, PING_MS).unref()
  }
}
