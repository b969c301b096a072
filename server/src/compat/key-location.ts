// Keys in a path, `/k/<key>/searxng/search`, for programs with a field for an address and none for a key. The key is
// removed from the URL before the request is routed, so that nothing that logs, counts or shows a URL can see it,
// whether or not the instance accepts such keys.
//
// Also routes SearXNG's own `/search?format=json` to the SearXNG-compatible API: some programs drop every path from the
// address they were given.
import type { IncomingMessage } from 'node:http'

const keys = new WeakMap<IncomingMessage, string>()

/** undefined: the request had no key in its path, or this instance doesn't accept them. */
export const pathKeyOf = (raw: IncomingMessage): string | undefined => keys.get(raw)

const IN_PATH = /^\/k\/([^/?]{1,200})(\/(?:searxng|tavily|openwebui|tools|mcp)(?:[/?].*)?)$/
const BARE_SEARCH = /^\/search\/?(\?.*)$/
const FOR_A_PROGRAM = /[?&]format=(?:json|rss|csv)(?:&|$)/
/** A route that answers 404. */
export const NO_DOOR = '/k'

/** Fastify calls the returned function before routing, to get the URL to route by. Almost all URLs stay as they are. */
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
