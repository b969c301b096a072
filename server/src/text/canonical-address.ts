// Whether two addresses are the same page. Scheme, `www.`, default port, trailing slash, tracking parameters and
// fragment do not count; a `#/` or `#!` fragment is a route of a page and does. The result is for comparing only: an
// address that is shown is never altered.
//
// This runs for every result of every engine, and `new URL` costs more than everything else a merge does. So a plain
// address is scanned, and only one that a URL parser would rewrite (escapes, dot segments, other scripts, odd
// characters) goes through the parser first and is scanned after. A property test holds the two ways together.

const TRACKING =
  /^(?:utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|mc_[ce]id|_ga|_gl|ref_src|oly_(?:anon|enc)_id|vero_id|_hs(?:enc|mi))$/i

/** Nothing here that `new URL` would change: no escapes or dot segments to resolve, no character to encode. */
const PLAIN =
  /^https?:\/\/[a-z0-9](?:[a-z0-9-]|\.(?!\.))*[a-z0-9](?::[1-9]\d{0,3})?(?:\/(?!\.)[\w\-.~!$&()*+,;=:@]*)*(?:\?[\w\-.~!$&()*+,;=:@/?]*)?(?:#[\w\-.~!$&()*+,;=:@/?]*)?$/
/** A host that ends in a number is an IPv4 address in some notation; one with `xn--` is judged by the parser. */
const ODD_HOST = /^https?:\/\/(?:[^/?#]*\.)?(?:\d+|0x[\da-f]*)(?::\d+)?(?:[/?#]|$)|xn--/

export function canonicalAddress(address: string): string {
  if (PLAIN.test(address) && !ODD_HOST.test(address)) return scan(address)
  return URL.canParse(address) ? scan(new URL(address).href) : address
}

/** Expects what `new URL` would give back: lower-case scheme and host, encoded path. */
function scan(address: string): string {
  const isSecure = address.charCodeAt(4) === 115 // the s of https
  let start = isSecure ? 8 : 7
  if (address.startsWith('www.', start)) start += 4
  const fragmentAt = address.indexOf('#', start)
  const end = fragmentAt === -1 ? address.length : fragmentAt
  const queryAt = address.indexOf('?', start)
  const hasQuery = queryAt !== -1 && queryAt < end
  let pathEnd = hasQuery ? queryAt : end
  const slashAt = address.indexOf('/', start)
  const hostEnd = slashAt === -1 || slashAt > pathEnd ? pathEnd : slashAt
  while (pathEnd > hostEnd && address.charCodeAt(pathEnd - 1) === 47) pathEnd -= 1
  const host = withoutDefaultPort(address.slice(start, hostEnd), isSecure ? ':443' : ':80')
  const query = hasQuery ? withoutTracking(address.slice(queryAt + 1, end)) : ''
  return host + address.slice(hostEnd, pathEnd) + query + route(address, fragmentAt)
}

const withoutDefaultPort = (host: string, port: string): string =>
  host.endsWith(port) ? host.slice(0, -port.length) : host

function withoutTracking(query: string): string {
  const kept = query.split('&').filter((pair) => pair !== '' && !TRACKING.test(pair.split('=', 1)[0] ?? ''))
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

function route(address: string, fragmentAt: number): string {
  if (fragmentAt === -1) return ''
  const next = address.charCodeAt(fragmentAt + 1)
  return next === 47 || next === 33 ? address.slice(fragmentAt) : ''
}
