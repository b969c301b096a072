// The small instance: one process, no PostgreSQL, no Redis, a folder. It is administered while running, and however it
// ends, the next start finds everything.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { type ApiReply, createApiClient } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { bowerbird, type ServerProcess, startServerProcess } from '../support/server-process.ts'

const parts = new AsyncDisposableStack()
let sandbox: Sandbox
let settings: Record<string, string>
let server: ServerProcess | undefined
let key: string

beforeAll(async () => {
  sandbox = await startSandbox()
  parts.defer(() => sandbox.close())
  const folder = await mkdtemp(join(tmpdir(), 'bb-small-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  settings = { ...sandboxSettings((slug) => sandbox.urlOf(slug)), DATA_DIR: join(folder, 'data') }
  parts.defer(async () => server?.stop('SIGKILL'))
  await start()
})
afterAll(() => parts.disposeAsync())

const start = async () => {
  server = await startServerProcess(settings)
}

async function command(args: string[], input?: string) {
  const { code, stdout, stderr } = await bowerbird([...args, '--json'], settings, input)
  expect(stderr).toBe(`Data: ${settings['DATA_DIR']} (built-in database)\n`)
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

async function get(path: string, usedKey = key): Promise<ApiReply> {
  const api = await createApiClient(server?.url ?? '')
  return await api.get(path, { key: usedKey })
}

const searchesOf = async (usedKey = key): Promise<number> => (await get('/api/v1/usage/', usedKey)).json.searches

// The tests below run in order, as one story.
describe('an instance in a folder', () => {
  it('is administered while it runs, and a new key works immediately', async () => {
    await command(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery\n')
    key = (await command(['key', 'create', 'ada', '--name', 'laptop'])).key
    const reply = await get('/api/v1/web/?q=climate')
    expect(reply.status).toBe(200)
    expect(reply.json.engine).toEqual(['engine_a', 'engine_b', 'engine_c'])
  })

  it('a revocation takes effect immediately', async () => {
    const other = (await command(['key', 'create', 'ada'])).key
    expect((await get('/api/v1/', other)).status).toBe(200)
    await command(['key', 'revoke', other])
    expect((await get('/api/v1/', other)).status).toBe(401)
  })

  it('a disabled account gets 403 immediately, and 200 once it is enabled', async () => {
    await command(['user', 'disable', 'ada'])
    expect((await get('/api/v1/')).status).toBe(403)
    await command(['user', 'enable', 'ada'])
    expect((await get('/api/v1/')).status).toBe(200)
  })

  it('a second server on the same folder is refused and disturbs nothing', async () => {
    await expect(startServerProcess(settings)).rejects.toThrow(/in use by another process/)
    expect((await get('/api/v1/')).status).toBe(200)
  })

  it('shuts down cleanly on SIGTERM, and the next start has the users, keys and usage', async () => {
    for (let i = 0; i < 4; i++) await get(`/api/v1/web/?q=search-${i}`)
    expect(await searchesOf()).toBe(5)
    await server?.stop('SIGTERM')
    expect(server?.process.exitCode).toBe(0)
    await start()
    expect(await searchesOf()).toBe(5)
    expect((await command(['user', 'list'])).users).toMatchObject([{ username: 'ada', state: 'active' }])
    expect((await command(['key', 'list', 'ada'])).keys).toMatchObject([
      { name: 'laptop', state: 'active' },
      { name: '', state: 'revoked' },
    ])
  })

  it('starts again after SIGKILL without intervention, with everything that was written', async () => {
    expect((await get('/api/v1/web/?q=climate')).status).toBe(200)
    // Usage is written once a second; a killed process loses what it counted since.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await server?.stop('SIGKILL')
    await start()
    expect(await eventually(async () => (await searchesOf()) === 6, 1_000)).toBe(true)
    expect((await get('/api/v1/web/?q=climate')).status).toBe(200)
  })

  it('is also administered while it is stopped', async () => {
    await server?.stop()
    const { key: offline } = await command(['key', 'create', 'ada', '--name', 'offline'])
    await start()
    expect((await get('/api/v1/key/', offline)).json.name).toBe('offline')
  })
})
