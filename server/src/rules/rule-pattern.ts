// Patterns of rules, as people write them and as they are stored. One site has one pattern: in lower case, the host as
// `URL` writes it, without `www.`. A domain always stands for its subdomains too. A path may hold `*` for any characters,
// and is compared with the path and query of an address; there are no regular expressions, so no pattern can be slow.

const MAX_PATTERN_LENGTH = 500
const MAX_STARS = 10

/** What most lines of a long list are, so that they needn't be parsed as addresses. */
const PLAIN_DOMAIN = /^(?:[a-z\d_-]{1,63}\.){1,10}[a-z][a-z\d-]{0,62}$/

export const isPlainDomain = (text: string): boolean => PLAIN_DOMAIN.test(text)

/** Scheme and `*.` are optional; nothing that could make one host look like another. */
const WRITTEN = /^(?:(?:\*|https?):\/\/)?(\*?\.)?([^\s/?#*@\\]{1,253})([/?]\S*)?$/i

/** `https://www.Example.org/` → `example.org`, `*://*.example.org/shop/*` → `example.org/shop/*`; undefined if it names no site. */
export function readPattern(text: string): string | undefined {
  const written = text.trim()
  if (isPlainDomain(written)) return withoutWww(written)
  const [, star, name = '', path = ''] = written.length > MAX_PATTERN_LENGTH ? [] : (WRITTEN.exec(written) ?? [])
  if (isPlainDomain(name) && shortPath(path) === '') return withoutWww(name)
  const url = name === '' ? null : URL.parse(`http://${name}${path}`)
  if (!url) return undefined
  const host = withoutWww(url.hostname.replace(/\.$/, ''))
  const isSuffix = !host.includes('.')
  // A word alone is no site: in a list of hosts it is a computer's own name, or a mistake.
  if (!isHost(host) || (isSuffix && star === undefined)) return undefined
  const below = shortPath(`${url.pathname}${url.search}`.toLowerCase())
  const pattern = `${isSuffix ? '*.' : ''}${host}${below}`
  return pattern.length > MAX_PATTERN_LENGTH || pattern.split('*').length > MAX_STARS ? undefined : pattern
}

/** The host that a rewritten address gets: a name or an IPv4 address, and a port if it has one. */
export function readTarget(text: string): string | undefined {
  const written = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
  const url = /^[^\s/?#*@\\]{1,260}$/.test(written) ? URL.parse(`http://${written}`) : null
  return url && isHost(url.hostname) ? url.host : undefined
}

const isHost = (host: string): boolean => host.length <= 253 && /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(host)

const withoutWww = (host: string): string =>
  host.startsWith('www.') && host.includes('.', 4) ? withoutWww(host.slice(4)) : host

const shortPath = (path: string): string => {
  const short = path.replace(/\*{2,}/g, '*')
  return short === '/' || short === '/*' ? '' : short
}

/** `example.org/shop/*` → `example.org` and `/shop/*`; `*.example` → `example` and ''. */
export function partsOf(pattern: string): { host: string; path: string } {
  const slashAt = pattern.indexOf('/')
  const site = slashAt === -1 ? pattern : pattern.slice(0, slashAt)
  return { host: site.startsWith('*.') ? site.slice(2) : site, path: slashAt === -1 ? '' : pattern.slice(slashAt) }
}

/** Whether a path and query fit a path that was split at its stars. */
export function isPathOf(parts: readonly string[], path: string): boolean {
  const [first = ''] = parts
  if (parts.length === 1) return path === first
  if (!path.startsWith(first)) return false
  let at = first.length
  for (let part = 1; part < parts.length - 1; part++) {
    const text = parts[part] ?? ''
    const foundAt = path.indexOf(text, at)
    if (foundAt === -1) return false
    at = foundAt + text.length
  }
  const last = parts.at(-1) ?? ''
  return path.length - last.length >= at && path.endsWith(last)
}
