// One Redis server that this process stays connected to: the only one, the master that Sentinels name, or one master of
// a cluster. Nothing is queued while there is no connection.
//
// A connection counts as ready once the server has run a script on it that writes. If the server does not answer in time,
// or says later that it can no longer be used (a replica now, out of memory, ...), the connection is given up: it may never
// work again, and a new one shows by itself when the server is back, or leads to the one that has taken over.
import { randomBytes } from 'node:crypto'
import { Redirect, RedisClosed, type Reply, type Unanswered, type Value } from './redis-answer.ts'
import { RedisConnection, type ServerOptions } from './redis-connection.ts'
import { isUnavailable } from './redis-refusal.ts'
import type { Script } from './redis-script.ts'

/** What a server says of itself, as far as we may know. */
export interface ServerFacts {
  maxMemory: number
  maxMemoryPolicy: string
}

export interface RedisServer {
  isReady: () => boolean
  /**
   * Identifies the data of the server behind the connection: a new one after every restart and every promotion, never
   * reused.
   */
  run: () => string
  facts: () => ServerFacts | undefined
  /** Why it is not ready, the first time and the last. */
  failure: () => Error | undefined
  /** The first attempt to connect has ended. */
  opened: Promise<void>
  /** `undefined`: the command was refused or not answered. */
  send: (name: string, ...values: Value[]) => Promise<Reply | Redirect | undefined>
  evaluate: (script: Script, keys: readonly string[], values: readonly Value[]) => Promise<Reply | Redirect | undefined>
  /** For a script that must run once; see `redis-connection.ts`. `undefined`: it has not run. */
  evaluateOnce: (
    script: Script,
    keys: readonly string[],
    values: readonly Value[],
  ) => Promise<Reply | Unanswered | Redirect | undefined>
  /** Waits for the commands already given. */
  close: () => Promise<void>
}

interface ServerParts extends ServerOptions {
  /** A key that this server has to take writes of. */
  probeKey: () => string
  /** Called on each new connection, before the first command. */
  onReady: () => void
  /** Why the connection was lost, or a command refused. */
  onFailure: (error: Error) => void
}

/** Attempts to reconnect are that much further apart after each failure, up to so many: half a second. */
const RECONNECT_STEP_MS = 50
const MOST_FAILURES = 10
/** It is gone again at once. */
const WRITE = `redis.call('SET', KEYS[1], '1', 'PX', 1000) redis.call('DEL', KEYS[1])`
const NO_ANSWER = Promise.resolve(undefined)

export function openRedisServer(parts: ServerParts): RedisServer {
  const keeper = new ServerKeeper(parts)
  return {
    opened: keeper.open(),
    isReady: () => keeper.ready !== undefined,
    run: () => keeper.greeting?.run ?? '',
    facts: () => keeper.greeting?.facts,
    failure: () => keeper.failure,
    send: (name, ...values) => keeper.ready?.send(name, ...values) ?? NO_ANSWER,
    evaluate: (script, keys, values) => keeper.ready?.evaluate(script, keys, values) ?? NO_ANSWER,
    evaluateOnce: (script, keys, values) => keeper.ready?.evaluateOnce(script, keys, values) ?? NO_ANSWER,
    close: () => keeper.close(),
  }
}

/** One connection after another. */
class ServerKeeper {
  readonly #parts: ServerParts
  #current: RedisConnection | undefined
  #failures = 0
  #isClosed = false
  #reconnecting: NodeJS.Timeout | undefined
  /** Why we are closing a connection. */
  #distrusted: Error | undefined
  ready: RedisConnection | undefined
  greeting: Greeting | undefined
  failure: Error | undefined

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  async open(): Promise<void> {
    const { options, isOfCluster, probeKey, onReady, onFailure } = this.#parts
    let refusal: Error | undefined
    const onRefusal = (error: Error) => {
      if (!this.ready) refusal ??= error
      else if (isUnavailable(error)) this.#distrust(error)
      else onFailure(error)
    }
    const connection = new RedisConnection({ options, isOfCluster, onEnd: (error) => this.#lose(error), onRefusal })
    this.#current = connection
    if (!(await connection.open())) return
    const heard = await greet(connection, probeKey())
    if (this.#isClosed || this.#current !== connection) return
    if (!('run' in heard)) {
      connection.end(new Error('Redis rejected the handshake', { cause: heard.redirect ?? refusal }))
      return
    }
    this.greeting = heard
    this.#failures = 0
    this.failure = undefined
    connection.becomeReady(heard.run)
    onReady()
    this.ready = connection
  }

  #lose(error: Error): void {
    const wasReady = this.ready !== undefined
    this.#current = undefined
    this.ready = undefined
    if (this.#isClosed) return
    this.#failures++
    this.failure = this.#distrusted ?? error
    this.#distrusted = undefined
    const pauses = Math.min(this.#failures, MOST_FAILURES)
    this.#reconnecting = setTimeout(() => void this.open(), pauses * RECONNECT_STEP_MS)
    // If it was only closed, the next connection works, or tells why it does not.
    if (!(wasReady && error instanceof RedisClosed)) this.#parts.onFailure(this.failure)
  }

  /** What is under way is still answered. */
  #distrust(error: Error): void {
    const connection = this.ready
    this.ready = undefined
    if (!connection) return
    // Not at once again: it would be refused again.
    this.#failures = MOST_FAILURES
    this.failure = error
    this.#distrusted = error
    this.#parts.onFailure(error)
    void connection.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.ready = undefined
    clearTimeout(this.#reconnecting)
    await this.#current?.close()
  }
}

interface Greeting {
  run: string
  facts: ServerFacts | undefined
}

/** All in one write. Without a `run` if the server refuses us, perhaps because another one has that key. */
async function greet(
  connection: RedisConnection,
  probeKey: string,
): Promise<Greeting | { redirect: Error | undefined }> {
  // Refused by a server that is still loading its data, or takes no writes.
  const musts = [connection.send('PING'), connection.send('EVAL', WRITE, 1, probeKey)]
  const clock = connection.readClock()
  // This may be forbidden to us. A run then lasts as long as one connection, which is all we can see.
  const wish = connection.send('INFO')
  const replies = await Promise.all(musts)
  const redirect = replies.find((reply) => reply instanceof Redirect)
  if (redirect || replies.includes(undefined) || !(await clock)) return { redirect: redirect?.error }
  const told = await wish
  const lines = typeof told === 'string' ? told.split('\r\n') : []
  const find = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1)
  const run = find('master_replid')?.slice(0, 12) ?? randomBytes(6).toString('hex')
  const policy = find('maxmemory_policy')
  const facts = policy === undefined ? undefined : { maxMemoryPolicy: policy, maxMemory: Number(find('maxmemory')) }
  return { run, facts }
}
