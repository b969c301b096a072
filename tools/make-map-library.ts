// Regenerates server/src/site/maps/assets/library/: what the map on the website uses of MapLibre GL JS and PMTiles, as one module
// and the worker that it starts, compressed, with the licences of all that is in them. They are in the repository instead
// of among the packages that an instance installs, which would be 20 more with 30 MB, of which a browser loads these two
// files (docs/decisions/0037-a-map.md). Run it after an upgrade of either package.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown } from 'rolldown'

const PACKAGES = resolve(import.meta.dirname, '../node_modules')
const FOLDER = resolve(import.meta.dirname, '../server/src/site/maps/assets/library')

/** All that `site/maps/assets/map.js` imports. */
const ENTRY = `export { addProtocol, Map, Marker, setWorkerUrl } from 'maplibre-gl'
export { Protocol } from 'pmtiles'`
const ENTRY_ID = resolve(import.meta.dirname, 'the-map-library.js')

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: ENTRY_ID,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === ENTRY_ID ? ENTRY : null),
        resolveId: (id) => (id === ENTRY_ID ? id : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  return output[0].code
}

/** Their packages have no file for it. Both are under terms that another of them has. */
const WITHOUT_FILE: Record<string, string> = {
  pmtiles:
    "Copyright 2021 Protomaps LLC. All rights reserved. The conditions and the disclaimer are those of MapLibre's, above.",
  'murmurhash-js':
    'Copyright (c) 2011 Gary Court. The conditions and the disclaimer are those of the MIT licence, as of fflate above.',
}

async function licenceOf(name: string): Promise<string> {
  const files = await readdir(resolve(PACKAGES, name))
  const file = files.find((each) => /^licen[cs]e/i.test(each))
  const { version, license } = JSON.parse(await readFile(resolve(PACKAGES, name, 'package.json'), 'utf8'))
  const text = file === undefined ? WITHOUT_FILE[name] : await readFile(resolve(PACKAGES, name, file), 'utf8')
  if (text === undefined) throw new Error(`${name} has no licence.`)
  return `${name} ${version}, ${license}\n\n${text.trim()}\n`
}

async function licences(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(resolve(PACKAGES, 'maplibre-gl/package.json'), 'utf8'))
  const names = ['maplibre-gl', 'pmtiles', 'fflate', ...Object.keys(dependencies)]
  const texts = await Promise.all(names.filter((name) => !name.startsWith('@types/')).map(licenceOf))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

async function writeCompressed(file: string, code: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: code.length }
  await writeFile(resolve(FOLDER, `${file}.br`), brotliCompressSync(code, { params }))
}

await writeCompressed('map-library.js', await bundle())
await writeCompressed(
  'map-worker.js',
  await readFile(resolve(PACKAGES, 'maplibre-gl/dist/maplibre-gl-worker.mjs'), 'utf8'),
)
await writeFile(resolve(FOLDER, 'LICENSE'), await licences())
