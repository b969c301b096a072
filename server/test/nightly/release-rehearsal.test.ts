// Rehearses a release: makes its files, installs each into an empty folder as a stranger would, without the clone, and
// runs it. Prints how long that takes. The image has a test of its own.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { startServerProcess } from '../support/server-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const RELEASE = join(ROOT, 'release')
const NAME = `bowerbird-${manifest.version}`
const PYTHON = process.env['PYTHON'] ?? '/usr/bin/python3'
const PACK_MS = 600_000
const TEST_MS = 240_000
const COMMAND_MS = 180_000
const FIRST_SEARCH_MS = 60_000
const NPM = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
/** Can parse the command, but not run the program. */
const OLD_NODES = [18, 22]

interface Options {
  cwd?: string
  env?: NodeJS.ProcessEnv
  timeout?: number
}

/** A program that hangs is killed: npx keeps a lock that would stop the next one. */
const execute = (file: string, args: string[], options: Options = {}) =>
  promisify(execFile)(file, args, { timeout: COMMAND_MS, ...options })
const parts = new AsyncDisposableStack()
let folder: string

beforeAll(async () => {
  const { stdout } = await execute(process.execPath, ['tools/make-release.ts'], { cwd: ROOT, timeout: PACK_MS })
  process.stdout.write(stdout)
  folder = await mkdtemp(join(tmpdir(), 'bb-rehearsal-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
}, PACK_MS)
afterAll(() => parts.disposeAsync())

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  return path
}

/** A machine with our Node.js first on its path and nothing of the clone. */
const environment = (settings: Record<string, string> = {}) => {
  const path = process.env['PATH']?.split(':').filter((entry) => !entry.includes('node_modules')) ?? []
  return { ...process.env, PATH: [dirname(process.execPath), ...path].join(':'), ...settings }
}

describe('the files', () => {
  it('are the source, the packages, an SBOM, and checksums of them all', async () => {
    const files = [
      `${NAME}-py3-none-any.whl`,
      `${NAME}-source.tar.gz`,
      `${NAME}.cdx.json`,
      `${NAME}.sha256`,
      `${NAME}.tar.gz`,
      `${NAME}.tgz`,
      `bowerbird-client-${manifest.version}.tgz`,
    ]
    expect((await readdir(RELEASE)).toSorted()).toEqual(files)
    const { stdout } = await execute('sha256sum', ['--check', `${NAME}.sha256`], { cwd: RELEASE })
    expect(stdout.trim().split('\n')).toHaveLength(files.length - 1)
  })

  it('have an SBOM with every package that is in the program or installed beside it', async () => {
    const sbom = JSON.parse(await readFile(join(RELEASE, `${NAME}.cdx.json`), 'utf8'))
    const listed = sbom.components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'dist/package.json'), 'utf8'))
    const licences = await readFile(join(ROOT, 'dist/LICENSES.txt'), 'utf8')
    const inside = [...licences.matchAll(/^(\S+) (\d+\.\d+\.\S+) \(/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    )
    expect(inside.length).toBeGreaterThan(150)
    const wanted = [...inside, ...Object.entries(dependencies).map((entry) => entry.join('@'))]
    expect(wanted.filter((name) => !listed.includes(name))).toEqual([])
  })
})

describe('the npm package', { timeout: TEST_MS }, () => {
  const tgz = join(RELEASE, `${NAME}.tgz`)

  it('installs, starts and answers a first search within a minute', async () => {
    const sandbox = await startSandbox()
    parts.defer(() => sandbox.close())
    const home = await emptyFolder('global')
    const startedAt = performance.now()
    const report = (what: string) =>
      process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${what}\n`)
    await execute('npm', ['install', '--global', '--prefix', home, ...NPM, tgz], { env: environment() })
    report('installed')
    const program = join(home, 'bin/bowerbird')
    const settings = {
      ...sandboxSettings((slug) => sandbox.urlOf(slug)),
      DATA_DIR: join(home, 'data'),
      SEARCH_TIMEOUT_MS: '10000',
    }
    const command = async (...args: string[]) => {
      const running = execute(program, [...args, '--json'], { env: environment(settings) })
      running.child.stdin?.end('correct horse battery\n')
      return JSON.parse((await running).stdout)
    }
    const server = await startServerProcess(settings, [], program)
    try {
      report('listening')
      await command('user', 'create', 'ada', '--password-stdin')
      const { key } = await command('key', 'create', 'ada')
      report('key created')
      const reply = await fetch(`${server.url}/api/v1/web/?q=climate`, { headers: { authorization: `Api-Key ${key}` } })
      expect([reply.status, reply.headers.get('search-status')]).toEqual([200, 'complete'])
      report('first search answered')
      expect(performance.now() - startedAt).toBeLessThan(FIRST_SEARCH_MS)
    } finally {
      await server.stop()
    }
  })

  it('runs by npx', async () => {
    const args = ['--yes', '--prefer-offline', `--package=${tgz}`, 'bowerbird', '--version']
    const cwd = await emptyFolder('npx')
    const { stdout } = await execute('npx', args, { cwd, env: environment() })
    expect(stdout.trim()).toBe(manifest.version)
  })

  it.each(OLD_NODES)('tells Node.js %i in one sentence that it is too old', async (version) => {
    const home = await emptyFolder(`node${version}`)
    const old = `node-${process.platform}-${process.arch}@${version}`
    await execute('npm', ['install', '--prefix', home, ...NPM, old])
    const node = join(home, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
    const { stdout } = await execute(node, ['--version'])
    const failed = execute(node, [join(ROOT, 'dist/bowerbird.js'), 'serve'])
    const stderr = `Bowerbird needs Node.js 24.11 or later; this is ${stdout.trim()}.\n`
    await expect(failed).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })
})

describe('the clients', { timeout: TEST_MS }, () => {
  it('for TypeScript can be imported', async () => {
    const home = await emptyFolder('client')
    await execute('npm', [
      'install',
      '--prefix',
      home,
      ...NPM,
      join(RELEASE, `bowerbird-client-${manifest.version}.tgz`),
    ])
    const program = 'import { Bowerbird } from "@bowerbird/client"; process.stdout.write(typeof Bowerbird)'
    const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', program], { cwd: home })
    expect(stdout).toBe('function')
  })

  it.each([`${NAME}-py3-none-any.whl`, `${NAME}.tar.gz`])('for Python can be imported from %s', async (file) => {
    const home = await emptyFolder(file)
    const options = ['--no-deps', '--no-index', '--no-build-isolation', '--quiet', '--root-user-action=ignore']
    await execute(PYTHON, ['-m', 'pip', 'install', ...options, '--target', home, join(RELEASE, file)])
    const program = 'import bowerbird, importlib.metadata as m; print(bowerbird.__file__, m.version("bowerbird"))'
    const { stdout } = await execute(PYTHON, ['-c', program], { cwd: folder, env: { PYTHONPATH: home } })
    expect(stdout.trim()).toBe(`${home}/bowerbird/__init__.py ${manifest.version}`)
  })
})
