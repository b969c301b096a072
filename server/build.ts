// Builds a release: `npm run build` makes `dist/`, which is the npm package and what the container image runs. Plain
// JavaScript in one folder with the packages that it uses, their licences, and the data files below it where they are in
// the source. It starts in a fraction of the time of the source, which a clone runs directly.
import { existsSync } from 'node:fs'
import { chmod, cp, glob, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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
/** The licences of the packages that are inside. */
const LICENCES = 'LICENSES.txt'
const NOT_DATA = ['**/*.ts', '*.txt', '**/*.answers.txt']

/** Where a source file's folder is in `dist/`; `undefined`: not a source file of the program. */
function placeOf(path: string): string | undefined {
  if (path.startsWith(SOURCE)) return relative(SOURCE, path)
  if (path.startsWith(resolve(ROOT, 'sandbox'))) return relative(ROOT, path)
  const library = LIBRARIES.find((name) => path.startsWith(resolve(ROOT, name, 'src')))
  return library && join(library, relative(resolve(ROOT, library, 'src'), path))
}

/**
 * What isn't in the bundle: argon2 is native code, of which npm installs the package for the platform. `debug`, which
 * ioredis uses, takes supports-color if it is there, which it is only where our tools are.
 */
const EXTERNAL = ['@node-rs/argon2', 'supports-color']
/**
 * Packages that name a place beside themselves, which they don't have in a bundle, but that we don't take there: threads
 * of pino's transports; stack traces that ioredis shortens with `showFriendlyErrorStack`; undici's own place in the stack
 * of a failed `fetch`; PDF.js's decoders of pictures and its canvas, where we only want the text.
 */
const WITHOUT_PLACE = ['pino', 'thread-stream', 'ioredis', 'undici', 'unpdf']

/** The folder of the package that a module belongs to. */
const findPackageFolder = (id: string): string | undefined =>
  /^(?<folder>.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.groups?.['folder']

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

const PLACE = /\b(?:__dirname|__filename|require\.resolve|import\.meta\.(?:url|dirname|filename|resolve))\b/

function requireNoPlace(id: string, code: string): void {
  const folder = findPackageFolder(id)
  if (folder === undefined || !PLACE.test(code) || WITHOUT_PLACE.some((name) => folder.endsWith(`/${name}`))) return
  throw new Error(`${id} may read files beside itself: leave it out of the bundle, or say above why it doesn't.`)
}

/**
 * V8 keeps a source text with one character outside of Latin-1 two bytes wide, for as long as the process runs. rolldown
 * leaves these characters in tagged templates, whose tag could read them as written, and in comments. Ours don't, but for
 * `String.raw`.
 */
function toAscii(code: string, file: string): string {
  if (/String\.raw`[^`]*[^\p{ASCII}]/u.test(code))
    throw new Error(`${file} has String.raw with characters beyond ASCII.`)
  return code.replaceAll(/[^\p{ASCII}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

await rm(DIST, { recursive: true, force: true })
/** Returns the folders of the packages that are inside. */
async function build(entries: readonly string[], dir: string): Promise<(string | undefined)[]> {
  const input = entries.map((entry) => resolve(ROOT, entry))
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [keepPlaces],
    // Two libraries name a function by `eval` if they can't otherwise.
    checks: { eval: false },
  })
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    charset: 'ascii',
    // Some packages have their licence in a comment.
    comments: { legal: true, annotation: false, jsdoc: false },
    // Names stay, so that a stack trace can be read. oidc-provider stores what it issues under the names of its classes.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    keepNames: true,
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  for (const { fileName, code, modules } of chunks) {
    for (const [id, module] of Object.entries(modules)) requireNoPlace(id, module.code ?? '')
    await writeFile(resolve(dir, fileName), toAscii(code, fileName))
  }
  return chunks.flatMap(({ moduleIds }) => moduleIds.map(findPackageFolder))
}

interface PackageManifest {
  name: string
  version: string
  license?: string
}

/** The texts of a package's licences: files of their own or, in packages without, a chapter at the end of the readme. */
async function readLicences(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).sort()
  const read = async (pattern: RegExp) =>
    await Promise.all(files.filter((name) => pattern.test(name)).map((name) => readFile(resolve(folder, name), 'utf8')))
  const licences = await read(/^(?:mit-)?licen[cs]e|^copying|^notice/i)
  if (licences.length > 0) return licences
  return (await read(/^readme/i)).flatMap((readme) => /^#+ *licen[cs]e.*/ims.exec(readme)?.[0] ?? [])
}

/** What is inside, with those of the same licence, word for word, together. */
async function describeLicences(folders: readonly string[]): Promise<string> {
  const packages = folders.map(async (folder) => {
    const manifest: PackageManifest = JSON.parse(await readFile(resolve(folder, 'package.json'), 'utf8'))
    const { name, version, license = 'see below' } = manifest
    const texts = (await readLicences(folder)).map((text) => `\n${text.replaceAll('\r', '').trim()}\n`)
    return { line: `${name} ${version} (${license})\n`, text: texts.join('') }
  })
  const byText = Map.groupBy(await Promise.all(packages), ({ text }) => text)
  const parts = [...byText].map(([text, alike]) => {
    const lines = new Set(alike.map(({ line }) => line))
    return [...lines].sort().join('') + text
  })
  const rule = `\n${'-'.repeat(80)}\n\n`
  return ['The packages that are part of this program, and their licences.\n', ...parts.sort()].join(rule)
}

const inside = [...(await build(ENTRIES, DIST)), ...(await build([READER_ENTRY], resolve(DIST, 'reader')))]
const folders = [...new Set(inside.filter((folder) => folder !== undefined))]
const { packages } = JSON.parse(await readFile(resolve(ROOT, 'package-lock.json'), 'utf8'))
const tools = folders.filter((folder) => packages[relative(ROOT, folder)]?.dev)
if (tools.length > 0) throw new Error(`In the bundle, but only installed for development: ${tools.join(', ')}`)
await writeFile(resolve(DIST, LICENCES), await describeLicences(folders))
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
const dependencies = Object.fromEntries(all.filter(([name]) => EXTERNAL.includes(name)))
const about = { name: 'bowerbird', version, description, keywords, license, repository, homepage, bugs, mcpName }
await writeFile(resolve(DIST, 'package.json'), JSON.stringify({ ...about, type, bin, engines, dependencies }, null, 2))
for (const document of DOCUMENTS) await cp(resolve(ROOT, document), resolve(DIST, document), { recursive: true })
