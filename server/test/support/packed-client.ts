// The clients as their users get them. The TypeScript client: packed, and installed into a folder together with the
// runtimes it must run in: Deno, Bun, and the versions of Node.js that this machine lacks. The Python client: built into
// a wheel without the network, and installed into an environment of its own.
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../..')
const PROMISED_VERSIONS = [20, 24, 26] as const
const isArm = process.arch === 'arm64'
/** The packages that contain only the executable; the usual ones select it in an install script. */
const DENO = `@deno/linux-${isArm ? 'arm64' : 'x64'}-glibc`
const BUN = `@oven/bun-linux-${isArm ? 'aarch64' : 'x64-baseline'}`

const run = promisify(execFile)

export interface PackedClient {
  folder: string
  /** The files in the package. */
  files: string[]
  /** The executable by major version. */
  nodes: ReadonlyMap<number, string>
  deno: string
  bun: string
}

export async function installPackedClient(folder: string): Promise<PackedClient> {
  await mkdir(folder)
  const packing = await run(
    'npm',
    ['pack', '--workspace', 'clients/typescript', '--pack-destination', folder, '--json'],
    {
      cwd: ROOT,
    },
  )
  // Lifecycle scripts write to the same output, before it.
  const [packed] = Object.values(JSON.parse(packing.stdout.slice(packing.stdout.search(/^[[{]/m))))
  const { filename, files } = packed as { filename: string; files: { path: string }[] }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const nodes = await nodesOfThisMachine()
  const missing = PROMISED_VERSIONS.filter((version) => !nodes.has(version))
  const packages = missing.map((version) => `node${version}@npm:node-${process.platform}-${process.arch}@${version}`)
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...options, `./${filename}`, ...packages, DENO, BUN], { cwd: folder })
  for (const version of missing) nodes.set(version, join(folder, `node_modules/node${version}/bin/node`))
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const deno = join(folder, 'node_modules', DENO, 'deno')
  const bun = join(folder, 'node_modules', BUN, 'bin/bun')
  return { folder, files: files.map(({ path }) => path), nodes, deno, bun }
}

/** Returns the Python of an environment that has the client and, for its dependencies, what Debian's packages install. */
export async function installWheel(folder: string, python: string): Promise<string> {
  await mkdir(folder)
  // Building leaves files beside the sources.
  const source = join(folder, 'source')
  await cp(join(ROOT, 'clients/python'), source, { recursive: true })
  const pip = (...args: string[]) =>
    run(python, ['-m', 'pip', '--quiet', '--disable-pip-version-check', ...args], { cwd: folder })
  await pip('wheel', '--no-index', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, source)
  const wheel = (await readdir(folder)).find((file) => file.endsWith('-py3-none-any.whl')) ?? ''
  await run(python, ['-m', 'venv', '--without-pip', '--system-site-packages', 'env'], { cwd: folder })
  const installed = join(folder, 'env/bin/python')
  await pip('--python', installed, 'install', '--no-index', '--no-deps', wheel)
  return installed
}

/** The Node.js running this, and the system's. */
async function nodesOfThisMachine(): Promise<Map<number, string>> {
  const nodes = new Map([[majorOf(process.version), process.execPath]])
  const own = '/usr/bin/node'
  const version = await run(own, ['--version']).then(
    ({ stdout }) => majorOf(stdout),
    () => 0,
  )
  if (!nodes.has(version)) nodes.set(version, own)
  return nodes
}

const majorOf = (version: string): number => Number(/^v(\d+)/.exec(version)?.[1] ?? 0)
