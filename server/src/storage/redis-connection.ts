// One connection to one Redis server, from opening to end: an ioredis client that never reconnects. The end comes once
// and fails everything that is still waiting. Nothing is queued before the connection is ready, and nothing is ever sent
// twice. Commands given in one turn of the event loop leave in one write.
//
// Time is counted in timer ticks and not read from a clock for each command. A process that was itself blocked for
// longer than a command may take sees a single tick, and so does not blame a server that answered long ago. (The time-out
// of ioredis would blame it, and costs a timer for each command.)
//
// Some scripts must not run twice, nor run once without anybody knowing. Their calls (`evaluateOnce`) say five things
// more: the run of the server, a name for the connection, a number that rises with every such call on it, the number up
// to which all of them were answered, and a deadline by the server's own clock, after which the script must do nothing. A
// server that was frozen thus ignores what had piled up in front of it, and it can be asked by name and number what it has
// run. It need not remember what was answered. For the deadline, the server's clock is read every second.
import { randomBytes } from 'node:crypto'
import { Redis, type RedisOptions } from 'ioredis'
import {
  type NumberedCall,
  Redirect,
  RedisClosed,
  RedisTimeout,
  type Reply,
  Unanswered,
  type Value,
} from './redis-answer.ts'
import { ONE_CONNECTION, RedisCommand } from './redis-connection-options.ts'
import type { Script } from './redis-script.ts'

type Answer = Reply | Unanswered | Redirect | undefined

interface Call {
  name: string
  values: Value[]
  /** For a script called by its hash, in case the server does not know it. */
  script: Script | undefined
  /** For a call that must run once. */
  once: NumberedCall | undefined
}

interface Exchange extends Call {
  answer: (reply: Answer) => void
  givenAt: number
  isOver: boolean
}

const TICK_MS = 100
/** A second for the connection and handshake; more where Sentinels are asked first. */
const MOST_TICKS_OPENING = 10
const MOST_TICKS_OPENING_BY_SENTINEL = 40
/**
 * Then half a second for the next reply, and a second for any one of them, minus the part of a tick that had already
 * passed: a thousand commands given at once wait for each other, not for a server that answers one after another.
 */
const MOST_TICKS_SILENT = 5
const MOST_TICKS = 10
/** Less than any command is given, so that whatever runs in time is also heard of in time. */
const DEADLINE_MICROSECONDS = 350_000
const TICKS_A_CLOCK_READING = 10
const SMALL = 1_024
/** Of the values that a call which must run once has at its end. */
const ONCE_VALUES = 5

export interface ServerOptions {
  /** Where to, and as whom. */
  options: RedisOptions
  /** A redirection is then an answer, and otherwise a refusal. */
  isOfCluster: boolean
}

interface ConnectionParts extends ServerOptions {
  onEnd: (error: Error) => void
  /** Why a command got `undefined`, unless the connection has ended. */
  onRefusal: (error: Error) => void
}

/**
 * `undefined` means that the command was refused or not answered. In the latter case the server may have executed it,
 * or may still do so.
 */
export class RedisConnection {
  readonly client: Redis
  readonly #onEnd: (error: Error) => void
  readonly #onRefusal: (error: Error) => void
  readonly #ticking: NodeJS.Timeout
  readonly #idle = Promise.withResolvers<void>()
  #tick = 0
  #lastReplyAt = 0
  /** In the order of the commands, which is also the order of the replies. */
  #exchanges: Exchange[] = []
  #first = 0
  #isCorked = false
  readonly #known = new Set<Script>()
  #isClosing = false
  #isEnded = false
  readonly #name = randomBytes(6).toString('hex')
  #calls = 0
  #answered = 0
  /** What the server's clock is ahead of this process' monotonic clock, in microseconds; at most a round trip too much. */
  #clockOffset = 0
  #run: string | undefined
  readonly #mostTicksOpening: number
  readonly #isOfCluster: boolean

  constructor({ options, isOfCluster, onEnd, onRefusal }: ConnectionParts) {
    this.#isOfCluster = isOfCluster
    this.#onEnd = onEnd
    this.#onRefusal = onRefusal
    this.#mostTicksOpening = options.sentinels ? MOST_TICKS_OPENING_BY_SENTINEL : MOST_TICKS_OPENING
    this.client = new Redis({ ...options, ...ONE_CONNECTION })
    this.client.on('error', (error) => this.end(error))
    this.client.on('close', () => this.end(new RedisClosed('Redis closed the connection')))
    this.#ticking = setInterval(() => this.#judge(), TICK_MS).unref()
  }

  /** False: it has ended, and `onEnd` knows why. */
  async open(): Promise<boolean> {
    try {
      await this.client.connect()
    } catch (error) {
      this.end(error instanceof Error ? error : new Error('could not connect to Redis', { cause: error }))
    }
    return !this.#isEnded
  }

  /** The handshake is complete. */
  becomeReady(run: string): void {
    this.#run = run
  }

  /** The handshake includes this. False: the server has refused. */
  async readClock(): Promise<boolean> {
    const givenAt = performance.now()
    const reply = await this.send('TIME')
    if (!Array.isArray(reply)) return false
    this.#clockOffset = Number(reply[0]) * 1_000_000 + Number(reply[1]) - givenAt * 1_000
    return true
  }

  send(name: string, ...values: Value[]): Promise<Reply | Redirect | undefined> {
    return this.#give({ name, values, script: undefined, once: undefined })
  }

  /**
   * The first call on a connection includes the script, so it runs in order with the other commands. Only if the server
   * forgets a script later, which takes an operator, is it sent again, and then out of order.
   */
  evaluate(script: Script, keys: readonly string[], values: readonly Value[]): Promise<Reply | Redirect | undefined> {
    return this.#give(this.#callOf(script, ['', keys.length, ...keys, ...values], undefined))
  }

