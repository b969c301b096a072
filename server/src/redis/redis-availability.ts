// Tracks whether Redis is usable, and logs an outage: once its reason is known, then once a minute, and when it's over.
// An outage that follows another within that minute is logged only if it lasts: a Redis at the edge of its memory would
// fill the log.
//
// Redis is away when a connection breaks, or a command isn't answered or is refused for a reason that affects other
// commands too (a replica, out of memory, no password, ...). It's then probed four times a second until a write
// succeeds. A cluster is away while any of its masters is.
import { Cluster, type Redis } from 'ioredis'
import type { Log } from '../log.ts'

export interface RedisState {
  state: 'connected' | 'away'
  /** Why it's away, in one word. */
  reason?: string
}

/** Keyed by purpose; `cache` only with REDIS_CACHE_URL. */
export type RedisStates = Partial<Record<'limits' | 'cache', RedisState>>

interface AvailabilityParts {
  client: Redis | Cluster
  /** Writes this key. */
  probe: (key: string) => Promise<unknown>
  log: Log
}

const PROBE_MS = 250
const LOG_AGAIN_MS = 60_000
const HASH_TAG = /\{([^}]+)\}/

export class RedisAvailability {
  readonly #client: Redis | Cluster
  readonly #probe: (key: string) => Promise<unknown>
  readonly #log: Log
  readonly #readyListeners: (() => void)[] = []
  #isUsable = false
  #isClosed = false
  #probeKey = 'bb:probe'
  #probing: NodeJS.Timeout | undefined
  #outageLoggedAt = Number.NEGATIVE_INFINITY
  #isOutageLogged = false
  #refusalLoggedAt = Number.NEGATIVE_INFINITY
  failure: Error | undefined

  constructor({ client, probe, log }: AvailabilityParts) {
    this.#client = client
    this.#probe = probe
    this.#log = log
    const noteFailure = (error: Error) => {
      this.failure = error
    }
    client.on('close', () => this.#markAway())
    if (client instanceof Cluster) {
      client.on('node error', noteFailure)
      client.on('-node', () => this.#markAway())
      // This event only repeats the node errors.
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

  onReady(listener: () => void): void {
    this.#readyListeners.push(listener)
  }

  /** Connects; resolves after the first attempt, successful or not. */
  async open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    // With Sentinels, `connect` doesn't return before there is a master.
    this.#client.once('error', () => resolve())
    this.#client.connect().then(resolve, resolve)
    await promise
    await this.#check()
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
    this.#markServerAway(key, isReply ? error : undefined)
  }

  /** A command about this key was not answered in time. */
  noteSilence(key: string): void {
    this.#markServerAway(key, new Error('Command timed out'))
  }

  #markServerAway(key: string, reason: Error | undefined): void {
    if (!this.#isUsable) return
    // A key with this hash tag is on the same server of a cluster.
    this.#probeKey = `bb:probe:{${HASH_TAG.exec(key)?.[1] ?? key}}`
    if (reason) this.failure = reason
    this.#markAway()
  }

  #markAway(): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    this.#stayAway()
  }

  async #check(): Promise<void> {
    try {
      if (this.#client.status === 'ready') await this.#probe(this.#probeKey)
    } catch (error) {
      // A closed connection doesn't say why; the next one will.
      if (error instanceof Error && reasonOf(error) !== 'closed') this.failure = error
      this.#stayAway()
      return
    }
    if (this.#client.status === 'ready') this.#recover()
    else this.#stayAway()
  }

  #stayAway(): void {
    if (this.#isClosed) return
    this.#probing = setTimeout(() => void this.#check(), PROBE_MS)
    if (!this.failure || performance.now() - this.#outageLoggedAt < LOG_AGAIN_MS) return
    this.#outageLoggedAt = performance.now()
    this.#isOutageLogged = true
    const reason = reasonOf(this.failure)
    this.#log.warn({ reason }, 'Redis is unavailable; using in-process limits and cache')
  }

  #recover(): void {
    if (this.#isClosed) return
    this.failure = undefined
    for (const listener of this.#readyListeners) listener()
    this.#isUsable = true
    if (this.#isOutageLogged) this.#log.info('Redis is available again')
    this.#isOutageLogged = false
  }
}

/** The server is up but unusable for now: it takes no writes, or doesn't let us in. */
const UNAVAILABLE = new Set([
  'READONLY',
  'OOM',
  'LOADING',
  'MISCONF',
  'NOAUTH',
  'WRONGPASS',
  'MASTERDOWN',
  'NOREPLICAS',
  'CLUSTERDOWN',
  'BUSY',
])
/** The server works, but not for this command. */
const OTHER_CODES = new Set([
  'ERR',
  'WRONGTYPE',
  'NOPERM',
  'MOVED',
  'ASK',
  'CROSSSLOT',
  'NOSCRIPT',
  'EXECABORT',
  'NOPROTO',
])

/** Redis 6 wraps the error of a command in a script in its own error. */
const IN_SCRIPT = /^ERR Error running script\b[^\n]*?: -?(?=[A-Z]+ )/
/** ioredis's messages. */
const TIMEOUT = /^(?:Command timed out$|Socket timeout)/
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{2,40}$/

/** The code of an error reply; undefined for any other error, and for a code that is not known. */
function replyCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined
  const [code = ''] = error.message.replace(IN_SCRIPT, '').split(' ', 1)
  return UNAVAILABLE.has(code) || OTHER_CODES.has(code) ? code : undefined
}

export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(replyCode(error) ?? '')

const LASTING = new Set(['NOAUTH', 'WRONGPASS', 'NOPERM', 'MOVED'])
/** Codes of Node and OpenSSL: one side doesn't accept a certificate or a protocol. */
const TLS_CODE = /CERT|SIGNATURE|^ERR_SSL_|^ERR_TLS_|^EPROTO$/

/** The reason, if Redis will refuse us until an operator changes something; undefined if it may recover by itself. */
export function lastingRefusalOf(error: Error | undefined): string | undefined {
  if (!error) return undefined
  if (isStandalone(error)) return 'STANDALONE'
  const reason = reasonOf(error)
  return LASTING.has(reason) || TLS_CODE.test(reason) ? reason : undefined
}

/** The address names a cluster, but the server isn't part of one. */
const isStandalone = (error: Error): boolean =>
  error.name === 'ReplyError' && error.message.includes('cluster support disabled')

/**
 * Why Redis refuses, in one word for the log: the code at the start of an error reply, or what happened to the
 * connection. Only known words are passed on, since the rest of a reply can quote a value.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = replyCode(error)
  if (code !== undefined) return code
  if (error.name === 'ReplyError') return 'refused'
  if (TIMEOUT.test(error.message)) return 'timeout'
  if ('code' in error && typeof error.code === 'string' && SYSTEM_CODE.test(error.code)) return error.code
  return 'closed'
}
