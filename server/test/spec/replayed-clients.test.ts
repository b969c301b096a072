// Programs that can't be installed in a test, replayed byte for byte: request line, headers and key as their own code
// writes them. Responses are read as that code reads them, and must match what the API finds.
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

interface Keys {
  header: string
  path: string
  basic: string
}

interface Replayed {
  /** Request line without the version, headers, body. */
  sends: (keys: Keys) => [line: string, headers: readonly string[], body?: string]
  /** The URLs that the program uses. Throws where the program would. */
  reads: (body: never) => string[]
  /** The same search through the API. */
  as: string
}

interface Result {
  [field: string]: unknown
  url: string
}

interface Found {
  results: Result[]
}

let instance: SharedInstance
let keys: Keys
beforeAll(async () => {
  instance = await shareInstance()
  const [header, path] = await Promise.all([
    instance.createKey({ scopes: ['search', 'answers', 'read'] }),
    instance.createKey({ scopes: ['search', 'address'] }),
  ])
  keys = { header, path, basic: Buffer.from(`key:${header}`).toString('base64') }
})

const PYTHON = ['User-Agent: python-requests/2.32.5', 'Accept-Encoding: gzip, deflate', 'Accept: */*']
const NODE = [
  'accept: */*',
  'accept-language: *',
  'sec-fetch-mode: cors',
  'user-agent: node',
  'accept-encoding: gzip, deflate',
]
const AIOHTTP = ['Accept: */*', 'Accept-Encoding: gzip, deflate', 'Content-Type: application/json']
const AGENT = 'User-Agent: Open WebUI (https://github.com/open-webui/open-webui)'

/** A field that the program uses as a string without checking. */
function text(result: Result, ...names: string[]): string {
  for (const name of names) {
    if (typeof result[name] !== 'string') throw new TypeError(`${name} is no text`)
  }
  return result.url
}

const plainly = ({ results }: Found) => results.map((result) => text(result, 'title', 'url', 'content'))

