// Normalises URLs to tell whether two are the same page. Scheme, `www.`, default port, trailing slash, tracking
// parameters and fragment don't count; a `#/` or `#!` fragment is a client-side route and does. The result is only for
// comparison: a URL that is shown is never altered. Of several for one page, the best is shown.
//
// This runs for every result of every engine, and `new URL` costs more than everything else a merge does. So a plain
// URL is scanned as it is, and only one that the URL parser would rewrite (escapes, dot segments, other scripts, odd
// characters) is parsed first. A property test checks that both ways agree.
import { originalOf } from './page-aliases.ts'

const TRACKING =
  /^(?:utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|mc_[ce]id|_ga|_gl|ref_src|oly_(?:anon|enc)_id|vero_id|_hs(?:enc|mi))$/i

/**
 * Matches URLs that `new URL` wouldn't change; when in doubt, it doesn't match. Left to the parser: a host with other
 * characters, an empty label, `xn--`, or that may be an IPv4 address in any notation; a port with a leading zero or
 * five digits; a path with a dot segment, written plainly or as `%2e`.
 */
const PLAIN = new RegExp(
  [
    '^https?://',
    String.raw`(?:(?:[a-z\d]|-(?!-))+\.)*(?:[a-z]|-(?!-))(?:[a-z\d]|-(?!-))*`,
    String.raw`(?::[1-9]\d{0,3})?`,
    String.raw`(?:/(?!\.|%2)[\w.~!$&()*+,;=:@%-]*)*`,
    String.raw`(?:\?[\w.~!$&()*+,;=:@%/?-]*)?`,
    String.raw`(?:#[\w.~!$&()*+,;=:@%/?-]*)?$`,
  ].join(''),
)

export const canonicalAddress = (address: string): string => originalOf(ownAddress(address))

/** Without what doesn't tell pages of one site apart. */
function ownAddress(address: string): string {
  if (PLAIN.test(address)) return scan(address)
  return URL.canParse(address) ? scan(new URL(address).href) : address
}

/** How much an address could be better, to choose among those of one page: not encrypted, an alias, with tracking or a fragment. */
export function blemishesOf(address: string): number {
  const own = ownAddress(address)
  const rest = address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
  return (/^https:/i.test(address) ? 0 : 4) + (originalOf(own) === own ? 0 : 2) + (rest === own ? 0 : 1)
}

/** Expects a URL as `new URL` returns it: lower-case scheme and host, encoded path. */
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
  let kept = ''
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start)
    const end = next === -1 ? query.length : next
    if (end > start && !isTracking(query, start, end)) kept += `${kept === '' ? '?' : '&'}${query.slice(start, end)}`
    start = end + 1
  }
  return kept
}

function isTracking(query: string, start: number, end: number): boolean {
  const equalsAt = query.indexOf('=', start)
  const nameEnd = equalsAt === -1 || equalsAt > end ? end : equalsAt
  return nameEnd - start > 2 && TRACKING.test(query.slice(start, nameEnd))
}

function route(address: string, fragmentAt: number): string {
  if (fragmentAt === -1) return ''
  const next = address.charCodeAt(fragmentAt + 1)
  return next === 47 || next === 33 ? address.slice(fragmentAt) : ''
}
