// The operator's map: one PMTiles archive of vector tiles, in the layers of a Protomaps basemap. Browsers read it with
// range requests (`site/maps/tiles-page.ts`); the server only checks at start that they will be able to, by what the
// header and the metadata say. The specification: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { GeoBox } from '@bowerbird/engines/parsing/geo-place.ts'
import { z } from 'zod'
import { codeOf } from '../errors.ts'

/** A file that browsers can read. */
export interface TileFile {
  path: string
  bytes: number
  /** Names its content, the same on every node that has this file. */
  version: string
  /** The area that it covers. */
  bounds: GeoBox
}

export interface MapTiles extends Omit<TileFile, 'path'> {
  read: (start: number, length: number) => Promise<Buffer>
  close: () => Promise<void>
}

/** In the data folder, if no setting names another. */
const DEFAULT_NAME = 'map.pmtiles'

const HEADER_BYTES = 127
const MAX_METADATA_BYTES = 1_000_000
const COMPRESSIONS = { none: 1, gzip: 2 }
const VECTOR_TILES = 1
const DEGREE = 1e7

/** What our style draws first; a file without them is of another schema, and would be an empty map. */
const LAYERS = ['earth', 'water', 'roads']
const Metadata = z.object({ vector_layers: z.array(z.object({ id: z.string() })) })

class Unusable extends Error {}

/** `problem` goes on after the name of the setting. Undefined: there is no map. */
export function findTileFile(
  setting: string | undefined,
  dataFolder: string,
): { file: TileFile } | { problem: string } | undefined {
  const beside = join(dataFolder, DEFAULT_NAME)
  if (setting === undefined && !existsSync(beside)) return undefined
  try {
    return { file: inspect(setting ?? beside) }
  } catch (error) {
    const problem = error instanceof Unusable ? error.message : `cannot be read (${codeOf(error)})`
    const subject = setting === undefined ? `isn't set, and ${DEFAULT_NAME} in DATA_DIR ` : ''
    return { problem: `${subject}${problem}. See docs/set-up/map.md.` }
  }
}

function inspect(path: string): TileFile {
  // Doesn't wait for a pipe.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Unusable('is not a file')
    const header = Buffer.alloc(HEADER_BYTES)
    const isWhole = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES
    if (!isWhole || header.toString('latin1', 0, 7) !== 'PMTiles') throw new Unusable('is not a PMTiles archive')
    requireReadable(header, stat.size)
    const metadata = readMetadata(file, header)
    return { path, bytes: stat.size, version: versionOf(header, metadata), bounds: boundsOf(header) }
  } finally {
    closeSync(file)
  }
}

function requireReadable(header: Buffer, bytes: number): void {
  const version = header.readUInt8(7)
  if (version !== 3) throw new Unusable(`is a PMTiles archive of version ${version}, and must be of version 3`)
  if (header.readUInt8(99) !== VECTOR_TILES) throw new Unusable('must have vector tiles (MVT), not pictures')
  const compressions = [header.readUInt8(97), header.readUInt8(98)]
  if (!compressions.every((one) => Object.values(COMPRESSIONS).includes(one)))
    throw new Unusable('must be compressed with gzip, which browsers can read, or not at all')
  const end = Number(header.readBigUInt64LE(56) + header.readBigUInt64LE(64))
  if (end > bytes) throw new Unusable(`is cut off: it has ${bytes} of at least ${end} bytes`)
}

/** The metadata as they are in the file. */
function readMetadata(file: number, header: Buffer): Buffer {
  const [start, length] = [Number(header.readBigUInt64LE(24)), Number(header.readBigUInt64LE(32))]
  if (length > MAX_METADATA_BYTES) throw new Unusable('has more metadata than a map needs')
  const stored = Buffer.alloc(length)
  readSync(file, stored, 0, length, start)
  const layers = layersIn(stored, header.readUInt8(97) === COMPRESSIONS.gzip)
  if (!LAYERS.every((name) => layers.includes(name)))
    throw new Unusable(`is not a Protomaps basemap: it must have the layers ${LAYERS.join(', ')}`)
  return stored
}

function layersIn(stored: Buffer, isCompressed: boolean): string[] {
  try {
    const text = isCompressed ? gunzipSync(stored, { maxOutputLength: 10 * MAX_METADATA_BYTES }) : stored
    return Metadata.parse(JSON.parse(text.toString())).vector_layers.map(({ id }) => id)
  } catch {
    return []
  }
}

const versionOf = (...parts: Buffer[]): string =>
  createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 12)

function boundsOf(header: Buffer): GeoBox {
  const degrees = (at: number) => header.readInt32LE(at) / DEGREE
  return { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) }
}

/** The file stays open, so that one that is moved into its place later is only used after a restart, as a whole. */
export async function openMapTiles({ path, ...tiles }: TileFile): Promise<MapTiles> {
  const handle = await open(path)
  return { ...tiles, read: (start, length) => readRange(handle, start, length), close: () => handle.close() }
}

async function readRange(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, start)
  if (bytesRead < length) throw new Error('The file of the map has become shorter.')
  return buffer
}
