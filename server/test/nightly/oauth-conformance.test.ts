// The protocol's own conformance suite, for the authorization server: its metadata, and a grant that a person gives in the
// browser, which is the test's part.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { installClients } from '../support/installed-clients.ts'
import { choosePort, decide, registerClient, signIn } from '../support/oauth-walk.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const PATIENCE_MS = 240_000
const PASSWORD = 'correct horse battery'

let server: TestInstance
let suite: string

beforeAll(async () => {
  const installing = installClients(inject('temporaryFolder'))
  const port = await choosePort()
  server = await startTestInstance({ PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port) })
  suite = join(await installing, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
}, PATIENCE_MS)
afterAll(() => server?.close())

/** Opens what the suite asks a person to open, and says yes there. */
async function consent(asked: string): Promise<void> {
  await createUser(server.instance.services.access, { username: 'grace', password: PASSWORD })
  const browser = await signIn(server.url, 'grace', PASSWORD)
  const { pathname, search } = new URL(asked)
  await fetch(await decide(browser, pathname + search))
}

it(
  'every scenario for an authorization server passes',
  async () => {
    const port = await choosePort()
    const redirect = `http://127.0.0.1:${port}/callback`
    const client = await registerClient(server.url, 'The suite', redirect)
    const resource = `${server.url}/mcp`
    const args = ['--url', server.url, '--client-id', client, '--resource', resource, '--port', String(port)]
    const running = spawn(process.execPath, [suite, 'authorization', ...args])
    let output = ''
    let consenting: Promise<void> | undefined
    running.stdout.on('data', (piece: Buffer) => {
      output += piece.toString()
      const asked = /http:\S+\/oauth\/authorize\?\S+(?=\s)/.exec(output)?.[0]
      if (asked !== undefined) consenting ??= consent(asked)
    })
    running.stderr.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
    const status = await new Promise((ended) => {
      running.once('close', ended)
    })
    await consenting
    expect([status, output]).toEqual([0, expect.stringContaining('authorization-code-grant')])
    expect(output).toContain('authorization-server-metadata-endpoint')
    expect(output).not.toMatch(/SKIPPED|FAILURE|[1-9]\d* failed/)
  },
  PATIENCE_MS,
)
