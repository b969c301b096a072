// Connections to hosts that strangers have named: what fetching pages and fetching pictures have in common. Every
// connection passes the address guard, and the connections of a few hosts are kept for a while.
import type { LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, Pool } from 'undici'
import { guardedConnector } from './address-guard.ts'

/** On other ports, a page or a picture would be odd and a non-public service likely. */
export const PUBLIC_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

interface HostPools {
  request: (origin: string, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
  close: () => Promise<void>
}

interface PoolTerms {
  /** Allows private addresses: a proxy that the operator has configured, or a test's own server. */
  isTrustedAddress: boolean
  connectTimeoutMs: number
  /** To each host. */
  connections: number
  hostsRemembered: number
  lookup: LookupFunction | undefined
}

export function openHostPools(terms: PoolTerms): HostPools {
  const { isTrustedAddress, connectTimeoutMs: timeoutMs, connections, hostsRemembered, lookup } = terms
  const guard = { isTrustedAddress, timeoutMs, ...(lookup ? { lookup } : {}) }
  const pools = new LRUCache<string, Pool>({
    max: hostsRemembered,
    // Busy connections end by themselves.
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

/** Of several, the first. */
export const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** Where a redirect leads, '' if it does not say; undefined for a reply that is none. */
export function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode < 300 || statusCode > 399 || statusCode === 304) return undefined
  return headerOf(headers, 'location')
}

/** The target of a redirect as an absolute address, or ''. */
export const redirectTarget = (location: string, from: string): string =>
  URL.canParse(location, from) ? new URL(location, from).href : ''

/** An unread body emits an error when it is aborted; nobody needs it. */
export const discard = ({ body }: Dispatcher.ResponseData): void => void body.on('error', () => undefined).destroy()

/** Whether a request failed because its time was over. */
export const isLate = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
