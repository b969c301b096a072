// Whether two addresses are the same page. Scheme, `www.`, default port, trailing slash, tracking parameters and
// fragment do not count; a `#/` or `#!` fragment is a route of a page and does. The result is for comparing only: an
// address that is shown is never altered.
//
// This runs for every result of every engine, and `new URL` costs more than everything else a merge does. So a plain
// address is scanned, and only one that a URL parser would rewrite (escapes, dot segments, other scripts, odd
// characters) goes through the parser first and is scanned after. A property test holds the two ways together.

const TRACKING =
  /^(?:utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|mc_[ce]id|_ga|_gl|ref_src|oly_(?:anon|enc)_id|vero_id|_hs(?:enc|mi))$/i

const HOST = 1
const PATH = 2
const QUERY_OR_FRAGMENT = 4

/** Where each ASCII character may stand without a URL parser rewriting it; everything else is 0. */
const PLAIN = new Uint8Array(128)
allow('abcdefghijklmnopqrstuvwxyz0123456789-.', HOST)
allow('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~!$&()*+,;=:@%/', PATH | QUERY_OR_FRAGMENT)
allow('?', QUERY_OR_FRAGMENT)

function allow(characters: string, places: number): void {
  for (const character of characters) {
    const code = character.charCodeAt(0)
    PLAIN[code] = (PLAIN[code] ?? 0) | places
  }
}

const isPlainIn = (code: number, place: number): boolean => code < 128 && ((PLAIN[code] ?? 0) & place) !== 0
const isDigit = (code: number): boolean => code >= 48 && code <= 57

export function canonicalAddress(address: string): string {
  if (isPlain(address)) return scan(address)
  return URL.canParse(address) ? scan(new URL(address).href) : address
}

/** Nothing here that `new URL` would change; when in doubt, no. */
function isPlain(address: string): boolean {
  const start = address.startsWith('https://') ? 8 : address.startsWith('http://') ? 7 : 0
  if (start === 0) return false
  const hostEnd = endOfPlainHost(address, start)
  return hostEnd !== -1 && isPlainAfterHost(address, endOfPlainPort(address, hostEnd))
}

/** -1 for a host that the parser must judge: other characters, an empty label, `xn--`, an IPv4 address in any notation. */
function endOfPlainHost(address: string, start: number): number {
  let label = start
  let at = start
  for (; at < address.length; at += 1) {
    const code = address.charCodeAt(at)
    if (code === 47 || code === 58 || code === 63 || code === 35) break // / : ? #
    if (!isPlainIn(code, HOST)) return -1
    if (code === 46) {
      if (at === label) return -1
      label = at + 1
    } else if (code === 45 && address.charCodeAt(at - 1) === 45) return -1
  }
  return at === label || isDigit(address.charCodeAt(label)) ? -1 : at
}

/** A port of one to four digits without a leading zero is passed over; any other is left for the next step to refuse. */
function endOfPlainPort(address: string, hostEnd: number): number {
  if (address.charCodeAt(hostEnd) !== 58 || address.charCodeAt(hostEnd + 1) === 48) return hostEnd
  let at = hostEnd + 1
  while (at < hostEnd + 5 && isDigit(address.charCodeAt(at))) at += 1
  return at === hostEnd + 1 ? hostEnd : at
}

function isPlainAfterHost(address: string, start: number): boolean {
  let place = PATH
  let before = 0
  for (let at = start; at < address.length; at += 1) {
    const code = address.charCodeAt(at)
    if (at === start && code !== 47 && code !== 63 && code !== 35) return false
    if (code === 35 && !address.includes('#', at + 1)) place = QUERY_OR_FRAGMENT
    else if (code === 63 && place === PATH) place = QUERY_OR_FRAGMENT
    else if (!isPlainIn(code, place)) return false
    // A dot segment, written plainly or as %2e, is for the parser to resolve.
    else if (place === PATH && before === 47 && (code === 46 || isEscapedTwo(address, at))) return false
    before = code
  }
  return true
}

const isEscapedTwo = (address: string, at: number): boolean =>
  address.charCodeAt(at) === 37 && address.charCodeAt(at + 1) === 50

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
