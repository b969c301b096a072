// The exact lines that point a program at this instance, for the Connect pages and for `docs/connect/`, which states for
// each program whether it was run. `<API_KEY>` is replaced by the reader, or by a key created for the program.
import { DEFAULT_SCOPES, READ_SCOPE, type Scope, URL_KEY_SCOPE } from '../../keys/scopes.ts'

export type ProgramKind = 'agent' | 'application' | 'browser'

export interface ProgramLines {
  /** Used in the URL of its page. */
  slug: string
  kind: ProgramKind
  name: string
  /** Where the lines belong: a file, a setting, a command. */
  place: string
  /** As they are in a file or a shell, or `label: value` for the fields of a form. */
  lines: string
  /** The scopes that its key needs; none for a browser, whose user is signed in, and for a program that its user signs in with. */
  scopes: readonly Scope[]
}

type UnsluggedProgram = Omit<ProgramLines, 'slug'>

/** The URL of this instance, and the key to use. */
interface Target {
  url: string
  key: string
}

export const KEY_PLACEHOLDER = '<API_KEY>'

/** Every tool of `/mcp`, reading the pages that were found included. */
const MCP_SCOPES: readonly Scope[] = [...DEFAULT_SCOPES, READ_SCOPE]
const APPLICATION_SCOPES: readonly Scope[] = ['search', 'answers']
const TAVILY_SCOPES: readonly Scope[] = [...APPLICATION_SCOPES, READ_SCOPE]
const FIRECRAWL_SCOPES: readonly Scope[] = ['search', READ_SCOPE]
const URL_KEY_SCOPES: readonly Scope[] = ['search', URL_KEY_SCOPE]

const json = (value: unknown): string => JSON.stringify(value, undefined, 2)

/** Leaves out programs that can't send a header, unless this instance accepts keys in URLs. */
export const programsFor = (url: string, areUrlKeysOn: boolean, key = KEY_PLACEHOLDER): ProgramLines[] =>
  [
    ...agents({ url, key }),
    ...applications({ url, key }),
    ...(areUrlKeysOn ? programsWithoutHeaders({ url, key }) : []),
    ...browsers(url),
  ].map((program) => ({ ...program, slug: slugOf(program.name) }))

/** The names of the programs that `programsFor` leaves out, by what they would need. */
export function hiddenPrograms(url: string, areUrlKeysOn: boolean): Record<'https' | 'urlKeys', string[]> {
  const shown = new Set(programsFor(url, areUrlKeysOn).map(({ slug }) => slug))
  const hidden = programsFor('https://host', true).filter(({ slug }) => !shown.has(slug))
  const [urlKeys, https] = [true, false].map((needsUrlKey) =>
    hidden.filter(({ scopes }) => scopes.includes(URL_KEY_SCOPE) === needsUrlKey).map(({ name }) => name),
  )
  return { https: https ?? [], urlKeys: urlKeys ?? [] }
}

/** What runs on a reader's machine with their key is a version that our tests have run. */
export const MCP_REMOTE_VERSION = '0.15.1'

/** Makes programs of one kind, whose keys need the same scopes. */
const programOf =
  (kind: ProgramKind, scopes: readonly Scope[]) =>
  (name: string, place: string, lines: string): UnsluggedProgram => ({ kind, name, place, lines, scopes })

const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z\d]+/g, '-')

const agents = ({ url: base, key }: Target): UnsluggedProgram[] => {
  const url = `${base}/mcp`
  const bearer = `Bearer ${key}`
  const headers = { Authorization: bearer }
  const servers = (server: object) => json({ mcpServers: { bowerbird: server } })
  const agent = programOf('agent', MCP_SCOPES)
  const signingIn = programOf('agent', [])
  const bridge = {
    command: 'npx',
    args: [`mcp-remote@${MCP_REMOTE_VERSION}`, url, '--header', `Authorization:\${AUTH}`],
    env: { AUTH: bearer },
  }
  const input = { id: 'key', type: 'promptString', description: 'API key', password: true }
  const vscode = { type: 'http', url, headers: { Authorization: `Bearer \${input:key}` } }
  const codex = `[mcp_servers.bowerbird]\nurl = "${url}"\nhttp_headers = { Authorization = "${bearer}" }`
  const opencode = json({ mcp: { bowerbird: { type: 'remote', url, headers, oauth: false } } })
  const code = `claude mcp add --transport http bowerbird ${url} \\\n  --header "Authorization: ${bearer}"`
  return [
    agent('Claude Code', 'shell', code),
    agent('Claude Desktop', 'claude_desktop_config.json', servers(bridge)),
    agent('Cursor', '~/.cursor/mcp.json', servers({ url, headers })),
    agent('VS Code', '.vscode/mcp.json', json({ servers: { bowerbird: vscode }, inputs: [input] })),
    agent('Codex', '~/.codex/config.toml', codex),
    agent('Gemini CLI', '~/.gemini/settings.json', servers({ httpUrl: url, headers })),
    agent('opencode', 'opencode.json', opencode),
    agent('LM Studio', 'mcp.json', servers({ url, headers })),
    // Nobody else's servers can sign in to an instance without https.
    ...(base.startsWith('https://')
      ? [
          signingIn('claude.ai', 'Settings → Connectors → Add custom connector', `URL: ${url}`),
          signingIn('ChatGPT', 'Settings → Connectors', `URL: ${url}\nAuthentication: OAuth`),
        ]
      : []),
  ]
}

