// A home server outgrows its folder: it is backed up while running and restored into PostgreSQL, with keys, accounts
// and usage, by the commands in docs/operate/upgrade-and-backup.md.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { pathTo } from '../support/install-story.ts'
import { blocksRunBy, openPageShell, type PageShell } from '../support/page-commands.ts'
import { startPrivateRedis } from '../support/private-redis.ts'
import { bowerbird, type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { createEmptyDatabase } from '../support/temporary-database.ts'

const BOWERBIRD = resolve(import.meta.dirname, '../../src/bowerbird.ts')
const WRITTEN_MS = 10_000

const execute = promisify(execFile)

const parts = new AsyncDisposableStack()
let sandbox: Sandbox
let folder: string
let home: Record<string, string>
let team: Record<string, string>
let server: ServerProcess
let key: string
let shell: PageShell
const [backUp, restore, listMigrations] = blocksRunBy('docs/operate/upgrade-and-backup.md', 'move-to-postgres')

beforeAll(async () => {
  sandbox = await startSandbox()
  parts.defer(() => sandbox.close())
  folder = await mkdtemp(join(tmpdir(), 'bb-move-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const database = await createEmptyDatabase()
  parts.defer(() => database.drop())
  const redis = await startPrivateRedis()
  parts.defer(() => redis.remove())
  const common = { ...sandboxSettings((slug) => sandbox.urlOf(slug)), SEARCH_TIMEOUT_MS: '10000' }
  home = { ...common, DATA_DIR: await createDataFolder() }
  team = { ...common, DATABASE_URL: database.url, REDIS_URL: redis.url }
  server = await startServerProcess(home)
  parts.defer(() => server.stop('SIGKILL'))
  shell = await openPageShell({
    cwd: folder,
    env: { ...home, PATH: await pathTo(folder) },
    replacements: { 'postgres://bowerbird:…@db.example.org:5432/bowerbird': database.url },
  })
  parts.defer(() => shell.close())
})
afterAll(() => parts.disposeAsync())

async function command(args: string[], settings: Record<string, string>, input?: string) {
  const { code, stdout, stderr } = await bowerbird([...args, '--json'], settings, input)
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Data: .*\n$/) })
  return JSON.parse(stdout)
}

const get = async (path: string) => await fetch(server.url + path, { headers: { authorization: `Api-Key ${key}` } })

const searches = async (): Promise<unknown> => {
  const usage = await (await get('/api/v1/usage/')).json()
  return Object(usage).searches
}

async function output(args: string[], settings: Record<string, string>): Promise<Buffer> {
  const env = { PATH: process.env['PATH'], ...settings }
  return (await execute(process.execPath, [BOWERBIRD, ...args], { env, encoding: 'buffer' })).stdout
}

// The tests below run in order, as one story.
describe('a home server that moves to PostgreSQL', () => {
  it('makes a backup while it runs', async () => {
    await command(['user', 'create', 'ada', '--password-stdin'], home, 'correct horse battery\n')
    ;({ key } = await command(['key', 'create', 'ada'], home))
    for (const query of ['one', 'two', 'three']) expect((await get(`/api/v1/web/?q=${query}`)).status).toBe(200)
    // Usage is written about once a second.
    const isWritten = async () => {
      const path = join(folder, `try-${performance.now()}`)
      await command(['backup', path], home)
      return gunzipSync(await readFile(path)).includes('"counted":3')
    }
    expect(await eventually(isWritten, WRITTEN_MS)).toBe(true)
    expect(await shell.run(backUp?.commands ?? '')).toMatch(/Backed up \d+ rows/)
  })

  it('writes a backup to standard output as well, running or stopped', async () => {
    const running = await output(['backup', '-'], home)
    expect(gunzipSync(running).toString()).toMatch(/"username":"ada".*\{"end":true\}\n$/s)
    expect(await readdir(home['DATA_DIR'] ?? '')).not.toContainEqual(expect.stringContaining('backup'))
    const stopped = await output(['backup', '-', '--force'], team)
    expect(gunzipSync(stopped).toString()).toMatch(/\{"end":true\}\n$/)
  })

  it('cannot be restored over while it runs', async () => {
    const { code, stderr } = await bowerbird(['restore', join(folder, 'home.backup'), '--force'], home)
    expect(code).toBe(1)
    expect(stderr).toContain('Stop it before you restore a backup.')
  })

  it('is restored into PostgreSQL, and its key works there', async () => {
    await server.stop()
    expect(await shell.run(restore?.commands ?? '')).toMatch(/Restored \d+ rows/)
    expect(await shell.run(listMigrations?.commands ?? '')).toContain('is_additive')
    server = await startServerProcess(team)
    expect(await searches()).toBe(3)
    expect((await get('/api/v1/web/?q=four')).status).toBe(200)
    const again = await bowerbird(['restore', join(folder, 'home.backup')], team)
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('add --force') })
  })

  it('can be moved back the same way', async () => {
    const path = join(folder, 'team.backup')
    await command(['backup', path], team)
    const fresh = { ...home, DATA_DIR: await createDataFolder() }
    await command(['restore', path], fresh)
    expect((await command(['user', 'list'], fresh)).users).toMatchObject([{ username: 'ada' }])
  })
})
