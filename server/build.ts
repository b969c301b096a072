// Builds a release: `npm run build` makes `dist/`, which is the npm package and what the container image runs. Plain
// JavaScript in one folder, the data files below it where they are in the source, and the packages that it depends on
// left to npm. It starts in about half the time of the source, which a clone runs directly.
import { chmod, cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '..')
const SOURCE = resolve(import.meta.dirname, 'src')
const DIST = resolve(ROOT, 'dist')

/** The program, and the threads that it starts from files of their own. */
const ENTRIES = ['bowerbird.ts', 'app/health/health-thread.ts', 'reader/extract/extract-thread.ts']
const NOT_DATA = ['**/*.ts', '**/fixtures/**', 'answers/*.txt']

/** Not the sandbox, which `bowerbird demo` needs, nor what the compiler adds. */
const isPackage = (id: string): boolean => /^[^./\0]/.test(id) && !/^@(?:bowerbird|oxc-project)\//.test(id)

/**
 * A module in a bundle has lost its place: files beside it are found from where it would be. Threads are next to the
 * bundle itself.
 */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(SOURCE)) return null
    const place = `new URL('./${relative(SOURCE, id)}', import.meta.url)`
    return code.replaceAll(/(?:'[^']*?([\w-]+-thread)\.ts', )?\bimport\.meta\.url/g, (_, thread?: string) =>
      thread === undefined ? place : `'./${thread}.js', import.meta.url`,
    )
  },
}

await rm(DIST, { recursive: true, force: true })
const input = ENTRIES.map((entry) => resolve(SOURCE, entry))
const bundle = await rolldown({ input, platform: 'node', external: isPackage, plugins: [keepPlaces] })
await bundle.write({ dir: DIST, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
await chmod(resolve(DIST, 'bowerbird.js'), 0o755)

for await (const entry of glob('**/*', { cwd: SOURCE, exclude: NOT_DATA, withFileTypes: true })) {
  const path = resolve(entry.parentPath, entry.name)
  if (entry.isFile()) await cp(path, resolve(DIST, relative(SOURCE, path)))
}

const { engines } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8'))
const { name, version, type, license, dependencies } = manifest
const packages = Object.fromEntries(Object.entries(dependencies).filter(([dependency]) => isPackage(dependency)))
const published = { name, version, type, license, engines, bin: { bowerbird: 'bowerbird.js' }, dependencies: packages }
await writeFile(resolve(DIST, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
await cp(resolve(ROOT, 'LICENSE'), resolve(DIST, 'LICENSE'))