const applications = ({ url, key }: Target): UnsluggedProgram[] => {
  const searxng = `${url}/searxng`
  const bearer = `Bearer ${key}`
  const headers = { Authorization: bearer }
  const application = programOf('application', APPLICATION_SCOPES)
  const mcpApplication = programOf('application', MCP_SCOPES)
  const tavilyClient = programOf('application', TAVILY_SCOPES)
  const firecrawlClient = programOf('application', FIRECRAWL_SCOPES)
  const firecrawl = `new Firecrawl({ apiKey: '${key}', apiUrl: '${url}/firecrawl' })`
  const webui = `ENABLE_WEB_SEARCH=true\nWEB_SEARCH_ENGINE=external\nEXTERNAL_WEB_SEARCH_URL=${url}/openwebui/search\nEXTERNAL_WEB_SEARCH_API_KEY=${key}`
  const community = `new SearxngSearch({\n  apiBase: '${searxng}',\n  params: { format: 'json' },\n  headers: { Authorization: '${bearer}' },\n})`
  const python = `SearxSearchWrapper(\n  searx_host="${searxng}",\n  headers={"Authorization": "${bearer}"},\n)`
  const llamaindex = `BasicMCPClient(\n  "${url}/mcp",\n  headers={"Authorization": "${bearer}"},\n)`
  const n8n = `Endpoint: ${url}/mcp\nServer Transport: HTTP Streamable\nAuthentication: Bearer Auth\nBearer Token: ${key}`
  const streamable = json({ mcpServers: { bowerbird: { type: 'streamable', url: `${url}/mcp`, headers } } })
  return [
    application('Open WebUI', 'environment', webui),
    application('LibreChat', 'environment', `SEARXNG_INSTANCE_URL=${searxng}\nSEARXNG_API_KEY=${key}`),
    application('LangChain JS', '@langchain/community', community),
    application('LangChain Python', 'langchain_community', python),
    mcpApplication('LlamaIndex', 'llama-index-tools-mcp', llamaindex),
    tavilyClient('Tavily', '@tavily/core', `tavily({ apiKey: '${key}', apiBaseURL: '${url}/tavily' })`),
    firecrawlClient('Firecrawl', '@mendable/firecrawl-js', firecrawl),
    application('Google Custom Search', 'JSON API', `URL: ${url}/google/customsearch/v1\nX-Goog-Api-Key: ${key}`),
    firecrawlClient('Hermes', 'environment', `FIRECRAWL_API_URL=${url}/firecrawl\nFIRECRAWL_API_KEY=${key}`),
    firecrawlClient(
      'OpenClaw',
      'plugins.entries.firecrawl.config.webSearch',
      `baseUrl: ${url}/firecrawl\napiKey: ${key}`,
    ),
    application('DeepSeek Harness', 'dsh-searxng', `baseURL: ${searxng}\nauthHeader: ${bearer}`),
    firecrawlClient('Khoj', 'environment', `FIRECRAWL_API_URL=${url}/firecrawl\nFIRECRAWL_API_KEY=${key}`),
    firecrawlClient('Dify', 'Firecrawl', `Base URL: ${url}/firecrawl\nAPI Key: ${key}`),
    firecrawlClient('deer-flow', 'config.yaml', `base_url: ${url}/firecrawl\napi_key: ${key}`),
    firecrawlClient('agno', 'agno.tools.firecrawl', `FirecrawlTools(api_key="${key}", api_url="${url}/firecrawl")`),
    application('LiteLLM', 'environment', `SEARXNG_API_BASE=${searxng}\nSEARXNG_API_KEY=${key}`),
    application('LiteLLM interception', 'config.yaml', interceptionOf(searxng, key)),
    application('Flowise', 'SearXNG API', `Base URL: ${searxng}\nHeaders: ${JSON.stringify(headers)}`),
    application('Cherry Studio', 'SearXNG', `API address: ${searxng}\nUser name: key\nPassword: ${key}`),
    mcpApplication('AnythingLLM', 'anythingllm_mcp_servers.json', streamable),
    mcpApplication('n8n', 'MCP Client', n8n),
  ]
}

/** LiteLLM answers a model's own web search with ours. */
const interceptionOf = (searxng: string, key: string): string => `search_tools:
  - search_tool_name: bowerbird
    litellm_params:
      search_provider: searxng
      api_base: ${searxng}
      api_key: ${key}
litellm_settings:
  callbacks: ["websearch_interception"]
  websearch_interception_params:
    enabled_providers: ["bedrock"]
    search_tool_name: bowerbird`

const programsWithoutHeaders = ({ url, key }: Target): UnsluggedProgram[] => {
  const keyed = `${url}/k/${key}`
  const program = programOf('application', URL_KEY_SCOPES)
  return [
    program('Vane', 'environment', `SEARXNG_API_URL=${keyed}/searxng`),
    program('Morphic', 'environment', `SEARCH_API=searxng\nSEARXNG_API_URL=${keyed}/searxng`),
    program('Onyx', 'SearXNG', `SearXNG Base URL: ${keyed}/searxng`),
    program('gpt-researcher', 'environment', `RETRIEVER=searx\nSEARX_URL=${keyed}/searxng`),
    program('LobeChat', 'environment', `SEARXNG_URL=${keyed}/searxng`),
    program('Home Assistant', 'Model Context Protocol', `Server URL: ${keyed}/mcp`),
    program('n8n SearXNG', 'SearXNG', `API URL: ${keyed}/searxng`),
  ]
}

const browsers = (url: string): UnsluggedProgram[] => {
  const browser = programOf('browser', [])
  const lines = `${url}/search?q=%s`
  return [
    browser('Firefox', 'Settings → Search → Add', lines),
    browser('Chrome', 'chrome://settings/searchEngines', lines),
  ]
}
