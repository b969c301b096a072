// What people install: the package that `npm run build` makes, packed, and installed with its dependencies into an empty
// folder with no workspace above it. Its commands and the demo run on the oldest Node.js that it promises and on the one
// that is pinned here, the rest on the latter.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import workspace from '../../../package.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createApiClient } from '../support/api-client.ts'
import { endWithWorker } from '../support/end-with-worker.ts'
import { onFreePort } from '../support/on-free-port.ts'
import { startPrivateRedis } from '../support/private-redis.ts'
import { runProgram, startServerProcess } from '../support/server-process.ts'
import { createEmptyDatabase } from '../support/temporary-database.ts'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../..')
const TEST_MS = 180_000
const INSTALL_MS = 600_000
const NPM_INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
const OLDEST =
  /^>=(\d+\.\d+)$/.exec(workspace.engines.node)?.[1] ?? expect.unreachable('engines names one oldest version')

const parts = new AsyncDisposableStack()
let sandbox: Sandbox
let folder: string
/** The file that `bowerbird` runs, as installed. */
let program: string
/** The executables to run it on. */
const nodes = new Map([['the pinned Node.js', process.execPath]])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-installed-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  await mkdir(home)
  await Promise.all([installRelease(home), installOldestNode(join(folder, 'oldest'))])
  sandbox = await startSandbox()
  parts.defer(() => sandbox.close())
}, INSTALL_MS)
afterAll(() => parts.disposeAsync())

async function installRelease(home: string): Promise<void> {
  await execute(process.execPath, [resolve(ROOT, 'server/build.ts')], { cwd: ROOT })
  await execute('npm', ['pack', './dist', '--pack-destination', folder], { cwd: ROOT })
  await execute('npm', [...NPM_INSTALL, join(folder, `bowerbird-${manifest.version}.tgz`)], { cwd: home })
  program = join(home, 'node_modules/bowerbird/bowerbird.js')
}

async function installOldestNode(oldest: string): Promise<void> {
  const runtime = `node-${process.platform}-${process.arch}`
  await execute('npm', [...NPM_INSTALL, '--prefix', oldest, `${runtime}@${OLDEST}.0`])
  nodes.set(`Node.js ${OLDEST}, the oldest promised`, join(oldest, 'node_modules', runtime, 'bin/node'))
}

/** Nothing of the clone is on the path of the program. */
const environment = (settings: Record<string, string> = {}) => ({
  PATH: '/usr/bin:/bin',
  HOME: folder,
  ...settings,
})

