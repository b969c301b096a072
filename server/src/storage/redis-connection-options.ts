// How ioredis is used: for one connection, with no reconnecting, no queue, and nothing sent again. Whoever opens the
// connection decides about that.
import type { RedisOptions } from 'ioredis'

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
