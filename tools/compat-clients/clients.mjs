// Every client asks the instance once, one after the other: some of them wait for five seconds at most, and starting
// them all at once takes longer. Prints one JSON object: what each of them got, or how it failed. Arguments: the
// instance's address, a key, a key that may stand in a URL, the `bowerbird` executable, a key that may read pages, one for
// a single request, and a domain that a search finds. With ONLY, one client is run.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { SearxngClient } from '@agentic/searxng'
import { createMCPClient } from '@ai-sdk/mcp'
import { SearxngSearch } from '@langchain/community/tools/searxng_search'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { TavilySearch } from '@langchain/tavily'
import Firecrawl from '@mendable/firecrawl-js'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { tavily } from '@tavily/core'
import ky from 'ky'
import { SearxngService } from 'searxng'

const [, , url, key, pathKey, bowerbird, readKey, limitedKey, domain] = process.argv
const firecrawl = (apiKey = readKey) => new Firecrawl({ apiKey, apiUrl: `${url}/firecrawl` })
const headers = { Authorization: `Bearer ${key}` }
const WRONG = 'bowerbird_wrong'
const INFO = { name: 'compat-clients', version: '1' }

const firstLine = ({ content: [{ text }] }) => text.split('\n', 1)[0]
const names = ({ tools }) => tools.map(({ name }) => name)

async function overMcp(client, transport, call = { name: 'search', arguments: { query: 'climate' } }) {
  await client.connect(transport)
  try {
    return [names(await client.listTools()), firstLine(await client.callTool(call))]
  } finally {
    await client.close()
  }
}

const newClient = (mode) =>
  overMcp(
    new Client(INFO, { versionNegotiation: { mode } }),
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  )

const throughProgram = (args, env, call) =>
  overMcp(
    new OldClient(INFO),
    new StdioClientTransport({ command: process.execPath, args, env: { ...process.env, ...env }, stderr: 'ignore' }),
    call,
  )

/** mcp-remote fills it in, so that no list of processes shows the key. */
const PLACEHOLDER = ['Authorization:$', '{AUTH}'].join('')

const modules = `${import.meta.dirname}/node_modules`

const run = promisify(execFile)

const inspector = async (...args) => {
  const program = `${modules}/@modelcontextprotocol/inspector/clients/launcher/build/index.js`
  const header = ['--header', `Authorization: Bearer ${key}`]
  const target = [`${url}/mcp`, '--transport', 'http', ...header]
  const { stdout } = await run(process.execPath, [program, '--cli', ...target, ...args], {
    env: { ...process.env, HOME: import.meta.dirname },
  })
  return JSON.parse(stdout)
}

