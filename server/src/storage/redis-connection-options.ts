// How ioredis is used: for one connection, with no reconnecting, no queue, and nothing sent again. Whoever opens the
// connection decides about that.
import { Command, type RedisOptions } from 'ioredis'
import type { Value } from './redis-answer.ts'

const KEEP_ALIVE_MS = 15_000
const CONNECT_TIMEOUT_MS = 1_000

export const ONE_CONNECTION = {
  lazyConnect: true,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  connectTimeout: CONNECT_TIMEOUT_MS,
  sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
  keepAlive: KEEP_ALIVE_MS,
  protocol: 2,
  replyMapping: 'legacy',
  // It may be forbidden to us, like the name, and nobody needs it.
  disableClientInfo: true,
  connectionName: 'bowerbird',
} satisfies RedisOptions

const TEXT = { replyEncoding: 'utf8' } as const

/**
 * A command as ioredis sends it, but written down here: ioredis copies, checks and converts every argument, which takes
 * longer than all the rest of a call. An error reply quotes no arguments either.
 */
export class RedisCommand extends Command {
  readonly #text: string

  constructor(name: string, values: readonly Value[]) {
    super(name, [], TEXT)
    this.#text = textOf(name, values)
  }

  override toWritable(): string {
    return this.#text
  }
}

function textOf(name: string, values: readonly Value[]): string {
  let text = `*${values.length + 1}\r\n$${name.length}\r\n${name}\r\n`
  for (const value of values) {
    if (typeof value === 'string') text += `$${Buffer.byteLength(value)}\r\n${value}\r\n`
    else {
      const digits = String(value)
      text += `$${digits.length}\r\n${digits}\r\n`
    }
  }
  return text
}
