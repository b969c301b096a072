// The Redis servers behind one address, and which of them has a key: always the same one here, for a single server and
// for Sentinels, which name the master. `redis-cluster.ts` is the other case.
import type { RedisOptions } from 'ioredis'
import { atHost, type RedisAddress, redisOptionsOf } from './redis-address.ts'
import type { Redirect } from './redis-answer.ts'
import { openRedisServer, type RedisServer } from './redis-server.ts'

export interface RedisServers {
  /** The first attempt to connect has ended. */
  opened: Promise<void>
  /** Undefined: nobody has the key, as far as we know. */
  of: (key: string) => RedisServer | undefined
  /** Those that should be ready. */
  all: () => RedisServer[]
  /** Where a server of a cluster says that the key is. */
  redirected: (key: string, redirect: Redirect) => Promise<RedisServer | undefined>
  /** Why there are none. */
  failure: () => Error | undefined
  /** For a connection to any of them. */
  anyOptions: () => RedisOptions
  close: () => Promise<void>
}

export interface RedisServersParts {
  address: RedisAddress
  /** A server is connected again, or is new. Called before the first command on that connection. */
  onReady: () => void
  onFailure: (error: Error) => void
}

export const PROBE_KEY = 'bb:probe'

export function openSingleServer({ address, onReady, onFailure }: RedisServersParts): RedisServers {
  const given = redisOptionsOf(address)
  const [host] = address.hosts
  const options = address.kind === 'single' && host ? atHost(given, host) : given
  const server = openRedisServer({ options, isOfCluster: false, probeKey: () => PROBE_KEY, onReady, onFailure })
  const all = [server]
  return {
    opened: server.opened,
    of: () => server,
    all: () => all,
    redirected: () => Promise.resolve(undefined),
    failure: server.failure,
    anyOptions: () => options,
    close: server.close,
  }
}
