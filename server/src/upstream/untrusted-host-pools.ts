// Connection pools for untrusted hosts, shared by page and picture fetching. Every connection passes the address guard,
// and the connections to a few recent hosts are kept open.
import type { LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { guardedConnector } from './address-guard.ts'

/** On other ports, a page or a picture would be unusual and an internal service likely. */
export const PUBLIC_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

interface HostPools {
  request: (origin: string, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
  close: () => Promise<void>
}

interface PoolTerms {
  /** Allows private addresses: for a proxy that the operator configured, or a test's own server. */
  isTrustedAddress: boolean
  connectTimeoutMs: number
  /** Per host. */
  connections: number
  hostsRemembered: number
  lookup: LookupFunction | undefined
}

export function openHostPools(terms: PoolTerms): HostPools {
  const { isTrustedAddress, connectTimeoutMs: timeoutMs, connections, hostsRemembered, lookup } = terms
  const guard = { isTrustedAddress, timeoutMs, ...(lookup ? { lookup } : {}) }
  const pools = new LRUCache<string, Pool>({
    max: hostsRemembered,
    // `close` lets requests in progress finish.
    dispose: (pool) => void pool.close(),
  })
  const poolOf = (origin: string): Pool => {
    const known = pools.get(origin)
    if (known) return known
    const pool = new Pool(origin, { connect: guardedConnector(guard), connections, allowH2: false })
    pools.set(origin, pool)
    return pool
  }
  return {
    request: (origin, options) => poolOf(origin).request(options),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** The header's value; the first one if there are several. */
export const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** A redirect's Location, '' if it is missing; undefined if the reply isn't a redirect. */
export function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return undefined
  return headerOf(headers, 'location')
}

/** The target of a redirect as an absolute URL, or '' if it is invalid. */
export const redirectTarget = (location: string, from: string): string =>
  URL.canParse(location, from) ? new URL(location, from).href : ''

/** Destroys an unread body and ignores the error that this causes. */
export const discard = ({ body }: Dispatcher.ResponseData): void => void body.on('error', () => undefined).destroy()

/** True if a request failed because it timed out or was aborted. */
export const isLate = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
