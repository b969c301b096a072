// What the clients hand to their programs in one situation. Prints one JSON object, by client. Arguments: the situation, the
// instance's address, a key, a query, and a domain to leave out. A client that has no such thing is left out.
import process from 'node:process'
import { SearxngSearch } from '@langchain/community/tools/searxng_search'
import Firecrawl from '@mendable/firecrawl-js'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { tavily } from '@tavily/core'

const [, , situation, url, key, query, domain] = process.argv

const isOutside = (address) => !new URL(address).hostname.endsWith(domain)
const counted = ({ length }) => (length === 1 ? '1 result' : `${length} results`)
const found = (addresses, note = '') => counted(addresses) + (note && `; ${note}`)
/** What a search with a limit, a domain to leave out and dates has found. */
const filtered = (addresses) => (addresses.every(isOutside) ? found(addresses) : 'results of the domain')
const text = (page) => (page.length > 100 ? 'the text of the page' : 'nothing')
const urls = (results) => results.map((result) => result.url)

const firecrawl = () => new Firecrawl({ apiKey: key, apiUrl: `${url}/firecrawl` })
const searxng = (params = {}) =>
  new SearxngSearch({
    apiBase: `${url}/searxng`,
    params: { format: 'json', ...params },
    headers: { Authorization: `Bearer ${key}` },
  })
const listed = async (search) => JSON.parse(`[${await search.invoke(query)}]`).map(({ link }) => link)

async function overMcp(name, args) {
  const client = new Client({ name: 'compat-clients', version: '1' })
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  try {
    const { isError, content } = await client.callTool({ name, arguments: args })
    if (isError) throw new Error(content[0].text)
    return content[0].text
  } finally {
    await client.close()
  }
}

const addressesIn = (answer) => [...answer.matchAll(/^ {4}(https?:\S+)/gm)].map(([, address]) => address)
const lastLine = (answer) => answer.slice(answer.lastIndexOf('\n') + 1)

const CLIENTS = {
  '@mendable/firecrawl-js': {
    search: async () => {
      const { web, warning } = await firecrawl().search(query)
      return found(urls(web), warning)
    },
    filters: async () =>
      filtered(urls((await firecrawl().search(query, { limit: 3, excludeDomains: [domain], tbs: 'qdr:y' })).web)),
    page: async () => {
      const { web } = await firecrawl().search(query, { limit: 1 })
      return text((await firecrawl().scrape(web[0].url)).markdown)
    },
  },
  '@mendable/firecrawl-js, v1': {
    search: async () => {
      const { data, warning } = await firecrawl().v1.search(query, {})
      return found(urls(data), warning)
    },
    // It passes no domains on.
    filters: async () => found(urls((await firecrawl().v1.search(query, { limit: 3, tbs: 'qdr:y' })).data)),
    page: async () => {
      const { data } = await firecrawl().v1.search(query, { limit: 1 })
      return text((await firecrawl().v1.scrapeUrl(data[0].url, { formats: ['markdown'] })).markdown)
    },
  },
  '@tavily/core': {
    search: async () => found(urls((await tavily({ apiKey: key, apiBaseURL: `${url}/tavily` }).search(query)).results)),
    filters: async () => {
      const options = { maxResults: 3, excludeDomains: [domain], timeRange: 'year' }
      return filtered(urls((await tavily({ apiKey: key, apiBaseURL: `${url}/tavily` }).search(query, options)).results))
    },
    page: async () => {
      const options = { maxResults: 1, includeRawContent: 'markdown' }
      const { results } = await tavily({ apiKey: key, apiBaseURL: `${url}/tavily` }).search(query, options)
      return text(results[0].rawContent)
    },
  },
  '@langchain/community': {
    search: async () => found(await listed(searxng())),
    // Its API has no domains.
    filters: async () => found(await listed(searxng({ numResults: 3, time_range: 'year' }))),
  },
  '@modelcontextprotocol/client': {
    search: async () => {
      const answer = await overMcp('search', { query, limit: 5 })
      return found(addressesIn(answer), lastLine(answer))
    },
    filters: async () =>
      filtered(
        addressesIn(await overMcp('search', { query, limit: 3, exclude_domains: [domain], time_range: 'year' })),
      ),
    page: async () => {
      const [address] = addressesIn(await overMcp('search', { query, limit: 1 }))
      return text(await overMcp('read', { url: address }))
    },
  },
}

async function show(ask) {
  try {
    return await ask()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const shown = {}
for (const [name, asks] of Object.entries(CLIENTS)) {
  const ask = asks[situation]
  if (ask) shown[name] = await show(ask)
}
process.stdout.write(JSON.stringify(shown), () => process.exit())
