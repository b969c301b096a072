// Renders docs/connect/, one page per program, from the same lines that the website shows. Written here is only what
// the code doesn't know: what the program uses Bowerbird for, where its lines belong, how to check them, and whether
// they were tried.
import { URL_KEY_SCOPE } from '../../server/src/keys/scopes.ts'
import { MCP_REMOTE_VERSION, type ProgramLines, programsFor } from '../../server/src/site/docs/program-lines.ts'

/** `run with`: this version, against Bowerbird. `replayed`: its exact requests, without the program. */
type Checked = `run with ${string}` | 'replayed, not run' | 'from its source, not run'

interface OtherWay {
  title: string
  /** When to prefer it, and where the lines belong. */
  where: string
  lines: string
  checked: Checked
  notes?: readonly string[]
}

interface Facts {
  /** When to use this, in a sentence. */
  use: string
  /** Where the lines belong: a sentence before them that ends in a colon. */
  where: string
  notes?: readonly string[]
  /** How to see that it works. */
  check: string
  /** What goes wrong with this program in particular. */
  trouble?: string
  checked: Checked
  others?: readonly OtherWay[]
}

const SOURCE = 'from its source, not run'
const REPLAYED = 'replayed, not run'
const BEARER = 'Authorization: Bearer <key>'
const ASK = 'Ask: *Search the web for Bowerbird and read the first result.* It calls `search`, then `read`.'

const SIGN_IN =
  'The instance needs an https [`PUBLIC_URL`](../reference/settings.md#website) that the assistant’s servers can reach: they call it from their own network, so an instance at home or behind a VPN can’t be connected.'
const SIGN_IN_TROUBLE =
  'If the connection fails after you have allowed it, look for a firewall or bot rule in front of the instance that refuses `/mcp`, `/oauth/` or `/.well-known/`. *Settings → API keys* lists the connection like a key: it shows when it was last used, and revoking it ends the connection.'

