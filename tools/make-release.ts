// `npm run pack`: makes every file of a release in `release/`: the source, the npm packages of the server and the client,
// the Python client, an SBOM of what the server installs, and checksums. Prints how long each took. The release
// workflow publishes these files, and `server/test/nightly/release-rehearsal.test.ts` installs and runs them.
//
// The same commit makes the same bytes anywhere, so that anyone can check a release by repeating it: times are the
// commit's, and neither the folder nor its file modes leave a trace. npm sees to that for its own packages.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../server/package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '..')
const RELEASE = join(ROOT, 'release')
const NAME = `bowerbird-${manifest.version}`
/** Needs setuptools and wheel: Debian's python3-setuptools and python3-wheel. */
const PYTHON = process.env['PYTHON'] ?? '/usr/bin/python3'
/**
 * Calls what `python3 -m build` would, which not every distribution has. setuptools changes `sys.argv`. A wheel takes its
 * times from SOURCE_DATE_EPOCH by itself; the source distribution is packed again without times, owners and modes.
 */
const BUILD_PYTHON = `
import gzip, io, os, sys, tarfile
from setuptools import build_meta
folder = sys.argv[1]
for place, _, files in os.walk("."):
    for file in files:
        os.chmod(os.path.join(place, file), 0o644)
build_meta.build_wheel(folder)
path = os.path.join(folder, build_meta.build_sdist(folder))
with tarfile.open(path) as packed:
    files = {member.name: packed.extractfile(member).read() for member in packed if member.isfile()}
with gzip.GzipFile(path, "wb", mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as packed:
    for name, content in sorted(files.items()):
        member = tarfile.TarInfo(name)
        member.size = len(content)
        member.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
        packed.addfile(member, io.BytesIO(content))
`

const execute = promisify(execFile)
const committedAt = (await execute('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })).stdout.trim()
const env = { ...process.env, SOURCE_DATE_EPOCH: committedAt }
const run = (command: string, args: string[], cwd = ROOT) => execute(command, args, { cwd, env, maxBuffer: 50_000_000 })

async function step(name: string, make: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await make()
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${name}\n`)
}

async function inTemporaryFolder(make: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-release-'))
  try {
    await make(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** setuptools builds in the folder of the sources, so it gets a copy. */
const packPythonClient = () =>
  inTemporaryFolder(async (folder) => {
    await cp(join(ROOT, 'clients/python'), folder, { recursive: true })
    await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
    await run(PYTHON, ['-c', BUILD_PYTHON, RELEASE], folder)
  })

interface Sbom {
  serialNumber?: string
  metadata: { timestamp: string }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string }[]
}

/** Lists the versions in our lock file, which npm only installs for the whole workspace. */
const writeSbom = () =>
  inTemporaryFolder(async (folder) => {
    const { stdout } = await run('git', ['ls-files', '.npmrc', 'package-lock.json', 'package.json', '**/package.json'])
    for (const path of stdout.trim().split('\n')) await cp(join(ROOT, path), join(folder, path))
    await run('npm', ['ci', '--workspace=server', '--omit=dev', '--ignore-scripts', '--prefer-offline'], folder)
    await rm(join(folder, 'node_modules/@bowerbird'), { recursive: true })
    const installed = join(folder, 'bowerbird')
    await mkdir(installed)
    await rename(join(folder, 'node_modules'), join(installed, 'node_modules'))
    const { stdout: written } = await run(process.execPath, ['tools/make-sbom.ts', installed])
    // npm's serial number is random, and optional; its order is that in which files were read.
    const { serialNumber: _, ...sbom }: Sbom = JSON.parse(written)
    sbom.metadata.timestamp = new Date(Number(committedAt) * 1_000).toISOString()
    sbom.components.sort((one, other) => one['bom-ref'].localeCompare(other['bom-ref'], 'en'))
    sbom.dependencies.sort((one, other) => one.ref.localeCompare(other.ref, 'en'))
    await writeFile(join(RELEASE, `${NAME}.cdx.json`), JSON.stringify(sbom, null, 2))
  })

/** In the form that `sha256sum --check` reads. */
async function writeChecksums(): Promise<void> {
  const lines = (await readdir(RELEASE)).toSorted().map(async (file) => {
    const hash = createHash('sha256').update(await readFile(join(RELEASE, file)))
    return `${hash.digest('hex')}  ${file}\n`
  })
  await writeFile(join(RELEASE, `${NAME}.sha256`), (await Promise.all(lines)).join(''))
}

await rm(RELEASE, { recursive: true, force: true })
await mkdir(RELEASE)
const source = join(RELEASE, `${NAME}-source.tar.gz`)
await step('source', () =>
  run('git', ['archive', '--format=tar.gz', `--prefix=${NAME}/`, `--output=${source}`, 'HEAD']),
)
await step('server', async () => {
  await run(process.execPath, ['server/build.ts'])
  await run('npm', ['pack', './dist', '--pack-destination', RELEASE])
})
await step('TypeScript client', () =>
  run('npm', ['pack', '--workspace=clients/typescript', '--pack-destination', RELEASE]),
)
await step('Python client', packPythonClient)
await step('SBOM', writeSbom)
await step('checksums', writeChecksums)
