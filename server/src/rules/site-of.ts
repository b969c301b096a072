// An address as rules see it: the domains it belongs to, and its path.
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'

export interface Site {
  /** Its host, without `www.`, and the domains above it: `a.example.org`, `example.org`, `org`. */
  domains: readonly string[]
  /** Path and query, in lower case. Few rules need it. */
  path: () => string
}

/**
 * Most addresses: a host that `URL` wouldn't write differently. One that ends in a digit may be an IPv4 address in another
 * notation.
 */
const PLAIN = /^https?:\/\/(?:www\.)?([a-z\d_-]+\.[a-z\d._-]*[a-z])(?:[/?#]|$)/

export function siteOf(address: string): Site {
  const host = PLAIN.exec(address)?.[1] ?? hostOf(URL.parse(address)?.href ?? '').replace(/\.$/, '')
  const domains = [host]
  for (let dotAt = host.indexOf('.'); dotAt !== -1; dotAt = host.indexOf('.', dotAt + 1))
    domains.push(host.slice(dotAt + 1))
  return {
    domains,
    path() {
      const url = URL.parse(address)
      return url ? `${url.pathname}${url.search}`.toLowerCase() : ''
    },
  }
}
