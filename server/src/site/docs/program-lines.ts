// The exact lines that point a program at this instance, for the connect page. `docs/connect/README.md` says of each
// whether it was run. `<API_KEY>` is for the reader to fill in: no page shows a key twice.
import { ADDRESS_MARK, type Scope } from '../../keys/scopes.ts'

export interface ProgramLines {
  name: string
  /** Where the lines belong: a file, a setting, a command. */
  place: string
  lines: string
  /** What a key for it needs. */
  scopes: readonly Scope[]
}

export const KEY_PLACEHOLDER = '<API_KEY>'

const EVERYTHING: readonly Scope[] = ['search', 'maps', 'translate', 'answers']
const SEARCH: readonly Scope[] = ['search', 'answers']
const IN_URL: readonly Scope[] = ['search', ADDRESS_MARK]

const json = (value: unknown): string => JSON.stringify(value, undefined, 2)
const BEARER = `Bearer ${KEY_PLACEHOLDER}`
const HEADERS = { Authorization: BEARER }

/** Programs that cannot send a header are left out unless this instance takes keys in a URL. */
export const programsFor = (url: string, arePathKeysOn: boolean): ProgramLines[] => [
  ...agents(`${url}/mcp`),
  ...applications(url),
  ...(arePathKeysOn ? withoutHeaders(url) : []),
]

const agents = (url: string): ProgramLines[] => {
  const servers = (server: object) => json({ mcpServers: { bowerbird: server } })
  const agent = (name: string, place: string, lines: string) => ({ name, place, lines, scopes: EVERYTHING })
  const bridge = {
    command: 'npx',
    args: ['mcp-remote', url, '--header', `Authorization:\${AUTH}`],
    env: { AUTH: BEARER },
  }
  const input = { id: 'key', type: 'promptString', description: 'API key', password: true }
  const vscode = { type: 'http', url, headers: { Authorization: `Bearer \${input:key}` } }
  return [
    agent(
      'Claude Code',
      'shell',
      `claude mcp add --transport http bowerbird ${url} \\\n  --header "Authorization: ${BEARER}"`,
    ),
    agent('Claude Desktop', 'claude_desktop_config.json', servers(bridge)),
    agent('Cursor', '~/.cursor/mcp.json', servers({ url, headers: HEADERS })),
    agent('VS Code', '.vscode/mcp.json', json({ servers: { bowerbird: vscode }, inputs: [input] })),
    agent(
      'Codex',
      '~/.codex/config.toml',
      `[mcp_servers.bowerbird]\nurl = "${url}"\nhttp_headers = { Authorization = "${BEARER}" }`,
    ),
    agent('Gemini CLI', '~/.gemini/settings.json', servers({ httpUrl: url, headers: HEADERS })),
    agent(
      'opencode',
      'opencode.json',
      json({ mcp: { bowerbird: { type: 'remote', url, headers: HEADERS, oauth: false } } }),
    ),
    agent('LM Studio', 'mcp.json', servers({ url, headers: HEADERS })),
  ]
}

const applications = (url: string): ProgramLines[] => {
  const searxng = `${url}/searxng`
  const application = (name: string, place: string, lines: string) => ({ name, place, lines, scopes: SEARCH })
  const webui = `ENABLE_WEB_SEARCH=true\nWEB_SEARCH_ENGINE=external\nEXTERNAL_WEB_SEARCH_URL=${url}/openwebui/search\nEXTERNAL_WEB_SEARCH_API_KEY=${KEY_PLACEHOLDER}`
  const community = `new SearxngSearch({\n  apiBase: '${searxng}',\n  params: { format: 'json' },\n  headers: { Authorization: '${BEARER}' },\n})`
  const python = `SearxSearchWrapper(\n  searx_host="${searxng}",\n  headers={"Authorization": "${BEARER}"},\n)`
  const streamable = json({ mcpServers: { bowerbird: { type: 'streamable', url: `${url}/mcp`, headers: HEADERS } } })
  return [
    application('Open WebUI', 'environment', webui),
    application('LibreChat', 'environment', `SEARXNG_INSTANCE_URL=${searxng}\nSEARXNG_API_KEY=${KEY_PLACEHOLDER}`),
    application('LangChain JS', '@langchain/community', community),
    application('LangChain Python', 'langchain_community', python),
    application(
      'LlamaIndex',
      'llama-index-tools-mcp',
      `BasicMCPClient(\n  "${url}/mcp",\n  headers={"Authorization": "${BEARER}"},\n)`,
    ),
    application('Tavily', '@tavily/core', `tavily({ apiKey: '${KEY_PLACEHOLDER}', apiBaseURL: '${url}/tavily' })`),
    application('LiteLLM', 'environment', `SEARXNG_API_BASE=${searxng}\nSEARXNG_API_KEY=${KEY_PLACEHOLDER}`),
    application('Flowise', 'SearXNG', `${searxng}\n${json(HEADERS)}`),
    application('Cherry Studio', 'SearXNG', `${searxng}\nkey\n${KEY_PLACEHOLDER}`),
    application('AnythingLLM', 'anythingllm_mcp_servers.json', streamable),
    application('n8n', 'MCP Client, HTTP Streamable, Bearer', `${url}/mcp\n${KEY_PLACEHOLDER}`),
  ]
}

const withoutHeaders = (url: string): ProgramLines[] => {
  const keyed = `${url}/k/${KEY_PLACEHOLDER}`
  const program = (name: string, place: string, lines: string) => ({ name, place, lines, scopes: IN_URL })
  return [
    program('Vane', 'environment', `SEARXNG_API_URL=${keyed}/searxng`),
    program('LobeChat', 'environment', `SEARXNG_URL=${keyed}/searxng`),
    program('Home Assistant', 'Model Context Protocol', `${keyed}/mcp`),
    program('n8n', 'SearXNG', `${keyed}/searxng`),
  ]
}
