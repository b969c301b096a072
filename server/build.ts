// Builds a release: `npm run build` makes `dist/`, which is the npm package and what the container image runs. Plain
// JavaScript in one folder, the data files below it where they are in the source, and the packages that it depends on
// left to npm. It starts in about half the time of the source, which a clone runs directly.
import { existsSync } from 'node:fs'
import { chmod, cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCE = resolve(ROOT, 'server/src')
/** The libraries that are part of the program. Their data files are in folders of their names. */
const LIBRARIES = ['engines', 'answers', 'reader']
const DIST = resolve(ROOT, 'dist')

/** The program, and the thread that it starts from a file of its own. */
const ENTRIES = ['server/bowerbird.js', 'server/src/http/health-thread.ts']
/** The process that reads pages. A bundle in its own folder, because that and packages are all that it may read. */
const READER_ENTRY = 'reader/src/extract-process.ts'
/** Stand beside the program in the package. Messages of the program name pages in `docs`. */
const DOCUMENTS = ['LICENSE', 'NOTICE', 'README.md', 'docs']
const NOT_DATA = ['**/*.ts', '*.txt', '**/*.answers.txt']

/** Where a source file's folder is in `dist/`; `undefined`: not a source file of the program. */
function placeOf(path: string): string | undefined {
  if (path.startsWith(SOURCE)) return relative(SOURCE, path)
  if (path.startsWith(resolve(ROOT, 'sandbox'))) return relative(ROOT, path)
  const library = LIBRARIES.find((name) => path.startsWith(resolve(ROOT, name, 'src')))
  return library && join(library, relative(resolve(ROOT, library, 'src'), path))
}

/** Not the sandbox, which `bowerbird demo` needs, nor what the compiler adds. */
const isPackage = (id: string): boolean => /^[^./\0]/.test(id) && !/^@(?:bowerbird|oxc-project)\//.test(id)

/**
 * A module in a bundle has lost its place: files beside it are found from where it would be. Threads are next to the
 * bundle itself, and the process that reads pages is where its source would be.
 */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    const path = placeOf(id)
    if (path === undefined) return null
    const place = `new URL('./${path}', import.meta.url)`
    return code
      .replaceAll("-process.ts', import.meta.url", "-process.js', import.meta.url")
      .replaceAll(/(?:'[^']*?([\w-]+-thread)\.ts', )?\bimport\.meta\.url/g, (_, thread?: string) =>
        thread === undefined ? place : `'./${thread}.js', import.meta.url`,
      )
  },
}

await rm(DIST, { recursive: true, force: true })
async function build(entries: readonly string[], dir: string): Promise<void> {
  const input = entries.map((entry) => resolve(ROOT, entry))
  const bundle = await rolldown({ input, platform: 'node', external: isPackage, plugins: [keepPlaces] })
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
}
await build(ENTRIES, DIST)
await build([READER_ENTRY], resolve(DIST, 'reader'))
await chmod(resolve(DIST, 'bowerbird.js'), 0o755)

for (const cwd of [SOURCE, ...LIBRARIES.map((library) => resolve(ROOT, library, 'src'))]) {
  for await (const entry of glob('**/*', { cwd, exclude: NOT_DATA, withFileTypes: true })) {
    const path = resolve(entry.parentPath, entry.name)
    if (entry.isFile()) await cp(path, resolve(DIST, placeOf(path) ?? ''))
  }
}

// The sandbox answers for an engine that is a document with its fixtures. One without a key shares those of the other.
for await (const entry of glob('*.json', { cwd: resolve(ROOT, 'engines/documents') })) {
  const fixtures = join('engines/fixtures/engines', basename(entry, '.json'))
  if (existsSync(resolve(ROOT, fixtures)))
    await cp(resolve(ROOT, fixtures), resolve(DIST, fixtures), { recursive: true })
}

const manifestIn = async (folder: string) => JSON.parse(await readFile(resolve(ROOT, folder, 'package.json'), 'utf8'))
const [{ engines }, server, ...libraries] = await Promise.all(['.', 'server', ...LIBRARIES].map(manifestIn))
const { version, description, keywords, license, type, bin, mcpName } = server
// The release workflow writes these into the server's manifest.
const { repository, homepage, bugs } = server
const all = [server, ...libraries].flatMap((each) => Object.entries<string>(each.dependencies))
const dependencies = Object.fromEntries(all.filter(([name]) => isPackage(name)))
const about = { name: 'bowerbird', version, description, keywords, license, repository, homepage, bugs, mcpName }
await writeFile(resolve(DIST, 'package.json'), JSON.stringify({ ...about, type, bin, engines, dependencies }, null, 2))
for (const document of DOCUMENTS) await cp(resolve(ROOT, document), resolve(DIST, document), { recursive: true })
