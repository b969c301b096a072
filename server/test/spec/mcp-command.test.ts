// `bowerbird mcp`, as an agent starts it: messages of JSON-RPC, one a line, on standard input and output. The package's
// own client is run by `nightly/compat-clients.test.ts`.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, vi } from 'vitest'
import { runCommandHere } from '../support/command-here.ts'
import { useSharedInstance } from '../support/shared-instance.ts'

const COMMAND = resolve(import.meta.dirname, '../../bowerbird.js')
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

const server = useSharedInstance()

interface Agent {
  program: ChildProcessWithoutNullStreams
  // Tests read results of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: as said above
  ask: (method: string, params: object) => Promise<any>
}

function startAgent(env: Record<string, string>): Agent {
  const program = spawn(process.execPath, [COMMAND, 'mcp'], { env: { PATH: process.env['PATH'], ...env } })
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  let id = 0
  return {
    program,
    async ask(method, params) {
      id += 1
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      const { value } = await lines.next()
      const message = JSON.parse(value ?? 'null')
      expect(message?.id).toBe(id)
      return message
    },
  }
}

describe('bowerbird mcp', () => {
  it('lists and calls the tools of the instance in BOWERBIRD_URL, and ends with its input', async () => {
    const { program, ask } = startAgent({ BOWERBIRD_URL: `${server.url}/`, BOWERBIRD_KEY: server.key })
    expect((await ask('initialize', INITIALIZE)).result.serverInfo.name).toBe('bowerbird')
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    const { tools } = (await ask('tools/list', {})).result
    expect(tools.map(({ name }: { name: string }) => name)).toContain('search')
    const { content } = (await ask('tools/call', { name: 'search', arguments: { query: 'climate' } })).result
    expect(content[0].text).toMatch(/^\d+ results for "climate" · web · complete\n\[1\] /)
    program.stdin.end()
    expect((await once(program, 'exit'))[0]).toBe(0)
  })

  it('a wrong key is explained to the model', async () => {
    const { program, ask } = startAgent({ BOWERBIRD_URL: server.url, BOWERBIRD_KEY: 'wrong' })
    await ask('initialize', INITIALIZE)
    const { result } = await ask('tools/call', { name: 'search', arguments: { query: 'climate' } })
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining('not a valid API key')])
    program.stdin.end()
    await once(program, 'exit')
  })

  it.each([
    ['without a key', { BOWERBIRD_URL: 'http://localhost', BOWERBIRD_KEY: undefined }, 'Set BOWERBIRD_KEY'],
    ['with an address that is none', { BOWERBIRD_URL: 'nonsense', BOWERBIRD_KEY: 'x' }, 'as --url or BOWERBIRD_URL'],
  ])('%s it says what to do', async (_, env, sentence) => {
    for (const name of ['BOWERBIRD_URL', 'BOWERBIRD_KEY'] as const) vi.stubEnv(name, env[name])
    try {
      expect(await runCommandHere(['mcp'], {})).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(sentence),
      })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
