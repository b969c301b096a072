// The TypeScript client as its users get it: packed, and installed into a folder of its own together with the versions
// of Node.js that it must run in and that this machine lacks.
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../..')
const PROMISED_VERSIONS = [20, 24, 26] as const

const run = promisify(execFile)

export interface PackedClient {
  folder: string
  /** What is in the package. */
  files: string[]
  /** The executable of each version. */
  nodes: ReadonlyMap<number, string>
}

export async function installPackedClient(folder: string): Promise<PackedClient> {
  await mkdir(folder)
  const packing = await run('npm', ['pack', '--workspace', 'client', '--pack-destination', folder, '--json'], {
    cwd: ROOT,
  })
  // Scripts of the package write to the same output, before it.
  const [packed] = Object.values(JSON.parse(packing.stdout.slice(packing.stdout.search(/^[[{]/m))))
  const { filename, files } = packed as { filename: string; files: { path: string }[] }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const nodes = await nodesOfThisMachine()
  const missing = PROMISED_VERSIONS.filter((version) => !nodes.has(version))
  const packages = missing.map((version) => `node${version}@npm:node-${process.platform}-${process.arch}@${version}`)
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...options, `./${filename}`, ...packages], { cwd: folder })
  for (const version of missing) nodes.set(version, join(folder, `node_modules/node${version}/bin/node`))
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return { folder, files: files.map(({ path }) => path), nodes }
}

/** This one, and the machine's own. */
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
