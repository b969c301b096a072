// The name in the header that the operator's proxy sets (Authelia, Authentik, oauth2-proxy). It counts only if the
// connection itself comes from one of the proxy's addresses; what `X-Forwarded-For` says doesn't matter here, since
// TRUSTED_PROXIES often covers whole networks of containers. Two such headers, or anything but one plain name, count as
// none: somebody in front has passed on what a client sent.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { toStoredUsername } from '../../keys/username.ts'
import type { TrustedHeaderSettings } from '../../settings/sign-in-configuration.ts'

export interface TrustedHeader {
  createsUsers: boolean
  /** Undefined if nobody may be believed. */
  usernameIn: (request: Pick<IncomingMessage, 'rawHeaders' | 'socket'>) => string | undefined
}

export function createTrustedHeader({ name, from, createsUsers }: TrustedHeaderSettings): TrustedHeader {
  const proxies: ReadonlySet<string> = new Set(from)
  return {
    createsUsers,
    usernameIn({ rawHeaders, socket }) {
      if (!proxies.has(plainAddress(socket.remoteAddress))) return undefined
      const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
      const [value = '', ...others] = values
      return (others.length === 0 && toStoredUsername(value)) || undefined
    },
  }
}

/** A server that listens on IPv6 sees IPv4 addresses as `::ffff:10.0.0.2`. */
function plainAddress(address = ''): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(plain) === 6 ? ipaddr.IPv6.parse(plain).toString() : plain
}
