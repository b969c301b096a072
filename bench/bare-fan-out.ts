// The limit for an uncached search: three calls with undici's `Pool.request`, parse, merge by URL, stringify. No keys,
// no limits, no usage, no log, no headers; the reply has the members of ours, so that it is as large. Started with the
// sandbox's address; prints its port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'
import { Pool } from 'undici'

const sandbox = new URL(process.argv[2] ?? '')
const pool = (): Pool => new Pool(sandbox.origin, { connections: 256 })

/** About as many as ours, which recognizes more URLs as the same page. */
const RESULTS = 20

interface Result {
  title?: string
  url: string
  description?: string
  desc?: string
}

const ENGINES: {
  pool: Pool
  path: (query: string) => string
  headers: Record<string, string>
  read: (body: never) => Result[]
}[] = [
  {
    pool: pool(),
    path: (query) => `/brave/res/v1/web/search?q=${query}&count=10&safesearch=strict&text_decorations=false`,
    headers: { 'x-subscription-token': SANDBOX_KEYS['brave'] ?? '' },
    read: (body: { web?: { results: Result[] } }) => body.web?.results ?? [],
  },
  {
    pool: pool(),
    path: (query) => `/mojeek/search?api_key=${SANDBOX_KEYS['mojeek']}&fmt=json&q=${query}&s=1&t=10&safe=1`,
    headers: {},
    read: (body: { response: { results: Result[] } }) => body.response.results,
  },
  {
    pool: pool(),
    path: (query) => `/marginalia/search?query=${query}&count=10&page=1&nsfw=2`,
    headers: { 'api-key': SANDBOX_KEYS['marginalia'] ?? '' },
    read: (body: { results: Result[] }) => body.results,
  },
]

async function search(query: string): Promise<string> {
  const pages = await Promise.all(
    ENGINES.map(async ({ pool, path, headers, read }) => {
      const { body } = await pool.request({ path: path(query), method: 'GET', headers })
      return read(JSON.parse(await body.text()) as never) // each engine reads the shape of its own replies
    }),
  )
  const merged = new Map<string, { result: Result; score: number }>()
  for (const page of pages) {
    page.forEach((result, rank) => {
      const known = merged.get(result.url)
      if (known) known.score += 1 / (61 + rank)
      else merged.set(result.url, { result, score: 1 / (61 + rank) })
    })
  }
  const ranked = [...merged.values()].sort((one, other) => other.score - one.score).slice(0, RESULTS)
  return JSON.stringify({
    query,
    tab: 'web',
    page: 1,
    engine: ['engine_a', 'engine_b', 'engine_c'],
    correction: '',
    results: ranked.map(({ result: { title = '', url, description, desc } }) => ({
      title,
      url,
      description: description ?? desc ?? '',
      display_url: url.split('/', 3)[2],
      favicon_url: '',
      age: '1 day ago',
      source: 'engine_a',
      source_label: 'Brave Search',
      sitelinks: [],
    })),
  })
}

const server = createServer((request, response) => {
  const query = /[?&]q=([^&]*)/.exec(request.url ?? '')?.[1] ?? ''
  void search(query).then((body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`) // TCP: has a port
})
process.on('SIGTERM', () => process.exit())
