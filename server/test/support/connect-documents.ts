// Renders docs/connect/, one page per program, from the same lines that the website shows. Written here is only what
// the code doesn't know: whether the lines were tried, and further notes.
import { URL_KEY_SCOPE } from '../../src/keys/scopes.ts'
import { type ProgramLines, programsFor } from '../../src/site/docs/program-lines.ts'

/** `run with`: this version, against Bowerbird. `replayed`: its exact requests, without the program. */
type Checked = `run with ${string}` | 'replayed, not run' | 'from its source, not run'

interface OtherWay {
  title: string
  lines: string
  checked: Checked
  notes?: readonly string[]
}

interface Facts {
  checked: Checked
  notes?: readonly string[]
  others?: readonly OtherWay[]
}

const SOURCE = 'from its source, not run'
const REPLAYED = 'replayed, not run'
const BEARER = 'Authorization: Bearer <key>'

const FACTS: Record<string, Facts> = {
  'claude-code': {
    checked: 'run with Claude Code 2.1.325',
    notes: ['`claude mcp list` then says whether it is connected.'],
  },
  'claude-desktop': {
    checked: 'run with mcp-remote 0.15.1',
    notes: [
      'There is no space after `Authorization:`, because some programs split arguments at spaces. For an address that begins with `http:`, add `--allow-http` to `args`.',
    ],
    others: [
      {
        title: 'As a connector',
        lines: `Settings → Connectors\nhttps://host/mcp\n${BEARER}`,
        checked: SOURCE,
      },
    ],
  },
  cursor: { checked: SOURCE, notes: [`\`\${env:NAME}\` in place of the key reads it from the environment.`] },
  'vs-code': { checked: SOURCE, notes: ['It asks for the key when the server is first used, and keeps it.'] },
  codex: { checked: SOURCE, notes: ['It ignores `headers`; the setting is called `http_headers`.'] },
  'gemini-cli': {
    checked: 'run with Gemini CLI 0.61.0',
    notes: ['`gemini mcp list` then says whether it is connected.'],
  },
  opencode: {
    checked: 'run with opencode 1.18.33',
    notes: [
      '`opencode mcp list` then says whether it is connected. With `"oauth": false` a refused key is reported as such.',
    ],
  },
  'lm-studio': { checked: SOURCE, notes: ['From version 0.3.17.'] },
  'open-webui': {
    checked: REPLAYED,
    notes: ['It shows no errors of a search: if nothing is found, look at *Settings → Connect → Test it*.'],
    others: [
      {
        title: 'As SearXNG',
        lines: 'WEB_SEARCH_ENGINE=searxng\nSEARXNG_QUERY_URL=https://key:<key>@host/searxng/search',
        checked: REPLAYED,
      },
      {
        title: 'As tools, over OpenAPI',
        lines: 'https://host\ntools/openapi.json\nBearer <key>',
        checked: REPLAYED,
      },
      { title: 'As tools, over MCP', lines: 'https://host/mcp\nBearer <key>', checked: SOURCE },
    ],
  },
  librechat: {
    checked: 'run with @librechat/agents 3.9.2',
    notes: ['It refuses private hosts unless `allowedAddresses` in its `webSearch` settings lists them.'],
    others: [
      {
        title: 'As Tavily, with the text of pages',
        lines:
          'webSearch:\n  searchProvider: tavily\n  scraperProvider: tavily\n  rerankerType: none\n  tavilyApiKey: <key>\n  tavilySearchUrl: https://host/tavily/search\n  tavilyExtractUrl: https://host/tavily/extract',
        checked: 'run with @librechat/agents 3.9.2',
        notes: ['The key needs the scope `read` too.'],
      },
    ],
  },
  'langchain-js': {
    checked: 'run with @langchain/community 1.1.29',
    others: [
      {
        title: 'As Tavily',
        lines: "new TavilySearch({ tavilyApiKey: '<key>', apiBaseUrl: 'https://host/tavily' })",
        checked: 'run with @langchain/tavily 1.2.0',
      },
      {
        title: 'Over MCP',
        lines:
          "new MultiServerMCPClient({\n  mcpServers: {\n    bowerbird: {\n      transport: 'http',\n      url: 'https://host/mcp',\n      headers: { Authorization: 'Bearer <key>' },\n    },\n  },\n})",
        checked: 'run with @langchain/mcp-adapters 1.1.4',
      },
    ],
  },
  'langchain-python': { checked: REPLAYED, notes: ['If there is an instant answer, it gives that and no results.'] },
  llamaindex: { checked: SOURCE },
  tavily: { checked: 'run with @tavily/core 0.7.13' },
  litellm: { checked: REPLAYED },
  flowise: { checked: SOURCE, notes: ["The SearXNG node's *Base URL* and *Headers*."] },
  'cherry-studio': {
    checked: REPLAYED,
    notes: ['Address, user name and password, in this order.'],
    others: [{ title: 'As Tavily', lines: 'https://host/tavily\n<key>', checked: SOURCE }],
  },
  anythingllm: {
    checked: SOURCE,
    others: [
      {
        title: 'As SearXNG',
        lines: 'AGENT_SEARXNG_API_URL=https://host/k/<key>/searxng/search',
        checked: REPLAYED,
      },
    ],
  },
  n8n: { checked: SOURCE },
  vane: { checked: REPLAYED },
  lobechat: { checked: REPLAYED },
  'home-assistant': { checked: SOURCE, notes: ['It sends no header, and waits 10 seconds for a reply.'] },
  'n8n-searxng': {
    checked: REPLAYED,
    notes: ["The credential of n8n's SearXNG node. Prefer its [MCP Client](n8n.md), which sends a header."],
  },
  firefox: {
    checked: SOURCE,
    notes: [
      'Or open the home page, signed in, and add the site from the menu of the address bar.',
      'Suggestions need no cookie: the description that the browser adds has a token for them, which ends with the session.',
    ],
  },
  chrome: {
    checked: 'run with Chromium 156',
    notes: [
      'There is no need to type it: after a visit to the home page, signed in, the site is in the list under *Site search*.',
      'Suggestions need no cookie: the description that the browser adds has a token for them, which ends with the session.',
    ],
  },
}