const FACTS: Record<string, Facts> = {
  'claude-ai': {
    use: 'Lets Claude on the web, on the phone and on the desktop search with your instance and read the pages it finds, over MCP. You sign in on your instance; there is no key to copy.',
    where: 'Add a custom connector with this address:',
    notes: [SIGN_IN],
    check: ASK,
    trouble: SIGN_IN_TROUBLE,
    checked: SOURCE,
  },
  chatgpt: {
    use: 'Lets ChatGPT search with your instance and read the pages it finds, over MCP. You sign in on your instance; there is no key to copy.',
    where: 'Create a connector with this address:',
    notes: [
      SIGN_IN,
      'Deep research and company knowledge look for two tools in a form of their own, `search` and `fetch`. For them, use `https://host/mcp?shape=chatgpt` as the address. Without it ChatGPT gets every tool.',
    ],
    check: ASK,
    trouble: SIGN_IN_TROUBLE,
    checked: SOURCE,
  },
  hermes: {
    use: 'Gives Hermes Agent web search and the text of pages, as Firecrawl, which is what it uses by default.',
    where: 'Set these environment variables of Hermes:',
    notes: [
      'Its other providers work as well: `TAVILY_BASE_URL` with `https://host/tavily`, and `SEARXNG_URL`, which sends no header and so needs [a key in the URL](README.md#a-key-in-the-url). Its Brave provider has the address in its code.',
    ],
    check: 'Ask it to search the web and to summarise the first result.',
    trouble:
      'It reads only pages that a search with the same key has found in the last two hours. A key with the scope `read_any` reads other pages, too.',
    checked: SOURCE,
  },
  openclaw: {
    use: 'Gives OpenClaw web search and the text of pages, as Firecrawl.',
    where: 'In its configuration, as `plugins.entries.firecrawl.config.webSearch`:',
    notes: ['It calls an address without https only in a private network.'],
    check: 'Ask it to search the web.',
    checked: REPLAYED,
  },
  'deepseek-harness': {
    use: 'Gives DeepSeek Harness web search through your instance, with one of its plugins for SearXNG.',
    where: 'In the settings of the plugin `dsh-searxng`:',
    notes: [
      'There are several plugins for SearXNG, whose settings have other names. One that can send no header needs [a key in the URL](README.md#a-key-in-the-url). The harness is also a client of MCP: `https://host/mcp` with the header `Authorization: Bearer <key>`.',
    ],
    check: 'Ask it to search the web.',
    checked: SOURCE,
  },
  khoj: {
    use: 'Gives Khoj web search and the text of pages, as Firecrawl.',
    where: 'Set these environment variables of Khoj:',
    check: 'Ask a question with `/online`. The answer lists its sources.',
    trouble: 'Khoj writes errors of a search only to its log.',
    checked: REPLAYED,
    others: [
      {
        title: 'As SearXNG',
        where: 'It reads the page that `format=html` gives, and needs [a key in the URL](README.md#a-key-in-the-url):',
        lines: 'KHOJ_SEARXNG_URL=https://host/k/<key>/searxng',
        checked: REPLAYED,
      },
    ],
  },
  dify: {
    use: 'Gives workflows and agents in Dify search and the text of pages, with its Firecrawl tool.',
    where: 'In the credential of the Firecrawl tool:',
    notes: [
      'The Firecrawl *data source* can’t be connected: it tests a key by starting a crawl, and nothing here crawls.',
    ],
    check: 'Run the tool’s *search* once in a workflow.',
    trouble:
      'Dify doesn’t look at the status of a reply: an error is in the JSON that the workflow gets, under `error`.',
    checked: REPLAYED,
  },
  'deer-flow': {
    use: 'Gives deer-flow web search and the text of pages, as Firecrawl.',
    where: 'In the settings of its Firecrawl tools:',
    notes: [
      'Its SearXNG tool has a `base_url` as well. It sends no key, so it needs [a key in the URL](README.md#a-key-in-the-url).',
    ],
    check: 'Start a research task and look at its sources.',
    checked: SOURCE,
  },
  agno: {
    use: 'Gives an agent written with agno web search and the text of pages, as Firecrawl.',
    where: 'Where your program lists its tools:',
    notes: ['`TavilyTools` works, too: set `TAVILY_API_BASE_URL` to `https://host/tavily`.'],
    check: 'Ask the agent about recent news.',
    checked: SOURCE,
  },
  'litellm-interception': {
    use: 'Answers a model’s own web search with your instance: LiteLLM turns the `web_search` tool that Claude Code and others send into a search here.',
    where: 'Put this into the configuration of LiteLLM, with the providers of your models:',
    check: 'Ask Claude Code through LiteLLM to search the web. *Settings → API keys* shows that the key was used.',
    checked: SOURCE,
  },
  morphic: {
    use: 'Gives Morphic results from your instance, as SearXNG.',
    where: 'Set these environment variables of Morphic:',
    notes: [
      'It asks for pages and pictures at once, which counts as two searches, and only for those of the last year. Engines that can’t filter by date are then not asked.',
    ],
    check: 'Ask a question. The answer lists its sources.',
    checked: REPLAYED,
  },
  onyx: {
    use: 'Gives Onyx web search through your instance, as SearXNG.',
    where: 'Choose SearXNG as the search provider, and fill in:',
    notes: [
      'For the text of pages, add your instance as the [content provider Firecrawl](firecrawl.md#onyx) as well, with a key of its own.',
    ],
    check: 'Its own test of the connection passes.',
    trouble:
      'Onyx shows a sentence of its own for each error: *JSON format is not enabled* means that the key lacks the scope `search`, and *does not allow API requests* that a limit is reached.',
    checked: REPLAYED,
  },
  'gpt-researcher': {
    use: 'Gives gpt-researcher results from your instance, as SearXNG.',
    where: 'Set these environment variables:',
    notes: ['As a scraper it takes Firecrawl: `FIRECRAWL_SERVER_URL` with `https://host/firecrawl`.'],
    check: 'Start a report and look at its sources.',
    checked: SOURCE,
  },
  'claude-code': {
    use: 'Lets Claude Code search the web, read the pages it finds, and look up places, translations and instant answers, over MCP.',
    where: 'Run this in a terminal:',
    notes: ['It applies to the current project. `--scope user` applies it to all of your projects.'],
    check: '`claude mcp list` shows `bowerbird` as connected.',
    checked: 'run with Claude Code 2.1.325',
  },
  'claude-desktop': {
    use: 'Lets Claude Desktop search the web and read the pages it finds, over MCP.',
    where:
      'Open *Settings → Developer → Edit Config*. Put this into `claude_desktop_config.json` and restart Claude Desktop:',
    notes: [
      'Claude Desktop starts local servers only, so `mcp-remote` passes calls on to your instance. It needs Node.js on the same machine.',
      'Leave out the space after `Authorization:`. Some programs split arguments at spaces.',
    ],
    check: ASK,
    trouble: 'If the address begins with `http:`, add `--allow-http` to `args`; `mcp-remote` refuses it otherwise.',
    checked: `run with mcp-remote ${MCP_REMOTE_VERSION}, but not with Claude Desktop itself`,
    others: [
      {
        title: 'As a connector',
        where:
          'Connectors need no Node.js, but your instance must be reachable from the internet. Open *Settings → Connectors*, add a custom connector, and fill in:',
        lines: `URL: https://host/mcp\nHeader: ${BEARER}`,
        checked: SOURCE,
        notes: ['Not every account is offered the header field.'],
      },
    ],
  },
  cursor: {
    use: "Lets Cursor's agent search the web and read the pages it finds, over MCP.",
    where: 'Put this into `~/.cursor/mcp.json`, or into `.cursor/mcp.json` in a project:',
    notes: [`\`\${env:NAME}\` in place of the key reads it from the environment.`],
    check: `*Cursor Settings → MCP* lists \`bowerbird\` and its tools. ${ASK}`,
    checked: SOURCE,
  },
  'vs-code': {
    use: 'Lets agents in VS Code search the web and read the pages they find, over MCP.',
    where: 'Put this into `.vscode/mcp.json` in your project:',
    notes: ['VS Code asks for the key when it first starts the server, and remembers it.'],
    check: `Run *MCP: List Servers* from the command palette: \`bowerbird\` is running. ${ASK}`,
    checked: SOURCE,
  },
  codex: {
    use: 'Lets Codex search the web and read the pages it finds, over MCP.',
    where: 'Add this to `~/.codex/config.toml`:',
    notes: ['The setting is called `http_headers`. Codex ignores `headers`.'],
    check: `\`/mcp\` in Codex lists \`bowerbird\` and its tools. ${ASK}`,
    checked: SOURCE,
  },
  'gemini-cli': {
    use: 'Lets Gemini CLI search the web and read the pages it finds, over MCP.',
    where: 'Add this to `~/.gemini/settings.json`:',
    check: '`gemini mcp list` shows `bowerbird` as connected.',
    checked: 'run with Gemini CLI 0.61.0',
  },
  opencode: {
    use: 'Lets opencode search the web and read the pages it finds, over MCP.',
    where: 'Add this to `opencode.json` in your project:',
    check: '`opencode mcp list` shows `bowerbird` as connected.',
    trouble: 'Keep `"oauth": false`: with it, opencode reports a refused key as such.',
    checked: 'run with opencode 1.18.33',
  },
  'lm-studio': {
    use: 'Lets models in LM Studio search the web and read the pages they find, over MCP.',
    where: 'In LM Studio 0.3.17 or later, open *Program → Install → Edit mcp.json*, and put this in:',
    notes: ['To save context with a small model, offer it fewer tools: `https://host/mcp?tools=search,read`.'],
    check: ASK,
    checked: SOURCE,
  },
  'open-webui': {
    use: 'Gives Open WebUI web search through your instance. Use this way if people turn on web search in a chat; use the tools below if the model should decide when to search.',
    where:
      'Set these environment variables of Open WebUI. The same fields are under *Admin Panel → Settings → Web Search*, where the engine is called *external*:',
    check: 'Turn on web search in a chat and ask about recent news. The answer lists its sources.',
    trouble:
      "Open WebUI doesn't show errors of a search: a refused key looks like no results. The status of each request is in the log of your instance. Settings saved in the Admin Panel win over environment variables.",
    checked: REPLAYED,
    others: [
      {
        title: 'The text of pages',
        where:
          'By default, Open WebUI fetches the pages it finds itself. To have your instance fetch them, set these too. For `read` the key needs the scope `read`, which the one from *Connect* lacks: create one under *Settings → API keys*:',
        lines:
          'WEB_LOADER_ENGINE=external\nEXTERNAL_WEB_LOADER_URL=https://host/openwebui/load\nEXTERNAL_WEB_LOADER_API_KEY=<key>',
        checked: REPLAYED,
      },
      {
        title: 'As SearXNG',
        where: 'Use this with a version of Open WebUI that has no external web search:',
        lines: 'WEB_SEARCH_ENGINE=searxng\nSEARXNG_QUERY_URL=https://key:<key>@host/searxng/search',
        checked: REPLAYED,
      },
      {
        title: 'As tools, over OpenAPI',
        where:
          'The model decides when to search. Open *Admin Panel → Settings → External Tools*, add a connection of the type OpenAPI, and fill in:',
        lines: 'URL: https://host\nOpenAPI path: tools/openapi.json\nAuth: Bearer\nKey: <key>',
        checked: REPLAYED,
        notes: [
          'The tools are search, answer, cards, find_place, translate and suggest; and read, for a key with the scope `read`.',
        ],
      },
      {
        title: 'As tools, over MCP',
        where:
          'The same tools. Add a connection of the type MCP (Streamable HTTP). For `read` the key needs the scope `read`, which the one from *Connect* lacks: create one under *Settings → API keys*:',
        lines: 'URL: https://host/mcp\nAuth: Bearer\nKey: <key>',
        checked: SOURCE,
      },
    ],
  },
  librechat: {
    use: "Gives LibreChat's web search results from your instance, as SearXNG.",
    where: "Set these in LibreChat's `.env`:",
    check: 'Turn on web search in a chat and ask about recent news. The answer lists its sources.',
    trouble:
      'LibreChat refuses addresses in private networks unless `allowedAddresses` in the `webSearch` section of `librechat.yaml` lists them.',
    checked: 'run with @librechat/agents 3.9.2',
    others: [
      {
        title: 'As Tavily, with the text of pages',
        where:
          'LibreChat needs a scraper to read pages. This way, your instance is both. The key needs the scope `read`, which the one from *Connect* lacks: create one under *Settings → API keys*. In `librechat.yaml`:',
        lines:
          'webSearch:\n  searchProvider: tavily\n  scraperProvider: tavily\n  rerankerType: none\n  tavilyApiKey: <key>\n  tavilySearchUrl: https://host/tavily/search\n  tavilyExtractUrl: https://host/tavily/extract',
        checked: 'run with @librechat/agents 3.9.2',
      },
    ],
  },
  'langchain-js': {
    use: 'Gives a LangChain program in JavaScript or TypeScript a search tool. Prefer MCP, below, if it should also read pages.',
    where: 'With `SearxngSearch` from `@langchain/community`:',
    check: "`await tool.invoke('climate')` returns results.",
    trouble: "It gives up after 5 seconds. Keep the instance's `SEARCH_TIMEOUT_MS` below 4500.",
    checked: 'run with @langchain/community 1.1.29',
    others: [
      {
        title: 'As Tavily',
        where: 'With `TavilySearch` from `@langchain/tavily`, if your program uses Tavily already:',
        lines: "new TavilySearch({ tavilyApiKey: '<key>', apiBaseUrl: 'https://host/tavily' })",
        checked: 'run with @langchain/tavily 1.2.0',
      },
      {
        title: 'Over MCP',
        where:
          'With `MultiServerMCPClient` from `@langchain/mcp-adapters`. The key needs the scope `read` to read pages:',
        lines:
          "new MultiServerMCPClient({\n  mcpServers: {\n    bowerbird: {\n      transport: 'http',\n      url: 'https://host/mcp',\n      headers: { Authorization: 'Bearer <key>' },\n    },\n  },\n})",
        checked: 'run with @langchain/mcp-adapters 1.1.4',
      },
    ],
  },
  'langchain-python': {
    use: 'Gives a LangChain program in Python a search tool.',
    where: 'With `SearxSearchWrapper` from `langchain_community`:',
    check: '`wrapper.run("climate")` returns text.',
    trouble:
      'If there is an instant answer, `run` returns that instead of results. A key without the scope `answers` prevents it.',
    checked: REPLAYED,
  },
  llamaindex: {
    use: 'Gives a LlamaIndex program in Python every tool of your instance, over MCP.',
    where: 'With `BasicMCPClient` from `llama-index-tools-mcp`:',
    check: '`await client.list_tools()` lists `search` and `read`.',
    checked: SOURCE,
  },
  tavily: {
    use: "Points a program that uses Tavily's own client, `@tavily/core`, at your instance. `search` and `extract` work.",
    where: 'Where your program creates the client:',
    check: "`await client.search('climate')` returns results.",
    trouble:
      '`extract` reads only pages that a search with the same key has found in the last two hours. The key has to be in the `Authorization` header, where the client sends it; one so old that it sends `api_key` in the body gets a 401.',
    checked: 'run with @tavily/core 0.7.13',
  },
  firecrawl: {
    use: "Points a program that uses Firecrawl's own client at your instance. `search` and `scrape` work, in v2 and v1; crawling, mapping and extraction don't, and say so.",
    where: 'Where your program creates the client:',
    notes: ['Without `apiUrl`, the client reads the address from the environment variable `FIRECRAWL_API_URL`.'],
    check: "`await client.search('climate')` returns results.",
    trouble:
      '`scrape` reads only pages that a search with the same key has found in the last two hours. `warning` in a reply says what is missing from it.',
    checked: 'run with @mendable/firecrawl-js 4.42.0',
    others: [
      {
        title: 'In Python',
        where: 'The same with `firecrawl-py`, which agno, gpt-researcher, Hermes and LangChain use:',
        lines: 'Firecrawl(api_key="<key>", api_url="https://host/firecrawl")',
        checked: SOURCE,
      },
      {
        title: 'Open WebUI',
        where: 'As a search engine and as the loader of pages. Set these environment variables:',
        lines:
          'WEB_SEARCH_ENGINE=firecrawl\nWEB_LOADER_ENGINE=firecrawl\nFIRECRAWL_API_BASE_URL=https://host/firecrawl\nFIRECRAWL_API_KEY=<key>',
        checked: SOURCE,
      },
      {
        title: 'LobeChat',
        where: 'Its address ends in the version:',
        lines: 'SEARCH_PROVIDERS=firecrawl\nFIRECRAWL_URL=https://host/firecrawl/v2\nFIRECRAWL_API_KEY=<key>',
        checked: SOURCE,
      },
      {
        title: 'LiteLLM',
        where: 'It asks for the text of pages with every search, and each page counts as one request:',
        lines: 'FIRECRAWL_API_BASE=https://host/firecrawl/v2\nFIRECRAWL_API_KEY=<key>',
        checked: SOURCE,
      },
      {
        title: 'OpenClaw',
        where: 'In `plugins.entries.firecrawl.config.webSearch`:',
        lines: 'baseUrl: https://host/firecrawl\napiKey: <key>',
        checked: SOURCE,
      },
      {
        title: 'AnythingLLM',
        where: 'As fastCRW. It drops the path of the address:',
        lines: 'AGENT_CRW_API_URL=https://host\nAGENT_CRW_API_KEY=<key>',
        checked: SOURCE,
      },
      {
        title: 'Khoj',
        where: 'Set these environment variables of Khoj:',
        lines: 'FIRECRAWL_API_URL=https://host/firecrawl\nFIRECRAWL_API_KEY=<key>',
        checked: SOURCE,
      },
      {
        title: 'Onyx',
        where: 'As the content provider *Firecrawl*. Its address is the whole one for reading pages:',
        lines: 'Base URL: https://host/firecrawl/v2/scrape\nAPI Key: <key>',
        checked: SOURCE,
      },
      {
        title: 'Cherry Studio',
        where:
          'Under *Settings → Web Search → Firecrawl*. It asks for the text of pages with every search, and each page counts as one request:',
        lines: 'API address: https://host/firecrawl\nAPI key: <key>',
        checked: SOURCE,
      },
      {
        title: 'n8n',
        where: 'In the credential of the Firecrawl nodes. Only *Search* and *Scrape* work:',
        lines: 'Base URL: https://host/firecrawl/v2\nAPI Key: <key>',
        checked: SOURCE,
      },
      {
        title: 'Dify',
        where:
          "In the credential of the Firecrawl tool. The Firecrawl data source can't be connected: it tests a key by starting a crawl:",
        lines: 'Base URL: https://host/firecrawl\nAPI Key: <key>',
        checked: SOURCE,
      },
    ],
  },
  'google-custom-search': {
    use: "Google ends the Custom Search JSON API on 1 January 2027. Your code keeps running: change the host, and send your instance's key.",
    where: 'In place of `https://www.googleapis.com/customsearch/v1` and of its key:',
    notes: [
      'A key in the query string (`key=…`) is never read, and `cx` is ignored. A program that can send no header takes the key in the path, `https://host/k/<key>/google/customsearch/v1`: that needs [`URL_KEYS=on`](../reference/settings.md#website) and a key with the scope `address`. LiteLLM has `GOOGLE_PSE_API_BASE` for that address.',
      'Results are those of your own engines, so they aren’t Google’s unless one of them is. `totalResults` says only that there is another page to look at.',
    ],
    check: '`curl -H "X-Goog-Api-Key: <key>" "https://host/google/customsearch/v1?q=climate"` returns `items`.',
    trouble:
      'A 400 that says *This is not offered here* names a filter that no engine here can hold, such as `exactTerms` or `fileType`. Write it into `q` instead, as `"…"` or `filetype:…`, if your engines understand that.',
    checked: REPLAYED,
  },
  litellm: {
    use: "Gives LiteLLM's search endpoint results from your instance, as SearXNG.",
    where: 'Set these environment variables of LiteLLM:',
    check: "A request to LiteLLM's search endpoint with the provider `searxng` returns results.",
    checked: REPLAYED,
  },
  flowise: {
    use: 'Gives an agent in Flowise a search tool.',
    where:
      'Add the tool *SearXNG API* to your flow, and fill in its fields (*Headers* is under *Additional Parameters*):',
    check: 'Ask the agent in the chat about recent news.',
    checked: SOURCE,
  },
  'cherry-studio': {
    use: 'Gives Cherry Studio web search through your instance, as SearXNG.',
    where: 'Open *Settings → Web Search*, choose *SearXNG*, and fill in:',
    check: 'Press *Check* next to the address, then turn on web search in a chat.',
    checked: REPLAYED,
    others: [
      {
        title: 'As Tavily',
        where: 'The same under *Settings → Web Search → Tavily*:',
        lines: 'API address: https://host/tavily\nAPI key: <key>',
        checked: SOURCE,
      },
    ],
  },
  anythingllm: {
    use: 'Lets agents in AnythingLLM search the web and read the pages they find, over MCP.',
    where: 'Put this into `plugins/anythingllm_mcp_servers.json` in its storage folder:',
    check: '*Agent Skills → MCP Servers* lists `bowerbird`. In a chat, ask `@agent` to search the web.',
    trouble: 'It reads the file when it starts, so restart it after a change.',
    checked: SOURCE,
    others: [
      {
        title: 'As SearXNG',
        where:
          'Use this if your version has no MCP. It needs [a key in the URL](README.md#a-key-in-the-url), which AnythingLLM shows to the model when a request fails:',
        lines: 'AGENT_SEARXNG_API_URL=https://host/k/<key>/searxng/search',
        checked: REPLAYED,
      },
    ],
  },
  n8n: {
    use: 'Gives an AI Agent in n8n every tool of your instance, over MCP.',
    where: 'Connect an *MCP Client* tool to the agent, and fill in:',
    check: 'Open *Tools to Include* in the node: it lists `search` and `read`.',
    checked: SOURCE,
  },
  vane: {
    use: 'Gives Vane (formerly Perplexica) results from your instance, as SearXNG.',
    where: 'Set this environment variable of Vane:',
    check: 'Ask a question. The answer lists its sources.',
    checked: REPLAYED,
  },
  lobechat: {
    use: 'Gives LobeChat web search through your instance, as SearXNG.',
    where: 'Set this environment variable of LobeChat:',
    check: 'Turn on web search in a chat and ask about recent news.',
    checked: REPLAYED,
  },
  'home-assistant': {
    use: "Lets Home Assistant's assistants search the web, over MCP.",
    where: 'Open *Settings → Devices & services → Add integration*, choose *Model Context Protocol*, and fill in:',
    notes: [
      'The integration sends no key in a header, so the key is in the URL. Such a key can search and nothing else.',
    ],
    check: 'Turn on the tools of `bowerbird` for your assistant, and ask it to search the web.',
    trouble: "It waits 10 seconds for a reply. The instance's `SEARCH_TIMEOUT_MS` must be well below that.",
    checked: SOURCE,
  },
  'n8n-searxng': {
    use: "Gives n8n's SearXNG tool results from your instance. Prefer the [MCP Client](n8n.md), which sends the key in a header and can read pages.",
    where: 'Create a credential of the type *SearXNG*, and fill in:',
    check: 'Run the SearXNG tool of an agent once.',
    checked: REPLAYED,
  },
  firefox: {
    use: "Makes your instance a search engine in Firefox's address bar.",
    where:
      'Open the home page of your instance, signed in, and choose *Add search engine* from the menu of the address bar. Or open *Settings → Search → Search Shortcuts → Add*, and use this URL:',
    check: 'Choose it as the default search engine, and search from the address bar.',
    trouble:
      'Suggestions need no cookie: the description that Firefox adds contains a token for them, which ends with the session. If they stop, add the search engine again.',
    checked: SOURCE,
  },
  chrome: {
    use: "Makes your instance a search engine in Chrome's and Chromium's address bar.",
    where:
      'Open the home page of your instance, signed in. The site is then listed at `chrome://settings/searchEngines` under *Site search*. Or add it there with this URL:',
    check: 'Choose *Make default*, and search from the address bar.',
    trouble:
      'Suggestions need no cookie: the description that Chrome adds contains a token for them, which ends with the session. If they stop, open the home page again.',
    checked: 'run with Chromium 156',
  },
}

