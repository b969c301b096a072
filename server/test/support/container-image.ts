// Builds deploy/Containerfile and runs it with Debian's own tools, without a daemon or a registry: the base is a fresh
// Debian with this repository's Node.js in it. Everything is in a temporary folder.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { endWithWorker } from './end-with-worker.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const NODE = resolve(ROOT, 'node_modules/.bin/node')
const TOOLS = ['buildah', 'mmdebstrap', 'podman', 'runc']
const IMAGE = 'localhost/bowerbird'
/** A container must not outlive a test that was killed. */
const LONGEST_RUN_SECONDS = 300
/** What a sandboxed build machine allows. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--network=host']
const LOCKED = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges']

const execute = promisify(execFile)

interface Finished {
  code: number
  stdout: string
  stderr: string
}

export interface Container {
  /** Its output so far. */
  printed: () => string
  /** Runs `bowerbird <args>` in the container, with `input` on standard input. */
  command: (args: string[], input?: string) => Promise<Finished>
  /** Runs the image's health check. */
  isHealthy: () => Promise<boolean>
  /** The peak memory of its process. */
  mostMemoryBytes: () => Promise<number>
  /** Sends SIGTERM; returns how it ended and after how long. */
  stop: () => Promise<{ code: number; ms: number }>
}

export interface ContainerImage {
  sizeBytes: number
  configuration: Record<string, unknown>
  /** Starts it locked down: read-only, without capabilities, as the image's user. */
  start: (settings: Record<string, string>, mounts?: string[]) => Promise<Container>
  /** Runs it to its end, also locked down. */
  run: (options: string[], args: string[]) => Promise<Finished>
  remove: () => Promise<void>
}

/** Prints what is missing. */
export function canBuildImages(): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const missing = TOOLS.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool))))
  if (process.getuid?.() !== 0) missing.push('the root user')
  if (missing.length === 0) return true
  process.stderr.write(`\nSKIPPED: no container image was built or run. Missing: ${missing.join(', ')}.\n\n`)
  return false
}

export async function buildImage(): Promise<ContainerImage> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-image-'))
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const podman = [...storage, '--cgroup-manager=cgroupfs', '--runtime', 'runc']
  const remove = async () => {
    await attempt('podman', [...podman, 'rm', '--all', '--force', '--time', '0'])
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await makeBase(storage)
    await build(folder, storage)
    const { stdout } = await execute('podman', [...podman, 'image', 'inspect', IMAGE])
    const [{ Size: sizeBytes, Config: configuration, HealthCheck, Healthcheck = HealthCheck }] = JSON.parse(stdout)
    return {
      sizeBytes,
      configuration: { ...configuration, Healthcheck },
      start: (settings, mounts = []) => startContainer(podman, settings, mounts),
      run: (options, args) =>
        attempt('podman', [...podman, 'run', '--rm', ...LIMITS, ...LOCKED, ...options, IMAGE, ...args]),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Creates a fresh Debian with Node.js and npm in the container tools' storage. */
export async function makeBase(storage: string[]): Promise<void> {
  const container = (await execute('buildah', [...storage, 'from', 'scratch'])).stdout.trim()
  const root = (await execute('buildah', [...storage, 'mount', container])).stdout.trim()
  const unused = ['man', 'locale', 'i18n', 'zoneinfo'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const packages = '--include=libatomic1,libstdc++6'
  await execute('mmdebstrap', ['--quiet', '--variant=minbase', packages, ...unused, 'bookworm', root])
  const modules = (await execute('npm', ['root', '--global'])).stdout.trim()
  await cp(realpathSync(NODE), join(root, 'usr/local/bin/node'))
  await cp(join(modules, 'npm'), join(root, 'usr/local/lib/npm'), { recursive: true })
  await symlink('../lib/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  await execute('buildah', [...storage, 'commit', '--rm', '--quiet', container, 'localhost/base'])
}

async function build(folder: string, storage: string[]): Promise<void> {
  const options = ['--format=docker', '--file=deploy/Containerfile', `--tag=${IMAGE}`]
  await execute('buildah', [...storage, 'bud', ...(await buildOptions(folder)), ...options, '.'], {
    cwd: ROOT,
    maxBuffer: 100_000_000,
  })
}

/** What a build needs here: our base image, no namespaces, and this machine's npm registry and cache. */
export async function buildOptions(folder: string): Promise<string[]> {
  const { npmrc, cafile, cache } = await writeNpmrc(folder)
  const certificates = dirname(cafile || '/etc/ssl/certs/ca-certificates.crt')
  const volumes = [`${cache}:/root/.npm`, `${certificates}:${certificates}:ro`]
  return [
    '--isolation=chroot',
    '--from=localhost/base',
    `--secret=id=npmrc,src=${npmrc}`,
    ...volumes.map((volume) => `--volume=${volume}`),
  ]
}

/** Writes down how this machine reaches npm's registry, for an npm that doesn't read its settings. */
export async function writeNpmrc(folder: string) {
  const npmrc = join(folder, 'npmrc')
  const [registry, cafile, cache = ''] = await Promise.all(['registry', 'cafile', 'cache'].map(npmSetting))
  await writeFile(npmrc, `registry=${registry}\n${cafile ? `cafile=${cafile}\n` : ''}`)
  return { npmrc, cafile, cache }
}

async function npmSetting(name: string): Promise<string> {
  const value = (await execute('npm', ['config', 'get', name])).stdout.trim()
  return value === 'null' ? '' : value
}

async function startContainer(
  podman: string[],
  settings: Record<string, string>,
  mounts: string[],
): Promise<Container> {
  const name = `bb-${Math.random().toString(36).slice(2)}`
  const environment = Object.entries({ DRAIN_SECONDS: '0', ...settings }).flatMap(([key, value]) => [
    '--env',
    `${key}=${value}`,
  ])
  const options = ['--name', name, `--timeout=${LONGEST_RUN_SECONDS}`, ...mounts.map((mount) => `--volume=${mount}`)]
  const child = endWithWorker(
    spawn('podman', [...podman, 'run', ...LIMITS, ...LOCKED, ...options, ...environment, IMAGE]),
  )
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  await untilListening(child, () => printed.join(''))
  return {
    printed: () => printed.join(''),
    command: (args, input = '') =>
      attempt('podman', [...podman, 'exec', '--interactive', name, 'bowerbird', ...args], input),
    isHealthy: async () => (await attempt('podman', [...podman, 'healthcheck', 'run', name])).code === 0,
    async mostMemoryBytes() {
      const { stdout: pid } = await execute('podman', [...podman, 'inspect', '--format', '{{.State.Pid}}', name])
      const status = await readFile(`/proc/${pid.trim()}/status`, 'utf8')
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
    },
    async stop() {
      const exited = once(child, 'exit')
      const sentAt = Date.now()
      await execute('podman', [...podman, 'kill', '--signal', 'TERM', name])
      await exited
      const { stdout } = await execute('podman', [...podman, 'inspect', '--format', '{{json .State}}', name])
      const { ExitCode: code, FinishedAt } = JSON.parse(stdout)
      return { code, ms: Date.parse(FinishedAt) - sentAt }
    },
  }
}

async function untilListening(child: ChildProcess, printed: () => string): Promise<void> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>()
  child.stdout?.on('data', () => /is listening at/.test(printed()) && done())
  child.once('exit', () => reject(new Error(`the container did not start: ${printed()}`)))
  await promise
}

const attempt = (program: string, args: string[], input = ''): Promise<Finished> =>
  new Promise((done) => {
    const child = execFile(program, args, { maxBuffer: 10_000_000 }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
    child.stdin?.end(input)
  })
