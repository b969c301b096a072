// `bowerbird mcp`: offers the tools of a running instance to a program on this machine that starts its MCP servers
// itself and talks to them over standard input and output. It forwards calls to the instance's own `/mcp`, with a key,
// so scopes, limits and usage are the same as everywhere.
import type { Command } from 'commander'
import { VERSION } from '../config/version.ts'
import { Refusal } from '../errors.ts'
import type { CliHost } from './cli-host.ts'
import { addExamples } from './command-parts.ts'

const DEFAULT_URL = 'http://127.0.0.1:8080'
const TIMEOUT_MS = 60_000

interface Remote {
  url: string
  key: string
}

export function addMcpCommand(program: Command, host: CliHost): void {
  const mcp = program
    .command('mcp')
    .summary('offer a running instance to a local agent, over MCP')
    .description(
      'Speak MCP on standard input and output, and pass every call on to a running instance. The API key comes from the BOWERBIRD_KEY variable, so that no list of processes shows it, and the address may come from BOWERBIRD_URL.',
    )
    .option('--url <address>', `where the instance is (default: BOWERBIRD_URL, PUBLIC_URL, or ${DEFAULT_URL})`)
    .action(async ({ url }: { url?: string }) => {
      const key = process.env['BOWERBIRD_KEY']
      if (!key) throw new Refusal('parameter_invalid', 'Set BOWERBIRD_KEY to an API key of the instance.')
      const address = url ?? (process.env['BOWERBIRD_URL'] || host.publicUrl || DEFAULT_URL)
      if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
        throw new Refusal('parameter_invalid', 'Give an http or https address as --url or BOWERBIRD_URL.')
      await serveRemote({ url: `${address.replace(/\/+$/, '')}/mcp`, key })
    })
  addExamples(mcp, ['bowerbird mcp', 'bowerbird mcp --url https://search.example.org'])
}

/** Resolves when the agent closes its end. */
async function serveRemote(remote: Remote): Promise<void> {
  const [{ Server }, { serveStdio }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ])
  const ended = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  const connection = serveStdio(() => {
    const server = new Server(
      { name: 'bowerbird', title: 'Bowerbird', version: VERSION },
      { capabilities: { tools: {} } },
    )
    // The instance's own MCP server produced these results.
    server.setRequestHandler('tools/list', async () => {
      const listed = await call(remote, 'tools/list', {})
      if ('refusal' in listed) throw new Error(listed.refusal)
      return listed.result as never
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const called = await call(remote, 'tools/call', params)
      if ('result' in called) return called.result as never
      // A model can read this and tell its user. A protocol error would not reach the model.
      return { isError: true, content: [{ type: 'text' as const, text: called.refusal }] }
    })
    return server
  })
  await ended
  await connection.close()
}

type Answer = { result: unknown } | { refusal: string }

const UNREACHABLE = 'The instance cannot be reached. Check the address and whether it is running.'
const NO_INSTANCE = 'There is no Bowerbird instance at this address.'

/** Calls the instance as a client of the 2025 protocol, whose requests need no state here. */
async function call({ url, key }: Remote, method: string, params: unknown): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return readAnswer(await response.text())
  } catch (error) {
    return { refusal: error instanceof SyntaxError ? NO_INSTANCE : UNREACHABLE }
  }
}

/** Parses one event of a stream, or plain JSON. */
function readAnswer(text: string): Answer {
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  if (result !== undefined) return { result }
  return { refusal: typeof error?.message === 'string' ? error.message : NO_INSTANCE }
}
