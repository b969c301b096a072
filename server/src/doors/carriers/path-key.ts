// Keys in a path, `/k/<key>/searxng/search`, for programs that have one field for an address and none for a key. The key
// is taken out of the URL before the request is routed, so that nothing that logs, counts or shows a URL can see it,
// whether the instance takes such keys or not.
//
// The same place leads SearXNG's own `/search?format=json` to its door: some programs drop every path from the address
// they were given.
import type { IncomingMessage } from 'node:http'

const keys = new WeakMap<IncomingMessage, string>()

/** Undefined if the request had none, or if this instance does not take them. */
export const pathKeyOf = (raw: IncomingMessage): string | undefined => keys.get(raw)

const IN_PATH = /^\/k\/([^/?]{1,200})(\/(?:searxng|tavily|openwebui|tools|mcp)(?:[/?].*)?)$/
const BARE_SEARCH = /^\/search\/?(\?.*)$/
const FOR_A_PROGRAM = /[?&]format=(?:json|rss|csv)(?:&|$)/
/** A route that answers 404. */
export const NO_DOOR = '/k'

/** What Fastify calls before it routes a request: returns the URL to route by. Almost all are left as they are. */
export function createDoorAddress(arePathKeysOn: boolean): (raw: IncomingMessage) => string {
  return (raw) => {
    const url = raw.url ?? '/'
    if (url.startsWith('/k/')) return withoutKey(url, arePathKeysOn ? raw : undefined)
    if (!url.startsWith('/search')) return url
    const query = BARE_SEARCH.exec(url)?.[1]
    return query !== undefined && FOR_A_PROGRAM.test(query) ? `/searxng/search${query}` : url
  }
}

function withoutKey(url: string, raw: IncomingMessage | undefined): string {
  const [, key, rest] = IN_PATH.exec(url) ?? []
  if (raw === undefined || key === undefined || rest === undefined) return NO_DOOR
  keys.set(raw, key)
  return rest
}
