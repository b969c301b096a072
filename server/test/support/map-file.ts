// A small map for tests: a PMTiles archive of an invented town around the Eiffel Tower of the sandbox, in the layers of a
// Protomaps basemap: land, a river, a park, roads, houses and names.
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { zxyToTileId } from 'pmtiles'

type Point = [lon: number, lat: number]
type Properties = Record<string, string | number>

/** As in GeoJSON. */
interface Feature {
  type: 'Feature'
  geometry: { type: 'Point' | 'LineString' | 'Polygon'; coordinates: Point | Point[] | Point[][] }
  properties: Properties
}

const WEST = 2.2
const SOUTH = 48.8
const EAST = 2.4
const NORTH = 48.92
const MAX_ZOOM = 13

const feature = (geometry: Feature['geometry'], properties: Properties): Feature => ({
  type: 'Feature',
  geometry,
  properties,
})
const area = (kind: string, ...ring: Point[]): Feature =>
  feature({ type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] }, { kind })
const line = (properties: Properties, ...coordinates: Point[]): Feature =>
  feature({ type: 'LineString', coordinates }, properties)
const dot = (properties: Properties, coordinates: Point): Feature => feature({ type: 'Point', coordinates }, properties)
const block = (kind: string, [west, south]: Point, [width, height]: Point): Feature =>
  area(kind, [west, south], [west + width, south], [west + width, south + height], [west, south + height])

const steps = (from: number, to: number, by: number): number[] =>
  Array.from({ length: Math.round((to - from) / by) }, (_, at) => from + at * by)

const STREETS = [
  ...steps(WEST, EAST, 0.006).map((lon, at) =>
    line({ kind: at % 4 === 0 ? 'major_road' : 'minor_road', name: `Rue ${at + 1}` }, [lon, SOUTH], [lon, NORTH]),
  ),
  ...steps(SOUTH, NORTH, 0.005).map((lat, at) =>
    line({ kind: at % 4 === 0 ? 'major_road' : 'minor_road', name: `Allée ${at + 1}` }, [WEST, lat], [EAST, lat]),
  ),
]

/** By layer. */
const TOWN: Record<string, Feature[]> = {
  earth: [block('earth', [WEST - 5, SOUTH - 5], [10, 10])],
  water: [
    area(
      'river',
      [2.2, 48.84],
      [2.27, 48.853],
      [2.3, 48.864],
      [2.4, 48.85],
      [2.4, 48.845],
      [2.3, 48.859],
      [2.2, 48.835],
    ),
  ],
  landuse: [block('park', [2.2985, 48.851], [0.009, 0.006]), block('forest', [2.2, 48.87], [0.05, 0.03])],
  buildings: [block('building', [2.2925, 48.8575], [0.0025, 0.0015])],
  roads: [
    ...STREETS,
    line(
      { kind: 'highway', name: 'Périphérique' },
      [2.21, 48.81],
      [2.21, 48.9],
      [2.38, 48.91],
      [2.39, 48.82],
      [2.21, 48.81],
    ),
    line({ kind: 'rail' }, [2.2, 48.83], [2.4, 48.9]),
  ],
  boundaries: [line({ kind: 'region' }, [2.2, 48.815], [2.4, 48.805])],
  places: [
    dot({ kind: 'locality', name: 'Paris', 'name:de': 'Paris an der Probe', population_rank: 12 }, [2.32, 48.845]),
    dot({ kind: 'neighbourhood', name: 'Gros-Caillou' }, [2.304, 48.8595]),
    dot({ kind: 'neighbourhood', name: 'القدس' }, [2.312, 48.867]),
    dot({ kind: 'country', name: 'France' }, [2.3, 48.86]),
  ],
}

interface Tile {
  id: number
  bytes: Buffer
}

function tilesOf(town: typeof TOWN): Tile[] {
  const indexes = Object.entries(town).map(([name, features]) => {
    const data: { type: 'FeatureCollection'; features: Feature[] } = { type: 'FeatureCollection', features }
    return { name, index: new GeoJSONVT(data, { maxZoom: MAX_ZOOM, indexMaxZoom: MAX_ZOOM, indexMaxPoints: 0 }) }
  })
  const tiles = steps(0, MAX_ZOOM + 1, 1).flatMap((zoom) =>
    addressesAt(zoom).flatMap(([x, y]) => {
      const layers = indexes.flatMap(({ name, index }) => {
        const tile = index.getTile(zoom, x, y)
        return tile ? [[name, tile] as const] : []
      })
      const bytes = gzipSync(fromGeojsonVt(Object.fromEntries(layers), { version: 2, extent: 4096 }))
      return { id: zxyToTileId(zoom, x, y), bytes }
    }),
  )
  return tiles.toSorted((a, b) => a.id - b.id)
}

function addressesAt(zoom: number): [x: number, y: number][] {
  const x = (lon: number) => Math.floor(((lon + 180) / 360) * 2 ** zoom)
  const y = (lat: number) => Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** zoom)
  const rows = steps(y(NORTH), y(SOUTH) + 1, 1)
  return steps(x(WEST), x(EAST) + 1, 1).flatMap((column) => rows.map((row): [number, number] => [column, row]))
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

/** Columns: how much each number is more than the one before, how often each tile repeats, lengths, and that all follow each other. */
function directoryOf(tiles: readonly Tile[]): Buffer {
  const ids = tiles.map(({ id }, at) => id - (tiles[at - 1]?.id ?? 0))
  const columns = [
    ids,
    tiles.map(() => 1),
    tiles.map(({ bytes }) => bytes.length),
    tiles.map((_, at) => (at === 0 ? 1 : 0)),
  ]
  return gzipSync(Buffer.from([tiles.length, ...columns.flat()].flatMap(varint)))
}

let townTiles: Tile[] | undefined

export interface MapFileParts {
  /** The layers that the metadata name; those of the town if not given. */
  layers?: string[]
  /** Changes some bytes of the header. */
  patch?: (header: Buffer) => void
}

export function mapFile({ layers = Object.keys(TOWN), patch }: MapFileParts = {}): Buffer {
  townTiles ??= tilesOf(TOWN)
  const tiles = townTiles
  const root = directoryOf(tiles)
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers.map((id) => ({ id, fields: {} })) }))
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes))
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header.writeUInt8(3, 7)
  const afterHeader = header.length + root.length
  const sections = [
    [header.length, root.length],
    [afterHeader, metadata.length],
    [afterHeader + metadata.length, 0],
    [afterHeader + metadata.length, data.length],
  ]
  for (const [at, value] of [...sections.flat(), tiles.length, tiles.length, tiles.length].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * at)
  // Clustered; directories and tiles in gzip; vector tiles; zooms.
  for (const [at, value] of [1, 2, 2, 1, 0, MAX_ZOOM].entries()) header.writeUInt8(value, 96 + at)
  for (const [at, degrees] of [WEST, SOUTH, EAST, NORTH].entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at)
  patch?.(header)
  return Buffer.concat([header, root, metadata, data])
}

export const writeMapFile = (path: string, parts?: MapFileParts): Promise<void> => writeFile(path, mapFile(parts))
