// The release that `npm run build` makes behaves like the source, on a data folder and on PostgreSQL and Redis.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createApiClient } from '../support/api-client.ts'
import { onFreePort } from '../support/on-free-port.ts'
import { startPrivateRedis } from '../support/private-redis.ts'
import { bowerbird, startServerProcess } from '../support/server-process.ts'
import { createTemporaryDatabase } from '../support/temporary-database.ts'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../..')
const RELEASE = resolve(ROOT, 'dist/bowerbird.js')
const TEST_MS = 120_000

const parts = new AsyncDisposableStack()
let sandbox: Sandbox
let folder: string
beforeAll(async () => {
  await execute(process.execPath, [resolve(ROOT, 'server/build.ts')], { cwd: ROOT })
  sandbox = await startSandbox()
  parts.defer(() => sandbox.close())
  folder = await mkdtemp(join(tmpdir(), 'bb-release-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
}, TEST_MS)
afterAll(() => parts.disposeAsync())

async function expectService(stores: Record<string, string>): Promise<void> {
  const { settings, server, adminUrl } = await onFreePort(async (port) => {
    const providers = sandboxSettings((slug) => sandbox.urlOf(slug))
    const pages = { READER_PROXY_URL: sandbox.pagesUrl, SEARCH_TIMEOUT_MS: '10000' }
    const all = { ...providers, ...pages, ...stores, ADMIN_PORT: String(port) }
    return {
      settings: all,
      server: await startServerProcess(all, [], RELEASE),
      adminUrl: `http://127.0.0.1:${port}`,
    }
  })
  try {
    const command = async (args: string[], input = '') =>
      JSON.parse((await bowerbird([...args, '--json'], settings, input)).stdout)
    await command(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery\n')
    const { key } = await command(['key', 'create', 'ada', '--scopes', 'search,answers,read,read_any'])
    const api = await createApiClient(server.url)
    const search = await api.get('/api/v1/web/?q=climate', { key })
    expect([search.status, search.json.engine]).toEqual([200, ['engine_a', 'engine_b', 'engine_c']])
    // Each of these comes from a separate file: the reader's process, the answers' data, a style sheet, the thread of
    // the health checks.
    const address = encodeURIComponent('https://harbour-gazette.example/stories/tides')
    const read = await api.get(`/api/v1/read/?url=${address}`, { key })
    expect([read.status, read.json.title]).toEqual([200, 'stories tides'])
    const instant = await api.get('/api/v1/instant/?q=public%20holidays%20germany', { key })
    expect(instant.json.type).toBe('public_holidays')
    const page = await (await fetch(`${server.url}/login`)).text()
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await fetch(new URL(style, server.url))).headers.get('content-type')).toContain('text/css')
    expect((await fetch(`${adminUrl}/livez`)).status).toBe(200)
  } finally {
    await server.stop()
  }
}

it('has the pages that messages of the program name', async () => {
  const sources = await Promise.all(
    ['operate/doctor/diagnose.ts', 'operate/start-failure.ts'].map((file) =>
      readFile(resolve(ROOT, 'server/src', file), 'utf8'),
    ),
  )
  const pages = [...sources.join().matchAll(/docs\/[\w/-]+\.md/g)].map(([page]) => page)
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(await readFile(resolve(ROOT, 'dist', page), 'utf8')).toMatch(/^# /)
})

it('runs on a data folder alone', async () => await expectService({ DATA_DIR: join(folder, 'data') }), TEST_MS)

it(
  'runs on PostgreSQL and Redis',
  async () => {
    const database = await createTemporaryDatabase()
    parts.defer(() => database.drop())
    const redis = await startPrivateRedis()
    parts.defer(() => redis.remove())
    await expectService({ DATABASE_URL: database.url, REDIS_URL: redis.url })
  },
  TEST_MS,
)

it('is a package with the dependencies of the server and its libraries, whose program reports its version', async () => {
  const read = async (path: string) => JSON.parse(await readFile(resolve(ROOT, path), 'utf8'))
  const [published, server] = [await read('dist/package.json'), await read('server/package.json')]
  const libraries = await Promise.all(['engines', 'answers', 'reader'].map((name) => read(`${name}/package.json`)))
  const all = Object.assign({}, server.dependencies, ...libraries.map((library) => library.dependencies))
  const dependencies = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('@bowerbird/')))
  expect(published).toMatchObject({ name: 'bowerbird', version: server.version, bin: { bowerbird: 'bowerbird.js' } })
  expect(published.dependencies).toEqual(dependencies)
  expect((await execute(RELEASE, ['--version'])).stdout.trim()).toBe(server.version)
})
