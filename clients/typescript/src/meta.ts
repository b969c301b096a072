// What the headers of a reply say about it, whether it succeeded or not: whether the search is complete, what became of
// each engine, what is left of the limits.

/** `unsupported`: no engine can honour the filters. `stale`: every engine is failing, and this is an old answer. */
export type SearchStatus = 'complete' | 'partial' | 'stale' | 'unsupported'

export interface EngineStatus {
  engine: string
  /** `ok`, `timeout`, `skipped` and the others of docs/api/limits.md; new ones may come. */
  outcome: string
  /** Results. */
  n?: number
  ms?: number
  /** Why it was skipped. */
  for?: string
  /** Where the response was cached. */
  cached?: string
  /** Results that the instance left out because of domains or dates. */
  filtered?: number
  /** `ignored`: the engine cannot favour the region that was asked for. */
  region?: string
}

export interface LimitStatus {
  remaining: number
  /** Seconds until more is available. */
  reset: number
}

export interface Meta {
  requestId: string
  /** Of a search, suggestions or cards. */
  searchStatus: SearchStatus | undefined
  /** The engines of a search, or the sources of cards. */
  engines: EngineStatus[]
  /** Results that were left out because rules block their sites. */
  blocked: number
  /** By the name of the limit: `burst`, `sustained`. */
  rateLimit: Record<string, LimitStatus>
  headers: Headers
}

/** A reply's body. `meta` isn't part of the body: JSON.stringify and a copy leave it out. */
export type Reply<Body> = Body & { readonly meta: Meta }

const SEARCH_STATUS: readonly string[] = ['complete', 'partial', 'stale', 'unsupported'] satisfies SearchStatus[]

const isSearchStatus = (value: string | null): value is SearchStatus => value !== null && SEARCH_STATUS.includes(value)

export function readMeta(headers: Headers): Meta {
  const searchStatus = headers.get('search-status')
  return {
    requestId: headers.get('x-request-id') ?? '',
    searchStatus: isSearchStatus(searchStatus) ? searchStatus : undefined,
    engines: readEngines(headers.get('engine-status') ?? headers.get('card-status') ?? ''),
    blocked: Number(/^blocked=(\d+)$/.exec(headers.get('rules-status') ?? '')?.[1] ?? 0),
    rateLimit: readRateLimit(headers.get('ratelimit') ?? ''),
    headers,
  }
}

export function withMeta<Body>(body: Body, headers: Headers): Reply<Body> {
  if (typeof body !== 'object' || body === null) return body as Reply<Body>
  return Object.defineProperty(body, 'meta', { value: readMeta(headers), enumerable: false }) as Reply<Body>
}

interface Entry {
  name: string
  flags: string[]
  values: Record<string, string>
}

/** `a;ok;n=10, b;timeout` → an entry for a and one for b. */
const readEntries = (header: string): Entry[] =>
  header
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([name]) => name !== '')
    .map(([name = '', ...parts]) => ({
      name: name.replaceAll('"', ''),
      flags: parts.filter((part) => !part.includes('=')),
      values: Object.fromEntries(parts.filter((part) => part.includes('=')).map((part) => splitAt(part, '='))),
    }))

const splitAt = (part: string, separator: string): [string, string] => {
  const at = part.indexOf(separator)
  return [part.slice(0, at), part.slice(at + 1)]
}

const readEngines = (header: string): EngineStatus[] =>
  readEntries(header).map(({ name, flags, values: { n, ms, for: reason, cached, filtered, region } }) => ({
    engine: name,
    outcome: flags[0] ?? '',
    ...(n !== undefined && { n: Number(n) }),
    ...(ms !== undefined && { ms: Number(ms) }),
    ...(reason !== undefined && { for: reason }),
    ...(cached !== undefined && { cached }),
    ...(filtered !== undefined && { filtered: Number(filtered) }),
    ...(region !== undefined && { region }),
  }))

const readRateLimit = (header: string): Record<string, LimitStatus> =>
  Object.fromEntries(
    readEntries(header).map(({ name, values: { r, t } }) => [name, { remaining: Number(r), reset: Number(t) }]),
  )