describe.each(['the pinned Node.js', `Node.js ${OLDEST}, the oldest promised`])('on %s', (name) => {
  const run = (args: string[], settings: Record<string, string> = {}) =>
    execute(nodes.get(name) ?? '', [program, ...args], { cwd: folder, env: environment(settings) })

  it('the version is that of the package', async () => {
    expect((await run(['--version'])).stdout).toBe(`${manifest.version}\n`)
  })

  it('doctor finds nothing broken on simulated engines', { timeout: TEST_MS }, async () => {
    const providers = sandboxSettings((slug) => sandbox.urlOf(slug))
    const settings = { ...providers, DATA_DIR: await mkdtemp(join(folder, 'doctor-')) }
    const findings = JSON.parse((await run(['doctor', '--json'], settings)).stdout).findings
    expect(findings.filter(({ state }: { state: string }) => state === 'broken')).toEqual([])
    expect(findings.length).toBeGreaterThan(10)
  })

  describe('the demo', { timeout: TEST_MS }, () => {
    let demo: { url: string; key: string; sign_in_url: string }
    let child: ChildProcess
    beforeAll(async () => {
      child = endWithWorker(
        spawn(nodes.get(name) ?? '', [program, 'demo', '--port', '0', '--json'], { cwd: folder, env: environment() }),
      )
      demo = await readJsonLine(child)
    }, TEST_MS)
    afterAll(async () => {
      // If it has ended by itself, it won't again.
      if (child.exitCode !== null) return
      child.kill('SIGINT')
      await once(child, 'exit')
    })

    it('answers a search of the API', async () => {
      const reply = await fetch(`${demo.url}/api/v1/web/?q=climate`, {
        headers: { authorization: `Api-Key ${demo.key}` },
      })
      expect(reply.status).toBe(200)
      expect(await reply.json()).toMatchObject({ query: 'climate', engine: ['engine_a', 'engine_b', 'engine_c'] })
    })

    it('opens signed in by its link, once, and shows a page of results', async () => {
      const signIn = await fetch(demo.sign_in_url, { redirect: 'manual' })
      expect([signIn.status, signIn.headers.get('location')]).toEqual([303, '/'])
      const cookie = signIn.headers.getSetCookie().map((text) => text.split(';', 1)[0])
      const page = await fetch(`${demo.url}/search?q=climate`, { headers: { cookie: cookie.join('; ') } })
      expect(page.status).toBe(200)
      expect((await page.text()).match(/<h2/g)?.length).toBeGreaterThan(5)
      const again = await fetch(demo.sign_in_url, { redirect: 'manual' })
      expect([again.status, again.headers.get('location')]).toEqual([303, '/login'])
    })

    it('answers a search of the Model Context Protocol', async () => {
      const reply = await fetch(`${demo.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${demo.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search', arguments: { query: 'climate' } },
        }),
      })
      expect(reply.status).toBe(200)
      const text = await reply.text()
      expect(text).toContain('https://')
      expect(text).not.toContain('"isError":true')
    })
  })
})

/** Throws what it says on standard error if it ends instead. */
async function readJsonLine(child: ChildProcess) {
  let [printed, said] = ['', '']
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const { promise, resolve: done, reject } = Promise.withResolvers<string>()
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    if (printed.includes('\n')) done(printed)
  })
  child.once('exit', () => reject(new Error(said)))
  return JSON.parse(await promise)
}

async function expectService(stores: Record<string, string>): Promise<void> {
  const { settings, server, adminUrl } = await onFreePort(async (port) => {
    const providers = sandboxSettings((slug) => sandbox.urlOf(slug))
    const pages = { READER_PROXY_URL: sandbox.pagesUrl, SEARCH_TIMEOUT_MS: '10000' }
    const all = { ...providers, ...pages, ...stores, ADMIN_PORT: String(port) }
    return {
      settings: all,
      server: await startServerProcess(all, [], program),
      adminUrl: `http://127.0.0.1:${port}`,
    }
  })
  try {
    const command = async (args: string[], input = '') =>
      JSON.parse((await runProgram([program, ...args, '--json'], settings, input)).stdout)
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

it('it runs on a data folder alone', async () => await expectService({ DATA_DIR: join(folder, 'data') }), TEST_MS)

it(
  'it runs on PostgreSQL and Redis',
  async () => {
    const database = await createEmptyDatabase()
    parts.defer(() => database.drop())
    const redis = await startPrivateRedis()
    parts.defer(() => redis.remove())
    await expectService({ DATABASE_URL: database.url, REDIS_URL: redis.url })
  },
  TEST_MS,
)

it('it has the pages that messages of the program name', async () => {
  const files = await Array.fromAsync(glob('**/*.ts', { cwd: resolve(ROOT, 'server/src'), exclude: ['**/*.test*.ts'] }))
  const sources = await Promise.all(files.map((file) => readFile(resolve(ROOT, 'server/src', file), 'utf8')))
  const pages = [...sources.join().matchAll(/docs\/[\w/-]+\.md/g)].map(([page]) => page)
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(await readFile(resolve(program, '..', page), 'utf8')).toMatch(/^# /)
})

it('it depends only on what has native code, and says what else is inside, and under which licence', async () => {
  const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
  const published = await read(resolve(program, '../package.json'))
  const workspaces = ['engines', 'answers', 'reader', 'server'].map((name) => read(resolve(ROOT, name, 'package.json')))
  const all = Object.assign({}, ...(await Promise.all(workspaces)).map(({ dependencies }) => dependencies))
  const { '@node-rs/argon2': argon2, ...others } = all
  expect(published).toMatchObject({ name: 'bowerbird', version: manifest.version, bin: { bowerbird: 'bowerbird.js' } })
  expect(published.dependencies).toEqual({ '@node-rs/argon2': argon2 })
  const inside = Object.entries<string>(others).filter(([name]) => !name.startsWith('@bowerbird/'))
  const licences = await readFile(resolve(program, '../LICENSES.txt'), 'utf8')
  expect(inside.filter(([name, version]) => !licences.includes(`\n${name} ${version} (`))).toEqual([])
})

it('its code is ASCII: V8 keeps a text with one other character two bytes wide', async () => {
  const folder = resolve(program, '..')
  const wide: string[] = []
  for await (const file of glob(['*.js', 'reader/*.js'], { cwd: folder }))
    if (/[^\p{ASCII}]/u.test(await readFile(resolve(folder, file), 'utf8'))) wide.push(file)
  expect(wide).toEqual([])
})