  /** Like `evaluate`; the script gets five more arguments: run, name, number, highest number answered, deadline. */
  evaluateOnce(script: Script, keys: readonly string[], values: readonly Value[]): Promise<Answer> {
    const once = this.#number()
    return this.#give(this.#callOf(script, ['', keys.length, ...keys, ...values, ...this.#valuesOf(once)], once))
  }

  /** The first value is the script's place. */
  #callOf(script: Script, values: Value[], once: NumberedCall | undefined): Call {
    const isKnown = this.#known.has(script)
    if (!isKnown) this.#known.add(script)
    values[0] = isKnown ? script.sha : script.lua
    return { name: isKnown ? 'EVALSHA' : 'EVAL', values, script: isKnown ? script : undefined, once }
  }

  #number(): NumberedCall {
    return {
      number: ++this.#calls,
      deadline: Math.floor(performance.now() * 1_000 + this.#clockOffset) + DEADLINE_MICROSECONDS,
    }
  }

  #valuesOf({ number, deadline }: NumberedCall): Value[] {
    return [this.#run ?? '', this.#name, number, this.#answered, deadline]
  }

  /** Closes once every command given so far is answered, or never will be. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#first < this.#exchanges.length) await this.#idle.promise
    this.end(new Error('the connection to Redis was closed'))
  }

  end(error: Error): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearInterval(this.#ticking)
    this.client.disconnect()
    // `disconnect` waits for the other side, which may never answer. There is no stream before the first attempt.
    ;(this.client.stream as Redis['stream'] | undefined)?.destroy()
    this.#onEnd(error)
    for (const exchange of this.#exchanges.slice(this.#first)) {
      exchange.isOver = true
      exchange.answer(exchange.once && new Unanswered(this.#name, exchange.once))
    }
    this.#exchanges = []
    this.#first = 0
    this.#idle.resolve()
  }

  #give<Answered extends Answer>(call: Call): Promise<Answered> {
    // What it is answered with depends on the call, as the methods above declare it.
    if (this.#isEnded || this.#isClosing) return NO_ANSWER as Promise<Answered>
    return new Promise((resolve) => {
      this.#write({ ...call, answer: resolve as Exchange['answer'], givenAt: this.#tick, isOver: false })
    })
  }

  #write(exchange: Exchange): void {
    this.#exchanges.push(exchange)
    if (!this.#isCorked) {
      this.#isCorked = true
      this.client.stream.cork()
      setImmediate(this.#uncork)
    }
    const command = new RedisCommand(exchange.name, exchange.values)
    command.promise.then(
      (reply) => this.#settle(exchange, reply as Reply),
      (error) => this.#refuse(exchange, error),
    )
    this.client.sendCommand(command)
  }

  readonly #uncork = (): void => {
    this.#isCorked = false
    this.client.stream.uncork()
  }

  #settle(exchange: Exchange, reply: Answer): void {
    if (exchange.isOver) return
    this.#conclude(exchange)
    exchange.answer(reply)
  }

  #conclude(exchange: Exchange): void {
    exchange.isOver = true
    this.#first++
    this.#lastReplyAt = this.#tick
    if (exchange.once) this.#answered = exchange.once.number
    if (this.#isClosing && this.#first === this.#exchanges.length) this.#idle.resolve()
    if (this.#first === this.#exchanges.length || this.#first > SMALL) {
      this.#exchanges = this.#exchanges.slice(this.#first)
      this.#first = 0
    }
  }

  #refuse(exchange: Exchange, error: Error): void {
    if (exchange.isOver) return
    // The connection breaks, which is noticed right after this.
    if (error.name !== 'ReplyError') return
    if (this.#isOfCluster && isRedirection(error)) {
      this.#settle(exchange, new Redirect(error))
      return
    }
    this.#conclude(exchange)
    if (exchange.script && error.message.startsWith('NOSCRIPT')) this.#sendWithText(exchange, exchange.script)
    else {
      exchange.answer(undefined)
      this.#onRefusal(error)
    }
  }

  /** A server that does not know a script has run nothing, so nothing happens twice. */
  #sendWithText({ values, once, answer }: Exchange, { lua }: Script): void {
    const given = { name: 'EVAL', script: undefined, answer, givenAt: this.#tick, isOver: false }
    if (!once) {
      this.#write({ ...given, values: [lua, ...values.slice(1)], once })
      return
    }
    // Its place has changed, and with it its number.
    const again = this.#number()
    const own = values.slice(1, -ONCE_VALUES)
    this.#write({ ...given, values: [lua, ...own, ...this.#valuesOf(again)], once: again })
  }

  #judge(): void {
    this.#tick++
    if (this.#run === undefined) {
      if (this.#tick >= this.#mostTicksOpening) this.end(new RedisTimeout('Redis did not respond in time'))
      return
    }
    if (this.#isLate()) this.end(new RedisTimeout('Redis did not respond in time'))
    else if (this.#tick % TICKS_A_CLOCK_READING === 0) void this.readClock()
  }

  #isLate(): boolean {
    const oldest = this.#exchanges[this.#first]
    if (!oldest) return false
    const silentSince = Math.max(oldest.givenAt, this.#lastReplyAt)
    return this.#tick - silentSince >= MOST_TICKS_SILENT || this.#tick - oldest.givenAt >= MOST_TICKS
  }
}

const isRedirection = ({ message }: Error): boolean => message.startsWith('MOVED ') || message.startsWith('ASK ')

const NO_ANSWER = Promise.resolve(undefined)
