import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mapFile, writeMapFile } from '../../test/support/map-file.ts'
import { diagnose } from '../operate/doctor/diagnose.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { findTileFile, openMapTiles, type TileFile } from './map-tiles.ts'

let folder: string
let good: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'map-tiles-'))
  good = join(folder, 'good.pmtiles')
  await writeMapFile(good)
})
afterAll(() => rm(folder, { recursive: true }))

const fileAt = (path: string): TileFile => {
  const found = findTileFile(path, folder)
  if (!found || !('file' in found)) throw new Error('It is refused.')
  return found.file
}

async function problemOf(content: Buffer): Promise<unknown> {
  const path = join(folder, 'bad.pmtiles')
  await writeFile(path, content)
  return findTileFile(path, folder)
}

const withByte = (at: number, value: number) => mapFile({ patch: (header) => header.writeUInt8(value, at) })
const problem = (text: string) => ({ problem: `${text}. See docs/set-up/map.md.` })

describe('the file of the map', () => {
  it('is read for its area and its size', () => {
    expect(fileAt(good)).toMatchObject({
      path: good,
      bytes: mapFile().length,
      bounds: { west: 2.2, south: 48.8, east: 2.4, north: 48.92 },
    })
  })

  it('has the same version wherever it is, and another if it is another', async () => {
    const [copy, other] = [join(folder, 'copy.pmtiles'), join(folder, 'other.pmtiles')]
    await writeMapFile(copy)
    await writeMapFile(other, { layers: ['earth', 'water', 'roads', 'more'] })
    expect(fileAt(copy).version).toBe(fileAt(good).version)
    expect(fileAt(other).version).not.toBe(fileAt(good).version)
  })

  it('is map.pmtiles in the data folder unless a setting names it', async () => {
    expect(findTileFile(undefined, folder)).toBeUndefined()
    const data = await mkdtemp(join(folder, 'data-'))
    await writeMapFile(join(data, 'map.pmtiles'))
    expect(findTileFile(undefined, data)).toMatchObject({ file: { path: join(data, 'map.pmtiles') } })
    await writeFile(join(data, 'map.pmtiles'), 'a web page that says 404')
    expect(findTileFile(undefined, data)).toEqual(
      problem("isn't set, and map.pmtiles in DATA_DIR is not a PMTiles archive"),
    )
    expect(findTileFile(good, data)).toMatchObject({ file: { path: good } })
  })

  it('stays as it was opened when another takes its place', async () => {
    const path = join(folder, 'replaced.pmtiles')
    await writeMapFile(path)
    const tiles = await openMapTiles(fileAt(path))
    await rm(path)
    await writeFile(path, 'another')
    expect((await tiles.read(0, 7)).toString()).toBe('PMTiles')
    await tiles.close()
  })

  it('that has become shorter is an error, not a piece of memory', async () => {
    const path = join(folder, 'cut.pmtiles')
    await writeMapFile(path)
    const tiles = await openMapTiles(fileAt(path))
    await writeFile(path, 'PMTiles')
    await expect(tiles.read(0, 100)).rejects.toThrow('shorter')
    await tiles.close()
  })
})

describe('a file that browsers could not draw is refused in a sentence', () => {
  it.each([
    ['an empty file', () => Buffer.alloc(0), 'is not a PMTiles archive'],
    ['another kind of file', () => Buffer.from('x'.repeat(500)), 'is not a PMTiles archive'],
    ['an older version', () => withByte(7, 2), 'is a PMTiles archive of version 2, and must be of version 3'],
    ['pictures', () => withByte(99, 2), 'must have vector tiles (MVT), not pictures'],
    ['tiles in Brotli', () => withByte(98, 3), 'must be compressed with gzip, which browsers can read, or not at all'],
    [
      'another schema',
      () => mapFile({ layers: ['transportation'] }),
      'is not a Protomaps basemap: it must have the layers earth, water, roads',
    ],
    [
      'no metadata',
      () => mapFile({ patch: (header) => header.writeBigUInt64LE(0n, 32) }),
      'is not a Protomaps basemap: it must have the layers earth, water, roads',
    ],
    [
      'endless metadata',
      () => mapFile({ patch: (header) => header.writeBigUInt64LE(2n ** 63n, 32) }),
      'has more metadata than a map needs',
    ],
  ])('%s', async (_what, content, text) => {
    expect(await problemOf(content())).toEqual(problem(text))
  })

  it('a download that broke off', async () => {
    const whole = mapFile()
    const text = `is cut off: it has 20000 of at least ${whole.length} bytes`
    expect(await problemOf(whole.subarray(0, 20_000))).toEqual(problem(text))
  })

  it('a folder, and nothing', () => {
    expect(findTileFile(folder, folder)).toEqual(problem('is not a file'))
    expect(findTileFile(join(folder, 'nowhere'), folder)).toEqual(problem('cannot be read (ENOENT)'))
  })

  it('at start, and by the doctor', async () => {
    const read = readConfiguration({ MAP_TILES: join(folder, 'nowhere') })
    const message = 'cannot be read (ENOENT). See docs/set-up/map.md.'
    expect(read.verdict).toEqual({ ok: false, mistakes: [{ env: 'MAP_TILES', message }] })
    expect(await diagnose(read)).toMatchObject([{ about: 'MAP_TILES', detail: `It ${message}` }])
  })
})
