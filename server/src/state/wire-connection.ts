// One connection of the wire (`redis-wire.ts`), from its opening to its end, which comes once and takes everything that
// waits with it. Commands given in one turn of the event loop leave in one write when the turn ends: requests that
// arrived together ask together, and one that arrived alone does not wait, as its turn ends at once.
//
// Time is counted in ticks of a timer, not read from a clock for each command. A process that was itself held up for
// longer than a command may take sees one tick, and so does not blame a server that has answered long ago.
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Script } from './resp-command.ts'
import { type Reply, ReplyError, RespReader } from './resp-reader.ts'

export interface WireAddress {
  host: string
  port: number
  isTls: boolean
  username: string | undefined
  password: string | undefined
  db: number
}

/** The server has not answered in time. It may still do what it was asked. */
export class WireTimeout extends Error {
  override readonly name = 'WireTimeout'
}

interface Exchange {
  answer: (reply: Reply | undefined) => void
  /** Of a script that was called by its sum: to call it by its text if the server does not know it. */
  script: Script | undefined
  keysAndValues: string
  givenAt: number
}

const TICK_MS = 100
/** A second to connect and greet, then half a second for each command, less the part of a tick that had passed already. */
const MOST_TICKS_OPENING = 10
const MOST_TICKS = 5
const READ_BYTES = 65_536
const KEEP_ALIVE_MS = 15_000
const SMALL = 1_024

interface ConnectionParts {
  address: WireAddress
  onEnd: (error: Error) => void
  /** Why a command was given `undefined`, unless the connection has ended. */
  onRefusal: (error: ReplyError) => void
}

/** An answer of `undefined` is a refusal, or none: then the server may have done what it was asked, or may do it yet. */
export class WireConnection {
  readonly #socket: Socket
  readonly #reader: RespReader
  readonly #onEnd: (error: Error) => void
  readonly #onRefusal: (error: ReplyError) => void
  readonly #ticking: NodeJS.Timeout
  readonly #idle = Promise.withResolvers<void>()
  #tick = 0
  #mostTicks = MOST_TICKS_OPENING
  /** In the order of the commands, which is that of the replies. */
  #exchanges: Exchange[] = []
  #first = 0
  #outgoing = ''
  #isFlushDue = false
  #isBlocked = false
  readonly #known = new Set<Script>()
  #isClosing = false
  #isEnded = false

  constructor({ address, onEnd, onRefusal }: ConnectionParts) {
    this.#onEnd = onEnd
    this.#onRefusal = onRefusal
    this.#reader = new RespReader((reply) => this.#settle(reply))
    this.#ticking = setInterval(() => this.#judge(), TICK_MS).unref()
    this.#socket = openSocket(address, (bytes, length) => this.#read(bytes, length))
    this.#socket.on('error', (error) => this.end(error))
    this.#socket.on('close', () => this.end(new Error('Redis closed the connection')))
    this.#socket.on('drain', () => {
      this.#isBlocked = false
      this.#flush()
    })
  }

  /** The server has greeted us. */
  becomeReady(): void {
    this.#mostTicks = MOST_TICKS
  }

  /** An encoded command. */
  send(text: string): Promise<Reply | undefined> {
    return this.#exchange(text, undefined, '')
  }

  /**
   * The first call on a connection brings the script along, so that it is run in its place among the others. Only a
   * script that the server forgets later, which is an operator's doing, is sent again and so comes after them.
   */
  evaluate(script: Script, keysAndValues: string): Promise<Reply | undefined> {
    if (this.#known.has(script)) return this.#exchange(script.bySha + keysAndValues, script, keysAndValues)
    this.#known.add(script)
    return this.#exchange(script.byText + keysAndValues, undefined, '')
  }

  /** Ends it when everything that was given is answered, or will not be. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#first < this.#exchanges.length) await this.#idle.promise
    this.end(new Error('the connection to Redis was closed'))
  }

  end(error: Error): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearInterval(this.#ticking)
    this.#socket.destroy()
    this.#outgoing = ''
    this.#onEnd(error)
    for (const exchange of this.#exchanges.slice(this.#first)) exchange.answer(undefined)
    this.#exchanges = []
    this.#first = 0
    this.#idle.resolve()
  }

  #exchange(text: string, script: Script | undefined, keysAndValues: string): Promise<Reply | undefined> {
    if (this.#isEnded || this.#isClosing) return Promise.resolve(undefined)
    return new Promise((answer) => {
      this.#give(text, { answer, script, keysAndValues, givenAt: this.#tick })
    })
  }

  #give(text: string, exchange: Exchange): void {
    this.#exchanges.push(exchange)
    this.#outgoing += text
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    this.#isFlushDue = false
    if (this.#isBlocked || this.#isEnded || this.#outgoing === '') return
    const text = this.#outgoing
    this.#outgoing = ''
    this.#isBlocked = !this.#socket.write(text)
  }

  #read(bytes: Buffer, length: number): void {
    try {
      this.#reader.take(bytes, length)
    } catch (error) {
      this.end(error instanceof Error ? error : new Error('Redis cannot be understood', { cause: error }))
    }
  }

  #settle(reply: Reply): void {
    const exchange = this.#exchanges[this.#first]
    if (!exchange) throw new Error('Redis answered what nobody asked')
    this.#first++
    if (reply instanceof ReplyError) this.#refuse(exchange, reply)
    else exchange.answer(reply)
    if (this.#isClosing && this.#first === this.#exchanges.length) this.#idle.resolve()
    if (this.#first === this.#exchanges.length || this.#first > SMALL) {
      this.#exchanges = this.#exchanges.slice(this.#first)
      this.#first = 0
    }
  }

  /** A server that does not know a script has run nothing, so that nothing is done twice. */
  #refuse(exchange: Exchange, error: ReplyError): void {
    const { answer, script, keysAndValues } = exchange
    if (script && error.message.startsWith('NOSCRIPT')) {
      const again = { answer, script: undefined, keysAndValues: '', givenAt: this.#tick }
      this.#give(script.byText + keysAndValues, again)
      return
    }
    answer(undefined)
    this.#onRefusal(error)
  }

  #judge(): void {
    this.#tick++
    const oldest = this.#exchanges[this.#first]
    if (oldest && this.#tick - oldest.givenAt >= this.#mostTicks) this.end(new WireTimeout('Redis does not answer'))
  }
}

function openSocket({ host, port, isTls }: WireAddress, onBytes: (bytes: Buffer, length: number) => void): Socket {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  const options = {
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    // One buffer for all readings: the reader keeps nothing of it.
    onread: {
      buffer,
      callback: (length: number) => {
        onBytes(buffer, length)
        return true
      },
    },
  }
  if (!isTls) return connect(options)
  return connectTls({ ...options, ...(isIP(host) === 0 && { servername: host }) })
}