const CLIENTS = {
  '@langchain/community': async () => {
    const search = new SearxngSearch({
      apiBase: `${url}/searxng`,
      params: { format: 'json', engines: 'google' },
      headers,
    })
    return JSON.parse(`[${await search.invoke('climate')}]`).map(({ link }) => link)
  },
  '@langchain/community, key in the path': async () => {
    const search = new SearxngSearch({ apiBase: `${url}/k/${pathKey}/searxng`, params: { format: 'json' } })
    return JSON.parse(`[${await search.invoke('climate')}]`).map(({ link }) => link)
  },
  '@langchain/community, wrong key': () =>
    new SearxngSearch({
      apiBase: `${url}/searxng`,
      params: { format: 'json' },
      headers: { Authorization: `Bearer ${WRONG}` },
    }).invoke('climate'),
  '@agentic/searxng': async () => {
    const client = new SearxngClient({ apiBaseUrl: `${url}/searxng`, ky: ky.extend({ headers }) })
    return (await client.search({ query: 'climate', categories: ['general', 'news'] })).results.map(
      (found) => found.url,
    )
  },
  searxng: async () => {
    const service = new SearxngService({ baseURL: `${url}/searxng`, defaultRequestHeaders: { 'X-API-Key': key } })
    return (await service.search('climate')).results.map((found) => found.url)
  },
  'mcp-searxng, key as a password': () =>
    throughProgram(
      [`${modules}/mcp-searxng/dist/cli.js`],
      { SEARXNG_URL: `${url.replace('://', `://key:${key}@`)}/searxng` },
      { name: 'searxng_web_search', arguments: { query: 'climate', time_range: 'year', language: 'en' } },
    ),
  '@tavily/core': async () => {
    const client = tavily({ apiKey: key, apiBaseURL: `${url}/tavily` })
    const { results, images } = await client.search('climate', { maxResults: 20, includeImages: true })
    return images.length > 0 && results.map((found) => found.url)
  },
  '@tavily/core, wrong key': () => tavily({ apiKey: WRONG, apiBaseURL: `${url}/tavily` }).search('climate'),
  '@langchain/tavily': async () => {
    const search = new TavilySearch({ tavilyApiKey: key, apiBaseUrl: `${url}/tavily`, maxResults: 20 })
    return (await search.invoke({ query: 'climate' })).results.map((found) => found.url)
  },
  '@mendable/firecrawl-js': async () => {
    const { web, news } = await firecrawl().search('climate', { limit: 20, sources: ['web', 'news'] })
    return news.length > 0 && web.map((found) => found.url)
  },
  '@mendable/firecrawl-js, v1': async () => {
    const { success, data } = await firecrawl().v1.search('climate', { limit: 20 })
    return success && data.map((found) => found.url)
  },
  '@mendable/firecrawl-js, filters': async () => {
    const ofDomain = await firecrawl().search('climate', { limit: 3, includeDomains: [domain] })
    const ofYear = await firecrawl().search('climate', { limit: 3, tbs: 'qdr:y' })
    const isOfDomain = (found) => new URL(found.url).hostname.endsWith(domain)
    return [ofDomain.web.every(isOfDomain), ofDomain.web.length, ofYear.web.length]
  },
  '@mendable/firecrawl-js, page text': async () => {
    const { web } = await firecrawl().search('tides', { limit: 2, scrapeOptions: { formats: ['markdown'] } })
    const { markdown, metadata } = await firecrawl().scrape(web[0].metadata?.sourceURL ?? web[0].url)
    return [markdown.length > 100, metadata.statusCode]
  },
  '@mendable/firecrawl-js, a search that nobody has asked before': async () => {
    const { web, warning } = await firecrawl().search(`climate ${Date.now()}`)
    return [web.length > 0, warning ?? '']
  },
  '@mendable/firecrawl-js, wrong key': () => firecrawl(WRONG).search('climate'),
  '@mendable/firecrawl-js, v1, wrong key': () => firecrawl(WRONG).v1.search('climate', {}),
  '@mendable/firecrawl-js, over its limit': async () => {
    for (let sent = 0; sent < 3; sent += 1) await firecrawl(limitedKey).search('climate')
  },
  '@mendable/firecrawl-js, a format that is not offered': () =>
    firecrawl().scrape('https://harbour-gazette.example/stories/tides', { formats: ['screenshot'] }),
  '@mendable/firecrawl-js, crawl': () => firecrawl().startCrawl('https://harbour-gazette.example/'),
  '@mendable/firecrawl-js, v1, crawl': () => firecrawl().v1.crawlUrl('https://harbour-gazette.example/', {}),
  '@modelcontextprotocol/client, 2025': () => newClient('legacy'),
  '@modelcontextprotocol/client, either': () => newClient('auto'),
  '@modelcontextprotocol/client, 2026': () => newClient({ pin: '2026-07-28' }),
  '@modelcontextprotocol/sdk': () =>
    overMcp(new OldClient(INFO), new OldHttpTransport(new URL(`${url}/mcp`), { requestInit: { headers } })),
  '@modelcontextprotocol/sdk, key in the path': () =>
    overMcp(new OldClient(INFO), new OldHttpTransport(new URL(`${url}/k/${pathKey}/mcp`))),
  '@ai-sdk/mcp': async () => {
    const client = await createMCPClient({ transport: { type: 'http', url: `${url}/mcp`, headers } })
    const tools = await client.tools()
    const found = await tools.search.execute({ query: 'climate' }, { toolCallId: '1', messages: [] })
    await client.close()
    return [Object.keys(tools), firstLine(found)]
  },
  '@ai-sdk/mcp, wrong key': () =>
    createMCPClient({ transport: { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${WRONG}` } } }),
  '@langchain/mcp-adapters': async () => {
    const client = new MultiServerMCPClient({ mcpServers: { here: { transport: 'http', url: `${url}/mcp`, headers } } })
    const tools = await client.getTools()
    const found = await tools.find(({ name }) => name === 'search').invoke({ query: 'climate' })
    await client.close()
    return [tools.map(({ name }) => name), found.split('\n', 1)[0]]
  },
  'mcp-remote': () =>
    throughProgram([`${modules}/mcp-remote/dist/proxy.js`, `${url}/mcp`, '--header', PLACEHOLDER, '--allow-http'], {
      AUTH: `Bearer ${key}`,
    }),
  // With `--strict` it fails on a schema that some client could not read.
  '@modelcontextprotocol/inspector': async () => [
    names(await inspector('--method', 'tools/list', '--strict')),
    firstLine(await inspector('--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=climate')),
  ],
  'bowerbird mcp': () => throughProgram([bowerbird, 'mcp', '--url', url], { BOWERBIRD_KEY: key }),
  'bowerbird mcp, address in a variable': () =>
    throughProgram([bowerbird, 'mcp'], { BOWERBIRD_URL: url, BOWERBIRD_KEY: key }),
  'bowerbird mcp, wrong key': () => throughProgram([bowerbird, 'mcp', '--url', url], { BOWERBIRD_KEY: WRONG }),
}

const outcome = async ([name, ask]) => {
  try {
    return [name, await ask()]
  } catch (error) {
    return [name, `failed: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const { ONLY } = process.env
const asked = Object.entries(CLIENTS).filter(([name]) => ONLY === undefined || name === ONLY)
const outcomes = Object.fromEntries(await Array.fromAsync(asked, outcome))
process.stdout.write(JSON.stringify(outcomes), () => process.exit())