async function ask([line, headers, body = '']: ReturnType<Replayed['sends']>) {
  const length = line.startsWith('POST') ? [`Content-Length: ${Buffer.byteLength(body)}`] : []
  const head = [`${line} HTTP/1.1`, `Host: ${new URL(instance.url).host}`, ...headers, ...length]
  const { status, headers: sent, body: raw } = await rawRequest(instance.url, `${head.join('\r\n')}\r\n\r\n${body}`)
  const bytes = Buffer.from(raw, 'latin1')
  const whole = sent['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
  return { status, type: sent['content-type'], json: JSON.parse(whole.toString()) }
}

const REPLAYED: Record<string, Replayed> = {
  'Open WebUI, SearXNG': {
    sends: ({ basic }) => [
      'GET /searxng/search?q=climate&format=json&pageno=1&safesearch=1&language=all&time_range=&categories=&theme=simple&image_proxy=0',
      [
        `${AGENT} RAG Bot`,
        'Accept: text/html',
        'Accept-Encoding: gzip, deflate',
        'Accept-Language: en-US,en;q=0.5',
        'Connection: keep-alive',
        `Authorization: Basic ${basic}`,
      ],
    ],
    reads: ({ results }: Found) =>
      results
        .toSorted((left, right) => Number(right['score']) - Number(left['score']))
        .map((result) => text(result, 'url', 'title', 'content')),
    as: 'web/?q=climate',
  },
  'Open WebUI, external search': {
    sends: ({ header }) => [
      'POST /openwebui/search',
      [`${AGENT} RAG Bot`, `Authorization: Bearer ${header}`, ...AIOHTTP],
      '{"query": "climate", "count": 50}',
    ],
    reads: (results: { link: string; title: string; snippet: string }[]) =>
      results.map(({ link, title, snippet }) => text({ url: link, title, snippet }, 'url', 'title', 'snippet')),
    as: 'web/?q=climate',
  },
  Vane: {
    sends: ({ path }) => [`GET /k/${path}/searxng/search?format=json&q=climate`, NODE],
    reads: ({ results, suggestions }: Found & { suggestions: string[] }) =>
      Array.isArray(suggestions) ? results.map((result) => text(result, 'title', 'url', 'content')) : [],
    as: 'web/?q=climate',
  },
  'Vane, pictures': {
    sends: ({ path }) => [
      `GET /k/${path}/searxng/search?format=json&q=climate&engines=bing+images%2Cgoogle+images`,
      NODE,
    ],
    reads: ({ results }: Found) => results.filter((result) => result['img_src']).map(({ url }) => url),
    as: 'images/?q=climate',
  },
  'Vane, news': {
    sends: ({ path }) => [
      `GET /k/${path}/searxng/search?format=json&q=climate&engines=bing+news&pageno=1&language=en`,
      NODE,
    ],
    reads: plainly,
    as: 'news/?q=climate&lang=en',
  },
  LobeChat: {
    sends: ({ path }) => [
      `GET /k/${path}/searxng/search?categories=news&engines=google&format=json&q=climate&time_range=year`,
      NODE,
    ],
    reads: ({ results, number_of_results }: Found & { number_of_results: number }) =>
      number_of_results === results.length
        ? results.filter(({ url, engines }) => URL.canParse(url) && Array.isArray(engines)).map(({ url }) => url)
        : [],
    as: 'news/?q=climate&date=y',
  },
  AnythingLLM: {
    sends: ({ path }) => [
      `GET /k/${path}/searxng/search?q=climate&format=json`,
      [...NODE, 'Content-Type: application/json'],
    ],
    reads: plainly,
    as: 'web/?q=climate',
  },
  'LangChain Python': {
    sends: ({ header }) => [
      'GET /searxng?language=en&format=json&q=climate',
      [...PYTHON, 'Connection: keep-alive', `Authorization: Bearer ${header}`],
    ],
    // It shows the first answer instead of the results, and fails on a result without engines or a category.
    reads: ({ results, answers }: Found & { answers: string[] }) =>
      answers.length > 0
        ? answers
        : results
            .filter(({ engines, category }) => Array.isArray(engines) && category === 'general')
            .map((result) => text(result, 'content', 'title', 'url')),
    as: 'web/?q=climate&lang=en',
  },
  LiteLLM: {
    sends: ({ header }) => [
      'GET /searxng/search?q=climate&format=json',
      [...PYTHON, `Authorization: Bearer ${header}`, 'Content-Type: application/json'],
    ],
    reads: plainly,
    as: 'web/?q=climate',
  },
  'LiteLLM, Google': {
    sends: ({ path }) => [
      `GET /k/${path}/google/customsearch/v1?q=climate&cx=0123&key=none&num=5`,
      [...PYTHON, 'Content-Type: application/json'],
    ],
    reads: ({ items }: { items: { title: string; link: string; snippet: string }[] }) =>
      items.map(({ title, link, snippet }) => text({ url: link, title, snippet }, 'title', 'url', 'snippet')),
    as: 'web/?q=climate&limit=5',
  },
  n8n: {
    sends: ({ path }) => [
      `POST /k/${path}/searxng/search?q=climate&format=json&pageno=1&safesearch=0&language=en`,
      ['Accept: application/json', 'user-agent: axios/1.12.0', 'accept-encoding: gzip'],
    ],
    reads: plainly,
    as: 'web/?q=climate&safe=off&lang=en',
  },
}

const JSON_BODY = 'Content-Type: application/json'

/** Firecrawl's shape of v2; LobeChat loses everything over one bad address, and Khoj takes each member for granted. */
const ofFirecrawl = ({ success, data }: { success: boolean; data: { web: Result[] } }) =>
  success
    ? data.web.map((result) => text(result, 'title', 'description', 'url')).filter((url) => URL.canParse(url))
    : []

/** Replayed from their sources: the path, where the key is, and the members, some of which they send without meaning them. */
const FIRECRAWL_REPLAYED: Record<string, Replayed> = {
  'Open WebUI, Firecrawl': {
    sends: ({ header }) => [
      'POST /v2/search',
      [...PYTHON, `Authorization: Bearer ${header}`, JSON_BODY],
      '{"query": "climate", "limit": 5, "timeout": 15000, "ignoreInvalidURLs": true}',
    ],
    reads: ofFirecrawl,
    as: 'web/?q=climate&limit=5',
  },
  'LobeChat, Firecrawl': {
    sends: ({ header }) => [
      'POST /firecrawl/v2/search',
      [...NODE, `Authorization: Bearer ${header}`, JSON_BODY],
      '{"limit":15,"query":"climate","sources":[{"type":"web"},{"type":"news"}],"tbs":"qdr:y"}',
    ],
    reads: ofFirecrawl,
    as: 'web/?q=climate&date=y&limit=15',
  },
  'LiteLLM, Firecrawl, which asks for the text of pages with every search': {
    sends: ({ header }) => [
      'POST /firecrawl/v2/search',
      [...PYTHON, `Authorization: Bearer ${header}`, JSON_BODY],
      '{"query": "climate", "limit": 3, "scrapeOptions": {"formats": ["markdown"], "onlyMainContent": true}}',
    ],
    reads: ofFirecrawl,
    as: 'web/?q=climate&limit=3',
  },
  'Khoj, Firecrawl': {
    sends: ({ header }) => [
      'POST /v2/search',
      ['Accept: */*', `Authorization: Bearer ${header}`, JSON_BODY],
      '{"query": "climate", "limit": 10, "country": "US", "lang": "en", "scrapeOptions": {}}',
    ],
    reads: ofFirecrawl,
    as: 'web/?q=climate&limit=10',
  },
  'Dify, Firecrawl, with sources as words': {
    sends: ({ header }) => [
      'POST /firecrawl/v2/search',
      [...PYTHON, `Authorization: Bearer ${header}`, JSON_BODY],
      '{"query": "climate", "limit": 5, "sources": ["web"], "country": "US", "scrapeOptions": {"formats": []}}',
    ],
    reads: ofFirecrawl,
    as: 'web/?q=climate&limit=5',
  },
  'OpenClaw, Firecrawl, which appends nothing to the address': {
    sends: ({ header }) => [
      'POST /firecrawl',
      [...NODE, `Authorization: Bearer ${header}`, JSON_BODY],
      '{"query":"climate","limit":5}',
    ],
    reads: ofFirecrawl,
    as: 'web/?q=climate&limit=5',
  },
  'AnythingLLM, as fastCRW, with two slashes': {
    sends: ({ header }) => [
      'POST //v1/search',
      [...NODE, `Authorization: Bearer ${header}`, JSON_BODY],
      '{"query":"climate"}',
    ],
    reads: ({ success, data }: { success: boolean; data: Result[] }) =>
      success ? data.map((result) => text(result, 'title', 'url', 'description')) : [],
    as: 'web/?q=climate&limit=5',
  },
}

describe('what a program sends, and how it reads the response', () => {
  it.each(Object.entries({ ...REPLAYED, ...FIRECRAWL_REPLAYED }))('%s', async (_name, { sends, reads, as }) => {
    const { json: api } = await instance.api.get(`/api/v1/${as}`)
    const { status, type, json } = await ask(sends(keys))
    expect([status, type?.split(';')[0]]).toEqual([200, 'application/json'])
    const urls = api.results.map(({ url }: { url: string }) => url)
    expect(urls.length).toBeGreaterThan(1)
    expect(reads(json as never)).toEqual(urls)
  })

  it('Onyx: connects to what names SearXNG’s repository, then tries a search', async () => {
    const { json: config } = await ask([`GET /k/${keys.path}/searxng/config`, PYTHON])
    expect(config.brand.GIT_URL).toBe('https://github.com/searxng/searxng')
    const headers = [...PYTHON, 'Content-Type: application/x-www-form-urlencoded']
    const { status, json } = await ask([`POST /k/${keys.path}/searxng/search`, headers, 'q=climate&format=json'])
    expect([status, plainly(json).length > 1]).toEqual([200, true])
  })

  it('Morphic: pages and pictures in one reply, told apart by img_src', async () => {
    const query = 'q=climate&format=json&categories=general%2Cimages&time_range=&safesearch=1&engines=google%2Cbing'
    const { json } = await ask([`GET /k/${keys.path}/searxng/search?${query}`, NODE])
    const [web, images] = await Promise.all(
      ['web', 'images'].map(async (tab) => (await instance.api.get(`/api/v1/${tab}/?q=climate`)).json.results.length),
    )
    const pictures = json.results.filter(({ img_src }: Result) => img_src)
    expect([json.results.length - pictures.length, pictures.length]).toEqual([web, images])
  })

  it('Cherry Studio: queries every web engine that the configuration lists, and reads strict types', async () => {
    const headers = [...NODE, `Authorization: Basic ${keys.basic}`]
    const { json: config } = await ask(['GET /searxng/config', headers])
    const engines = config.engines.filter(
      ({ enabled, categories }: { enabled: boolean; categories: string[] }) =>
        enabled && categories.includes('general') && categories.includes('web'),
    )
    expect(engines.length).toBeGreaterThan(0)
    const names = engines.map(({ name }: { name: string }) => name).join(',')
    const query = new URLSearchParams({ q: 'climate', language: 'auto', format: 'json', engines: names })
    const { json } = await ask([`GET /searxng/search?${query.toString()}`, headers])
    const { json: api } = await instance.api.get('/api/v1/web/?q=climate')
    expect(plainly(json)).toEqual(api.results.map(({ url }: Result) => url))
  })
})
