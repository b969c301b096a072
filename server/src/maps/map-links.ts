// The URLs of a place on openstreetmap.org, and its geo: URI. Bounding boxes there start with the longitude, everything
// else with the latitude. Coordinates in URLs have at most six decimals, and the geo: URI has the place's own digits.
// Neither ever has an exponent, which JavaScript uses for small numbers but other programs can't read.

import { exactDecimal, type GeoBox, type GeoPlace, plainDecimal } from '@bowerbird/engines/parsing/geo-place.ts'
import { queryString } from '@bowerbird/engines/parsing/json-request.ts'

export interface MapLinks {
  /** For an iframe: the extent of the place, or its surroundings if it has hardly any extent. */
  embedUrl: string
  /** For a small iframe: the surroundings. */
  miniEmbedUrl: string
  /** The page of the OSM object, or of the point if there is no object. */
  osmUrl: string
  /** Directions to the place; the user enters the starting point. */
  directionsUrl: string
  /** RFC 5870, with the same digits as `lat` and `lon`. */
  geoUri: string
}

/** A place with its links, as the API and the map card show it. */
export function presentPlace(place: GeoPlace) {
  const links = mapLinks(place)
  return {
    name: place.name,
    display_name: place.displayName,
    lat: place.lat,
    lon: place.lon,
    category: place.category,
    type: place.type,
    addresstype: place.addressType,
    importance: place.importance,
    embed_url: links.embedUrl,
    mini_embed_url: links.miniEmbedUrl,
    osm_url: links.osmUrl,
    directions_url: links.directionsUrl,
    geo_uri: links.geoUri,
  }
}

const SITE = 'https://www.openstreetmap.org'
const DECIMALS = 6
/** Distance from the point to each edge of its surroundings, in degrees. */
const REACH = 0.008
/** About 100 metres. A shorter side, such as a node's, is no real extent, and a map of it would show nothing else. */
const MIN_SIDE = 0.001
const POINT_ZOOM = 16
/** As many as openstreetmap.org itself uses at that zoom. */
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

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value))

/** Clamped to the poles and the antimeridian, beyond which the map would show another part of the world. */
const surroundings = ({ lat, lon }: { lat: number; lon: number }): GeoBox => ({
  south: clamp(lat - REACH, 90),
  north: clamp(lat + REACH, 90),
  west: clamp(lon - REACH, 180),
  east: clamp(lon + REACH, 180),
})

/**
 * Turns the box of a place into the box to show. A side that is too short is widened to the surroundings. A box that
 * crosses the antimeridian is reduced to the part on the point's side: openstreetmap.org would read the whole box as
 * its complement, everything but the place.
 */
function shownBox(box: GeoBox, point: { lat: number; lon: number }): GeoBox {
  const around = surroundings(point)
  const { south, north, west, east } = box.west <= box.east ? box : nearPart(box, point.lon)
  const isLow = north - south < MIN_SIDE
  const isNarrow = east - west < MIN_SIDE
  return {
    south: isLow ? Math.min(south, around.south) : south,
    north: isLow ? Math.max(north, around.north) : north,
    west: isNarrow ? Math.min(west, around.west) : west,
    east: isNarrow ? Math.max(east, around.east) : east,
  }
}

const nearPart = (box: GeoBox, lon: number): GeoBox =>
  lon >= box.west ? { ...box, east: 180 } : { ...box, west: -180 }
