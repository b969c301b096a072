// Parses a URL of the maps page: a place name or coordinates. Tolerant if there is a sensible fallback; incomplete or
// out-of-range coordinates are an error, because any guess would be a different place.

import { plainDecimal } from '@bowerbird/engines/parsing/geo-place.ts'
import { z } from 'zod'

export const MapsQuery = z.object({
  q: z.string().catch(''),
  lat: z.string().catch(''),
  lon: z.string().catch(''),
  limit: z.string().catch(''),
  show: z.string().catch(''),
})

export type PlaceQuery =
  | { kind: 'nothing' }
  | { kind: 'name'; text: string; limit: number }
  | { kind: 'point'; lat: number; lon: number; written: string }
  | { kind: 'badPoint' }

export const USUAL_PLACES = 10
export const MOST_PLACES = 50

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{0,20})?$/
/** About a metre, the precision that geocoders are asked with. */
const SHOWN_DECIMALS = 5

/** A name takes precedence over coordinates, because it is what the search field shows. */
export function parsePlaceQuery({ q, lat, lon, limit }: z.output<typeof MapsQuery>): PlaceQuery {
  const text = q.trim()
  if (text !== '') return { kind: 'name', text, limit: readLimit(limit) }
  if (lat.trim() === '' && lon.trim() === '') return { kind: 'nothing' }
  const point = { lat: degreesIn(lat, 90), lon: degreesIn(lon, 180) }
  if (point.lat === undefined || point.lon === undefined) return { kind: 'badPoint' }
  return { kind: 'point', lat: point.lat, lon: point.lon, written: writtenPoint({ lat: point.lat, lon: point.lon }) }
}

export const writtenPoint = ({ lat, lon }: { lat: number; lon: number }): string =>
  `${plainDecimal(lat, SHOWN_DECIMALS)}, ${plainDecimal(lon, SHOWN_DECIMALS)}`

function degreesIn(written: string, most: number): number | undefined {
  const text = written.trim()
  const value = DEGREES.test(text) ? Number(text) : Number.NaN
  return Math.abs(value) <= most ? value : undefined
}

/** Which place's map is open, from 1; 0 for none. */
export const readShown = ({ show }: z.output<typeof MapsQuery>): number => (/^\d{1,2}$/.test(show) ? Number(show) : 0)

function readLimit(written: string): number {
  const limit = /^\d{1,2}$/.test(written) ? Number(written) : 0
  return limit >= 1 && limit <= MOST_PLACES ? limit : USUAL_PLACES
}
