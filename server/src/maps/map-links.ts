// The URLs of a place on openstreetmap.org, and its geo: URI. Bounding boxes there start with the longitude, everything
// else with the latitude. Coordinates in URLs have at most six decimals, the geo: URI has the place's own digits, and
// neither ever has an exponent, which JavaScript would write for small numbers and nobody else can read.

import type { GeoBox, GeoPlace } from '../providers/reading/geo-place.ts'
import { queryString } from '../providers/reading/query-string.ts'
import { exactDecimal, plainDecimal } from '../text/plain-decimal.ts'

export interface MapLinks {
  /** For an iframe: what the place covers, or its surroundings if it covers hardly anything. */
  embedUrl: string
  /** For a small iframe: the surroundings. */
  miniEmbedUrl: string
  /** The page of the object, or of the point where there is none. */
  osmUrl: string
  /** The way there, from wherever its reader says. */
  directionsUrl: string
  /** RFC 5870, with the same digits as `lat` and `lon`. */
  geoUri: string
}

const SITE = 'https://www.openstreetmap.org'
const DECIMALS = 6
/** From the point to each side of its surroundings, in degrees. */
const REACH = 0.008
/** About a hundred metres: a shorter side is no extent, as a node's, and a map of it would show nothing else. */
const SHORTEST_SIDE = 0.001
const POINT_ZOOM = 16
/** As many as openstreetmap.org itself writes at that zoom. */
const ZOOM_DECIMALS = 5

const degrees = (value: number): string => plainDecimal(value, DECIMALS)

export function mapLinks(place: Pick<GeoPlace, 'lat' | 'lon' | 'box' | 'osm'>): MapLinks {
  const [lat, lon] = [degrees(place.lat), degrees(place.lon)]
  const around = surroundings(place)
  return {
    embedUrl: embedUrl(place.box ? shownBox(place.box, place) : around, `${lat},${lon}`),
    miniEmbedUrl: embedUrl(around, `${lat},${lon}`),
    osmUrl: place.osm ? `${SITE}/${place.osm.type}/${place.osm.id}` : pointUrl(place),
    directionsUrl: `${SITE}/directions${queryString({ engine: 'fossgis_osrm_car', route: `;${lat},${lon}` })}`,
    geoUri: `geo:${exactDecimal(place.lat)},${exactDecimal(place.lon)}`,
  }
}

function embedUrl({ west, south, east, north }: GeoBox, marker: string): string {
  const bbox = [west, south, east, north].map(degrees).join(',')
  return `${SITE}/export/embed.html${queryString({ bbox, layer: 'mapnik', marker })}`
}

function pointUrl({ lat, lon }: { lat: number; lon: number }): string {
  const [y, x] = [lat, lon].map((value) => plainDecimal(value, ZOOM_DECIMALS))
  return `${SITE}/${queryString({ mlat: degrees(lat), mlon: degrees(lon) })}#map=${POINT_ZOOM}/${y}/${x}`
}

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value))

/** Cut off at the poles and at the antimeridian, beyond which the map would show another part of the world. */
const surroundings = ({ lat, lon }: { lat: number; lon: number }): GeoBox => ({
  south: within(lat - REACH, 90),
  north: within(lat + REACH, 90),
  west: within(lon - REACH, 180),
  east: within(lon + REACH, 180),
})

/**
 * The box to show for the box of a place: a side that is too short becomes that of the surroundings. Of a box across
 * the antimeridian only the part on the side of the point is shown: the map would take the whole for its opposite,
 * everything but the place.
 */
function shownBox(box: GeoBox, point: { lat: number; lon: number }): GeoBox {
  const around = surroundings(point)
  const { south, north, west, east } = box.west <= box.east ? box : nearPart(box, point.lon)
  const isLow = north - south < SHORTEST_SIDE
  const isNarrow = east - west < SHORTEST_SIDE
  return {
    south: isLow ? Math.min(south, around.south) : south,
    north: isLow ? Math.max(north, around.north) : north,
    west: isNarrow ? Math.min(west, around.west) : west,
    east: isNarrow ? Math.max(east, around.east) : east,
  }
}

const nearPart = (box: GeoBox, lon: number): GeoBox =>
  lon >= box.west ? { ...box, east: 180 } : { ...box, west: -180 }
