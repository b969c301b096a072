// The first minute after installation, with neither a database nor a provider key. The demo is started by npm, as the
// README says, and stopped by Ctrl-C, which a terminal sends to every process of the group and a supervisor to npm
// alone.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const READY_MS = 20_000
const END_MS = 2_000
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

const run = promisify(execFile)
let parts = new AsyncDisposableStack()

afterEach(async () => {
  await parts.disposeAsync()
  parts = new AsyncDisposableStack()
})

interface RunningDemo {
  npm: ChildProcess
  /** For temporary files. */
  temporary: string
  startedAt: number
  printed: () => string
  /** Output on standard error: must stay empty. */
  complained: () => string
}

async function startDemo(...options: string[]): Promise<RunningDemo> {
  const temporary = await mkdtemp(join(tmpdir(), 'bb-first-minute-'))
  parts.defer(() => rm(temporary, { recursive: true, force: true }))
  const startedAt = performance.now()
  const npm = spawn('npm', ['run', '--silent', 'demo', '--', '--port', '0', ...options], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: temporary,
      // Unrelated settings: the demo must not use them.
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      REDIS_URL: 'redis://127.0.0.1:1',
      API_THROTTLE_BURST: '1/day',
    },
  })
  parts.defer(async () => {
    await eventually(async () => !signalGroup(npm, 'SIGKILL'), END_MS)
  })
  const [printed, complained] = [npm.stdout, npm.stderr].map((stream) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    return () => text
  })
  return { npm, temporary, startedAt, printed: printed ?? String, complained: complained ?? String }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

async function untilPrinted({ printed, startedAt }: RunningDemo, mark: string): Promise<string> {
  const leftMs = READY_MS - (performance.now() - startedAt)
  expect(await eventually(async () => printed().includes(mark), leftMs)).toBe(true)
  return printed()
}

/** Expects it to exit within two seconds, leaving no process of the group, no listener and no file. */
async function expectNothingLeft({ npm, temporary, printed }: RunningDemo, signal: () => void): Promise<void> {
  signal()
  expect(await eventually(async () => !signalGroup(npm, 0), END_MS)).toBe(true)
  const [url] = ADDRESS.exec(printed()) ?? expect.unreachable('it has said where it is')
  await expect(fetch(`${url}/livez`)).rejects.toThrow()
  expect((await readdir(temporary)).filter(isDemoFolder)).toEqual([])
}

describe('npm run demo', () => {
  it('prints one line of JSON within 20 s, serves the documented call under the default limits, and stops on Ctrl-C', async () => {
    const demo = await startDemo('--json')
    const line = await untilPrinted(demo, '\n')
    const { url, key, username, password, ...rest } = JSON.parse(line)
    expect(rest).toEqual({ sign_in_url: expect.stringContaining(`${url}/demo/`) })
    expect([url, typeof username, typeof password]).toEqual([expect.stringMatching(ADDRESS), 'string', 'string'])

    const args = ['-s', '-i', '-H', `Authorization: Api-Key ${key}`, `${url}/api/v1/web/?q=climate`]
    const { stdout } = await run('curl', args)
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(stdout).toMatch(/\r\nRateLimit-Policy: "burst";q=60;w=60, "sustained";q=5000;w=86400\r\n/i)
    const body = JSON.parse(stdout.slice(stdout.indexOf('\r\n\r\n')))
    expect(body).toMatchObject({ query: 'climate', tab: 'web', engine: ['engine_a', 'engine_b', 'engine_c'] })
    expect(body.results.length).toBeGreaterThan(10)

    // It keeps serving, and prints nothing more.
    await sleep(1_000)
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect([demo.printed(), demo.complained()]).toEqual([line, ''])
    await expectNothingLeft(demo, () => signalGroup(demo.npm, 'SIGINT'))
  })

  it('prints a curl line that works when pasted', async () => {
    const demo = await startDemo()
    const welcome = await untilPrinted(demo, 'Ctrl-C')
    const [line = ''] = welcome.split('\n').filter((text) => text.trim().startsWith('curl '))
    const { stdout } = await run('sh', ['-c', `${line.trim()} -s --fail`])
    expect(JSON.parse(stdout).results.length).toBeGreaterThan(10)
    await expectNothingLeft(demo, () => signalGroup(demo.npm, 'SIGINT'))
  })

  it('also queries the engine it is given, as engine_d', async () => {
    const demo = await startDemo('--engine', 'kagi', '--json')
    const { url, key } = JSON.parse(await untilPrinted(demo, '\n'))
    const reply = await fetch(`${url}/api/v1/web/?q=climate&engine=engine_d`, {
      headers: { authorization: `Api-Key ${key}` },
    })
    expect(reply.headers.get('engine-status')).toMatch(/^engine_d;ok;n=20;/)
    const { engine, results } = (await reply.json()) as { engine: string[]; results: { source_label: string }[] }
    expect(engine).toEqual(['engine_d'])
    expect(results.map(({ source_label }) => source_label)).toEqual(Array(20).fill('Kagi'))
    await expectNothingLeft(demo, () => signalGroup(demo.npm, 'SIGINT'))
  })

  it('says that its port is in use before it starts anything', async () => {
    const demo = await startDemo('--json')
    const { url } = JSON.parse(await untilPrinted(demo, '\n'))
    const port = Number(new URL(url).port)
    const second = await startDemo('--port', String(port))
    const [code] = await once(second.npm, 'exit')
    expect([code, second.printed(), second.complained()]).toEqual([
      1,
      '',
      `Port ${port} is already in use. Choose another one, such as --port ${port + 1}.\n`,
    ])
    expect((await readdir(second.temporary)).filter(isDemoFolder)).toEqual([])
  })

  it('listens where --host says, and its link signs in only on the same machine', async () => {
    const demo = await startDemo('--host', '0.0.0.0', '--json')
    const { url, sign_in_url } = JSON.parse(await untilPrinted(demo, '\n'))
    const elsewhere = Object.values(networkInterfaces())
      .flat()
      .find((network) => network?.family === 'IPv4' && !network.internal)
    if (elsewhere) {
      const fromElsewhere = new URL(sign_in_url)
      fromElsewhere.hostname = elsewhere.address
      const refused = await fetch(fromElsewhere, { redirect: 'manual' })
      expect([refused.status, refused.headers.get('location')]).toEqual([303, '/login'])
    }
    const signedIn = await fetch(sign_in_url, { redirect: 'manual' })
    expect([new URL(url).hostname, signedIn.headers.get('location')]).toEqual(['127.0.0.1', '/'])
  })

  it('that is stopped before it has started leaves nothing behind', async () => {
    const demo = await startDemo('--json')
    expect(await eventually(async () => (await readdir(demo.temporary)).some(isDemoFolder), READY_MS)).toBe(true)
    signalGroup(demo.npm, 'SIGINT')
    await once(demo.npm, 'exit')
    expect((await readdir(demo.temporary)).filter(isDemoFolder)).toEqual([])
  })
})

const isDemoFolder = (name: string): boolean => name.startsWith('bowerbird')