const PROGRAMS = programsFor('https://host', true, '<key>')

/** File name → content. */
export function connectDocuments(): Map<string, string> {
  const strangers = Object.keys(FACTS).filter((slug) => !PROGRAMS.some((program) => program.slug === slug))
  if (strangers.length > 0)
    throw new Error(`connect-documents.ts describes programs that are gone: ${strangers.join(', ')}`)
  return new Map(PROGRAMS.map((program) => [`${program.slug}.md`, pageOf(program)]))
}

function factsOf({ slug }: ProgramLines): Facts {
  const facts = FACTS[slug]
  if (!facts) throw new Error(`say in connect-documents.ts whether the lines for ${slug} were tried`)
  return facts
}

function pageOf(program: ProgramLines): string {
  const { use, where, notes = [], check, trouble, checked, others = [] } = factsOf(program)
  const paragraphs = [
    `# ${program.name}`,
    '<!-- Generated by npm run docs. -->',
    use,
    '## Set it up',
    ...keySteps(program),
    where,
    block(program.lines),
    ...notes,
    verdictOf(checked),
    '## Check it',
    check,
    '## If it fails',
    ...(trouble === undefined ? [] : [trouble]),
    ...generalTrouble(program),
    ...others.flatMap((other) => [
      `## ${other.title}`,
      other.where,
      block(other.lines),
      ...(other.notes ?? []),
      verdictOf(other.checked),
    ]),
    'All programs: [connecting programs](README.md).',
  ]
  return `${paragraphs.join('\n\n')}\n`
}

