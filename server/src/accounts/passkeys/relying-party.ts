// This instance's identity towards authenticators. A passkey is permanently bound to a host name: that of PUBLIC_URL,
// or of the URL the browser uses. Browsers support passkeys only over https, or on localhost for trying things out, and
// never for a bare IP address.
import ipaddr from 'ipaddr.js'

export interface RelyingParty {
  /** The host name. */
  id: string
  /** Scheme, host and port, as the browser writes them. */
  origin: string
}

/** Undefined if no browser would allow passkeys there. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  if (!URL.canParse(baseUrl)) return undefined
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))
  return !isAddress && (protocol === 'https:' || isHere) ? { id: hostname, origin } : undefined
}
