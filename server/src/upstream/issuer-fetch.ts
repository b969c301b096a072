// The way to an identity provider: what `fetch` would do, over the same guarded connections as every other call, with a
// deadline and a bound. The host of the issuer may be a private one, since the operator named it; every other host is
// one that the provider's own document names, and must be public. Redirects aren't followed.
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { createBulkhead } from './bulkhead.ts'
import type { OutgoingProxy } from './outgoing-proxy.ts'
import { openProviderClient, type ProviderClient } from './provider-client.ts'

interface IssuerFetchParts {
  issuer: string
  outgoingProxy: OutgoingProxy | undefined
  userAgent: string
}

interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: unknown
}

export interface IssuerFetch {
  /** Rejects with UpstreamError if the provider can't be reached, or says that it can't answer. */
  fetch: (address: string, options: FetchOptions) => Promise<Response>
  close: () => Promise<void>
}

const TIMEOUT_MS = 5_000
/** Documents and lists of keys take a few kilobytes. */
const MAX_REPLY_BYTES = 262_144
const MAX_CONCURRENT = 16
/** A provider has one or a few. */
const MAX_ORIGINS = 8
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

export function createIssuerFetch({ issuer, outgoingProxy, userAgent }: IssuerFetchParts): IssuerFetch {
  const trustedHost = new URL(issuer).hostname
  const clients = new Map<string, ProviderClient>()
  const bulkhead = createBulkhead(MAX_CONCURRENT)

  function clientFor({ origin, hostname }: URL): ProviderClient {
    const known = clients.get(origin)
    if (known) return known
    if (clients.size >= MAX_ORIGINS) throw new UpstreamError('guarded', 'the identity provider names too many hosts')
    const opened = openProviderClient({
      baseUrl: origin,
      isTrustedAddress: hostname === trustedHost,
      proxy: outgoingProxy,
      userAgent,
      connections: MAX_CONCURRENT,
      maxReplyBytes: MAX_REPLY_BYTES,
    })
    clients.set(origin, opened)
    return opened
  }

  return {
    async fetch(address, { method, headers, body }) {
      const url = new URL(address)
      if (!bulkhead.enter()) throw new UpstreamError('busy', 'too many people are signing in')
      const deadline = createDeadline(TIMEOUT_MS)
      try {
        const request = {
          method: method === 'POST' ? ('POST' as const) : ('GET' as const),
          path: url.pathname + url.search,
          headers,
          body: body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : '',
        }
        const reply = await clientFor(url).send(request, deadline, () => Promise.resolve())
        if (reply.status >= 500) throw new UpstreamError('unreachable', 'the identity provider is out of order')
        return new Response(NO_BODY.has(reply.status) ? null : reply.body, {
          status: reply.status,
          headers: flat(reply.headers),
        })
      } finally {
        deadline.cancel()
        bulkhead.leave()
      }
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

/** Without what described the bytes on the wire: the body is decoded. */
const flat = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'content-encoding' || name === 'content-length' || name === 'transfer-encoding'
      ? []
      : [value].flat().map((one): [string, string] => [name, one]),
  )
