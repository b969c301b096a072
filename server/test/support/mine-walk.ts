// Searches in any order, by people, visitors and keys, through every interface of one or several nodes; and looks in each
// reply for what private services hold. Each service has a canary, so whatever it gets into can be recognised.
import type { FormBrowser } from './form-browser.ts'
import { createRandom } from './random.ts'
import { MCP_HEADERS, mcpMessage } from './surface-request.ts'

interface Searcher {
  name: string
  /** The canaries of the services that they may search; none for a visitor, or a key without the scope. */
  finds: readonly string[]
}

interface Person extends Searcher {
  /** One for each node. */
  browsers: readonly FormBrowser[]
}

interface KeyHolder extends Searcher {
  key: string
}

interface Walk {
  /** The nodes. */
  urls: readonly string[]
  people: readonly Person[]
  keys: readonly KeyHolder[]
  total: number
}

export interface ApiRequest {
  key: string
  accept?: string
  /** The JSON body of a POST. */
  body?: string
}

export async function callApi(url: string, { key, accept = 'application/json', body }: ApiRequest) {
  const reply = await fetch(url, {
    headers: {
      authorization: `Api-Key ${key}`,
      accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body }),
  })
  return { status: reply.status, headers: reply.headers, body: await reply.text() }
}

/** May get the canaries of its searcher; the tab and the endpoint must, the box may be late. */
type Right = 'none' | 'may' | 'must'

interface Asking {
  name: string
  right: Right
  finds: readonly string[]
  ask: () => Promise<{ body: string }>
}

const WORDS = ['boiler', 'climate', 'tides', 'heat pump', 'oak', 'sourdough', '2 + 2', 'weather in paris', 'fjord']
const AT_ONCE = 8

/** Returns which replies were wrong, and how many had a canary, by the right to it. */
export async function walkMine({ urls, people, keys, total }: Walk) {
  const random = createRandom(20261117)
  const pick = <Item>(items: readonly Item[]): Item => items[random.between(0, items.length - 1)] as Item // not empty
  const canaries = [...new Set([...people, ...keys].flatMap(({ finds }) => finds))]

  const page = (path: string, right: Right = 'none'): Asking => {
    const { name, finds, browsers } = pick(people)
    const browser = pick(browsers)
    return { name: `${name} ${path}`, right: finds.length > 0 ? right : 'none', finds, ask: () => browser.ask(path) }
  }
  const api = (path: string, more: Partial<ApiRequest> & { isMine?: boolean } = {}): Asking => {
    const { isMine = false, ...request } = more
    const { name, finds, key } = pick(keys)
    const url = pick(urls)
    const right = isMine && finds.length > 0 ? 'must' : 'none'
    return { name: `${name} ${path}`, right, finds, ask: () => callApi(url + path, { key, ...request }) }
  }
  const kinds: ((q: string, text: string) => Asking)[] = [
    (q) => page(`/search?q=${q}`, 'may'),
    (q) => page(`/search?q=${q}&page=2`),
    (q) => page(`/search?q=${q}&tab=${pick(['images', 'news', 'videos', 'science', 'code', 'mine'])}`, 'may'),
    (q) => page(`/mine?q=${q}&page=${pick([1, 2])}`, 'must'),
    (q) => page(`/suggest?q=${q}`),
    (q) => page(`/answer?q=${q}&tz=Europe/Paris`),
    () => page(pick(['/', '/status', '/docs', '/llms.txt', '/opensearch.xml', '/api/v1/openapi.json'])),
    (q) => api(`/api/v1/mine/?q=${q}`, { isMine: true }),
    (q) => api(`/api/v1/mine/?q=${q}`, { isMine: true, accept: pick(['application/x-ndjson', 'text/event-stream']) }),
    (q) => api(`/api/v1/web/?q=${q}&include=explain`, { accept: pick(['application/json', 'application/x-ndjson']) }),
    (q) =>
      api(`/api/v1/${pick(['images', 'news', 'videos', 'science', 'code', 'suggest', 'cards', 'instant'])}/?q=${q}`),
    () => api(`/api/v1/${pick(['', 'status/', 'key/', 'usage/'])}`),
    (q) => api(`/searxng/search?format=json&q=${q}`),
    (_, text) => api('/v2/search', { body: JSON.stringify({ query: text }) }),
    (_, text) => api('/tavily/search', { body: JSON.stringify({ query: text }) }),
    (_, text) =>
      api('/mcp', {
        accept: MCP_HEADERS.accept,
        body: mcpMessage('tools/call', { name: 'search', arguments: { query: text } }),
      }),
  ]

  const wrong: string[] = []
  const seen = { none: 0, may: 0, must: 0 }
  const judge = ({ name, right, finds }: Asking, body: string): void => {
    const found = canaries.filter((canary) => body.includes(canary))
    if (found.length > 0) seen[right] += 1
    if (found.some((canary) => right === 'none' || !finds.includes(canary))) wrong.push(`${name} has ${found.join()}`)
    if (right === 'none' && /karakeep/i.test(body)) wrong.push(`${name} names the service`)
    if (right === 'must' && found.length < finds.length) wrong.push(`${name} lacks it`)
  }
  for (let done = 0; done < total; done += AT_ONCE) {
    const askings = Array.from({ length: AT_ONCE }, () => {
      const text = pick(WORDS)
      return pick(kinds)(encodeURIComponent(text), text)
    })
    await Promise.all(askings.map(async (asking) => judge(asking, (await asking.ask()).body)))
  }
  return { wrong, seen }
}
