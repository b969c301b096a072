// LibreChat's own web search, as it builds it from its settings: prints the addresses that it found, and how many pages it
// has read. Run in the folder where `@librechat/agents` is installed. Arguments: the instance's address, a key, and
// `searxng` or `tavily`.
import process from 'node:process'
import { createSearchTool } from '@librechat/agents'

const [, , url, key, provider] = process.argv
const ignore = () => undefined
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

const search = createSearchTool({
  searchProvider: provider,
  searxngInstanceUrl: `${url}/searxng`,
  searxngApiKey: key,
  tavilyApiKey: key,
  tavilySearchUrl: `${url}/tavily/search`,
  tavilyExtractUrl: `${url}/tavily/extract`,
  scraperProvider: 'tavily',
  rerankerType: 'none',
  topResults: 3,
  logger: silent,
})

const call = { name: 'web_search', args: { query: 'climate' }, id: '1', type: 'tool_call' }
const { content, artifact } = await search.invoke(call)
const { organic = [], error } = artifact.web_search
// What it makes of a page that it has read stands under this line.
const read = content.split('\n## Highlights\n').length - 1
const outcome = { links: organic.map(({ link }) => link), read, error }
process.stdout.write(JSON.stringify(outcome), () => process.exit())
