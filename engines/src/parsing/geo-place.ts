// The queries and results that all geocoders share, and helpers to read their replies, which differ: Nominatim sends
// coordinates as strings and a box as [south, north, west, east]; Photon sends numbers and [west, north, east, south].
import { z } from 'zod'
import { defineCall, type SourceCall, type SourceSettings } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

export interface PlaceQuery {
  /** Trimmed, never empty. */
  text: string
  /** How many places to return, 1 to 50. We may request more from the geocoder, and it may find fewer. */
  limit: number
  /** A BCP 47 tag, or '' for English. */
  lang: string
}

export interface PointQuery {
  lat: number
  lon: number
  lang: string
}

const GeoBox = z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() })
/** In degrees. `west` is greater than `east` for a box across the antimeridian. */
export type GeoBox = z.infer<typeof GeoBox>

export const GeoPlace = z.object({
  /** All strings are plain text; '' if the geocoder doesn't say. */
  name: z.string(),
  displayName: z.string(),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  category: z.string(),
  type: z.string(),
  addressType: z.string(),
  /** From 0 to about 1; 0 if the geocoder doesn't say. */
  importance: z.number(),
  box: GeoBox.nullable(),
  /** Its OpenStreetMap object; null if the place was computed, such as a postcode. */
  osm: z.object({ type: z.enum(['node', 'way', 'relation']), id: z.int().positive() }).nullable(),
})
export type GeoPlace = z.infer<typeof GeoPlace>

/** Geocoders are asked for one of two sizes, so that requests for the same place share a cache entry. */
const SIZES = [10, 50]
/** About a metre: precise enough for any house, and nearby points share a cache entry. */
const POINT_DECIMALS = 5

const KEPT_SECONDS = 86_400

export const requestSize = ({ limit }: PlaceQuery): number => SIZES.find((size) => limit <= size) ?? limit

export const requestLanguage = (lang: string): string => lang || 'en'

export const placeKey = (query: PlaceQuery): string => {
  const text = query.text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')
  return `${text}\n${requestSize(query)}\n${requestLanguage(query.lang).toLowerCase()}`
}

export const roundedPoint = ({ lat, lon }: PointQuery): { lat: string; lon: string } => ({
  lat: plainDecimal(lat, POINT_DECIMALS),
  lon: plainDecimal(lon, POINT_DECIMALS),
})

export const pointKey = (query: PointQuery): string => {
  const { lat, lon } = roundedPoint(query)
  return `${lat},${lon}\n${requestLanguage(query.lang).toLowerCase()}`
}

type GeocoderCall<Query, Found, Settings extends SourceSettings> = Pick<
  SourceCall<Query, Found, Settings>,
  'request' | 'parse'
>

/** Places by name, best first. */
export const placeSearch = <Settings extends SourceSettings>(call: GeocoderCall<PlaceQuery, GeoPlace[], Settings>) =>
  defineCall<Settings>()({
    name: 'search',
    keepSeconds: KEPT_SECONDS,
    keyOf: placeKey,
    schema: z.array(GeoPlace),
    ...call,
  })

/** The place at a point, or null. */
export const placeAtPoint = <Settings extends SourceSettings>(
  call: GeocoderCall<PointQuery, GeoPlace | null, Settings>,
) =>
  defineCall<Settings>()({
    name: 'reverse',
    keepSeconds: KEPT_SECONDS,
    keyOf: pointKey,
    schema: GeoPlace.nullable(),
    ...call,
  })

export const outOfOrder = (): UpstreamError =>
  new UpstreamError('unreachable', 'The provider says that it is out of order.', { hasReplied: true })

/** Reads degrees from a number or a string; `undefined` for anything else. */
const degrees = (value: unknown, max: number): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  // Adding 0 turns -0 into 0.
  return typeof number === 'number' && Math.abs(number) <= max ? number + 0 : undefined
}

export const pointOf = (latitude: unknown, longitude: unknown): { lat: number; lon: number } | undefined => {
  const lat = degrees(latitude, 90)
  const lon = degrees(longitude, 180)
  return lat === undefined || lon === undefined ? undefined : { lat, lon }
}

/** Null if the box is invalid. That is no error, because a box only decides how much of the map is shown. */
export const boxOf = (sides: Record<keyof GeoBox, unknown>): GeoBox | null => {
  const [south, north] = [degrees(sides.south, 90), degrees(sides.north, 90)]
  const [west, east] = [degrees(sides.west, 180), degrees(sides.east, 180)]
  if (south === undefined || north === undefined || west === undefined || east === undefined) return null
  return south <= north ? { south, west, north, east } : null
}

const OSM_TYPES: Readonly<Record<string, 'node' | 'way' | 'relation'>> = {
  N: 'node',
  W: 'way',
  R: 'relation',
  node: 'node',
  way: 'way',
  relation: 'relation',
}

/** Ids exceed 32 bits by now, and old servers send them as strings. */
export const osmObjectOf = (type: unknown, id: unknown): GeoPlace['osm'] => {
  const known = typeof type === 'string' && Object.hasOwn(OSM_TYPES, type) ? OSM_TYPES[type] : undefined
  const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
  return known && typeof number === 'number' && Number.isSafeInteger(number) && number > 0
    ? { type: known, id: number }
    : null
}

/**
 * A plain decimal, as geo: URIs, map links and geocoders require: `0.0000001`, not `1e-7`; `0`, not `-0`; no trailing
 * zeros. `decimals` from 1 to 20; the number must be smaller than 1e21.
 */
export const plainDecimal = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** The number as JSON writes it, but never with an exponent. The number must be smaller than 1e21. */
export function exactDecimal(value: number): string {
  const text = String(value)
  const [, sign, whole, fraction = '', zeros] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return zeros === undefined ? text : `${sign}0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`
}