const block = (lines: string): string => `\`\`\`text\n${lines}\n\`\`\``

function keySteps({ kind, name, lines, scopes }: ProgramLines): string[] {
  const host = 'Replace `https://host` with the address of your instance'
  if (scopes.length === 0 && kind === 'agent')
    return [
      `${host}. No key is needed: you are sent to your instance, where you sign in and choose what the program may do.`,
    ]
  if (scopes.length === 0) return [`${host}. No key is needed: the browser uses the account you are signed in with.`]
  const names = scopes.map((scope) => `\`${scope}\``).join(', ')
  const hasKey = lines.includes('<key>')
  const filledIn = hasKey ? 'your address and that key' : 'your address'
  const byHand = hasKey ? `${lowerFirst(host)}, and \`<key>\` with the key` : lowerFirst(host)
  const steps = [
    `On your instance, *Settings → Connect → ${name}* creates a key for it, with the scopes ${names}, and shows the lines below with ${filledIn} filled in. To do it by hand: ${byHand}.`,
  ]
  if (scopes.includes(URL_KEY_SCOPE))
    steps.push(
      'The instance needs [`URL_KEYS=on`](../reference/settings.md#website). Read [a key in the URL](README.md#a-key-in-the-url) first: proxies may log it.',
    )
  return steps
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function generalTrouble({ kind, scopes }: ProgramLines): string[] {
  if (kind === 'browser' || scopes.length === 0) return []
  const inUrl = scopes.includes(URL_KEY_SCOPE)
    ? ' A 404 means that `URL_KEYS` is off, or that the path after the key is wrong.'
    : ''
  const tools = scopes.includes('read') && kind === 'agent' ? ' If a tool is missing, the key lacks its scope.' : ''
  return [
    `*Settings → API keys* shows when this key was last used. If it never was, the address or the key is wrong.${tools}${inUrl}`,
  ]
}

function verdictOf(checked: Checked): string {
  if (checked === SOURCE)
    return "*Not verified: the lines come from the program's source or documentation. We haven't run it with Bowerbird, and menus and fields may have other names.*"
  if (checked === REPLAYED)
    return "*Partly verified: we sent its exact requests to Bowerbird. We haven't run the program itself, so menus and fields may have other names.*"
  return `*Verified: ${checked}.*`
}

/** The table of all programs. */
export const connectTable = (): string =>
  [
    '| program | where its lines go | checked |',
    '|---|---|---|',
    ...PROGRAMS.map(
      (program) => `| [${program.name}](${program.slug}.md) | ${placeOf(program)} | ${factsOf(program).checked} |`,
    ),
  ].join('\n')

/** A file, a package, a menu, or the fields of a form. */
function placeOf({ place }: ProgramLines): string {
  if (place === 'shell') return 'a command in a terminal'
  if (place === 'environment') return 'environment variables'
  if (/[./@_-]/.test(place)) return `\`${place}\``
  return place.includes(' → ') ? `*${place}*` : `the fields of *${place}*`
}