const PROGRAMS = programsFor('https://host', true, '<key>')

/** File name → content. */
export const connectDocuments = (): Map<string, string> =>
  new Map(PROGRAMS.map((program) => [`${program.slug}.md`, pageOf(program)]))

export const factsWithoutProgram = (): string[] =>
  Object.keys(FACTS).filter((slug) => !PROGRAMS.some((program) => program.slug === slug))

function factsOf({ slug }: ProgramLines): Facts {
  const facts = FACTS[slug]
  if (!facts) throw new Error(`say in connect-documents.ts whether the lines for ${slug} were tried`)
  return facts
}

function pageOf(program: ProgramLines): string {
  const { name, place, lines } = program
  const { checked, notes = [], others = [] } = factsOf(program)
  const paragraphs = [
    `# ${name}`,
    `<!-- Made by tools/make-connect-docs.ts. -->`,
    `In: ${place}`,
    block(lines),
    `Checked: ${checked}.`,
    aboutKey(program),
    ...notes,
    ...others.flatMap((other) => [
      `## ${other.title}`,
      block(other.lines),
      `Checked: ${other.checked}.`,
      ...(other.notes ?? []),
    ]),
    'All programs: [connecting programs](README.md).',
  ]
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`
}

const block = (lines: string): string => `\`\`\`text\n${lines}\n\`\`\``

function aboutKey({ scopes }: ProgramLines): string {
  if (scopes.length === 0) return 'Replace `https://host` with the address of your instance.'
  const names = scopes.map((scope) => `\`${scope}\``).join(', ')
  const isInUrl = scopes.includes(URL_KEY_SCOPE)
  const warning =
    ' The instance needs [`URL_KEYS=on`](../reference/settings.md#website); read [a key in the URL](README.md#a-key-in-the-url) first.'
  return `Replace \`https://host\` with the address of your instance, and \`<key>\` with an API key that has the scopes ${names}. *Settings → Connect* on your instance does both.${isInUrl ? warning : ''}`
}

/** The table of all programs. */
export const connectTable = (): string =>
  [
    '| program | where | checked |',
    '|---|---|---|',
    ...PROGRAMS.map(
      (program) => `| [${program.name}](${program.slug}.md) | ${program.place} | ${factsOf(program).checked} |`,
    ),
  ].join('\n')
