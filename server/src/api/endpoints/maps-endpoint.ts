// GET /api/v1/maps/ (specification 2.8): places by name (`q`), or the place at a point (`lat` and `lon`). A request for
// both at once is refused: neither would be an answer to it.
import { z } from 'zod'
import { type MapLinks, mapLinks } from '../../maps/map-links.ts'
import { LONGEST_QUERY } from '../../search/read-filters.ts'
import type { GeoPlace } from '../../providers/reading/geo-place.ts'
import { plainDecimal } from '../../text/plain-decimal.ts'
import { defineEndpoint } from '../endpoint.ts'
import { langParam, longestQuery } from './search-params.ts'

const MOST_PLACES = 50
const DEFAULT_PLACES = 10
/** Of the point in `query`; a tenth of a metre. */
const POINT_DECIMALS = 6

const nameParam = longestQuery(z.string().trim())
  .default('')
  .meta({
    description: 'The name of a place, or an address. Needed unless `lat` and `lon` are given.',
    example: 'Eiffel Tower',
    schema: { type: 'string', maxLength: LONGEST_QUERY, default: '' },
  })

const limitParam = z
  .string()
  .trim()
  .default('')
  .transform((text, context) => {
    if (text === '') return DEFAULT_PLACES
    const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (limit < 1 || limit > MOST_PLACES) {
      context.addIssue({ code: 'custom', message: `Send a whole number from 1 to ${MOST_PLACES}.` })
    }
    return limit
  })
  .meta({
    description: 'How many places at most.',
    example: DEFAULT_PLACES,
    schema: { type: 'integer', minimum: 1, maximum: MOST_PLACES, default: DEFAULT_PLACES },
  })

/** `undefined` when it was not given. */
const degreesParam = (most: number, description: string, example: number) =>
  z
    .string()
    .trim()
    .default('')
    .transform((text, context) => {
      if (text === '') return undefined
      const value = /^[+-]?\d{1,3}(?:\.\d{0,20})?$/.test(text) ? Number(text) : Number.NaN
      if (Math.abs(value) <= most) return value
      context.addIssue({ code: 'custom', message: `Send a number of degrees from -${most} to ${most}.` })
      return Number.NaN
    })
    .meta({ description, example, schema: { type: 'number', minimum: -most, maximum: most } })

/** Judged even when another parameter is wrong, so that all mistakes are told at once. */
const always = (path: 'q' | 'lat' | 'lon', message: string) => ({ path: [path], message, when: () => true })

const MapsParams = z
  .object({
    q: nameParam,
    lat: degreesParam(90, 'Latitude of a point, with `lon` and instead of `q`.', 48.8584),
    lon: degreesParam(180, 'Longitude of a point, with `lat` and instead of `q`.', 2.2945),
    limit: limitParam,
    lang: langParam,
  })
  .refine(
    ({ q, lat, lon }) => q !== '' || lat !== undefined || lon !== undefined,
    always('q', 'Send the name of a place in q, or a point in lat and lon.'),
  )
  .refine(
    ({ q, lat, lon }) => q === '' || (lat === undefined && lon === undefined),
    always('q', 'Send either q, or lat and lon.'),
  )
  .refine(({ lat, lon }) => lat !== undefined || lon === undefined, always('lat', 'Send lat together with lon.'))
  .refine(({ lat, lon }) => lon !== undefined || lat === undefined, always('lon', 'Send lon together with lat.'))

const Place = z
  .object({
    name: z.string(),
    display_name: z.string().describe('With its whole address.'),
    lat: z.number(),
    lon: z.number(),
    category: z.string().describe('As OpenStreetMap tags it: `man_made`.'),
    type: z.string().describe('Likewise: `tower`.'),
    addresstype: z.string().describe('What it is as a part of an address: `city`, `road`, `house_number`.'),
    importance: z.number().describe('From 0 to about 1; 0 when the provider does not say.'),
    embed_url: z.url().describe('A map of it, for an iframe.'),
    mini_embed_url: z.url().describe('A map of its immediate surroundings, for a small iframe.'),
    osm_url: z.url().describe('Its page on openstreetmap.org.'),
    directions_url: z.url().describe('The way there, on openstreetmap.org.'),
    geo_uri: z.string().describe('RFC 5870: `geo:48.85826,2.294501`.'),
  })
  .meta({ id: 'Place' })

export const mapsEndpoint = defineEndpoint({
  name: 'maps',
  method: 'GET',
  path: '/api/v1/maps/',
  summary: 'Places',
  description:
    'Places by name (`q`), or the place at a point (`lat` and `lon`). The data are © OpenStreetMap contributors, ' +
    'which must be shown beside them.',
  params: MapsParams,
  reply: z.object({ query: z.string(), places: z.array(Place) }).meta({ id: 'MapsReply' }),
  counts: true,
  scope: 'maps',
  async handle({ params: { q, lat, lon, limit, lang }, services: { maps } }) {
    if (lat === undefined || lon === undefined) {
      const { places } = await maps.forward({ text: q, limit, lang })
      return { query: q, places: places.map(presentPlace) }
    }
    const { places } = await maps.reverse({ lat, lon, lang })
    const query = `${plainDecimal(lat, POINT_DECIMALS)},${plainDecimal(lon, POINT_DECIMALS)}`
    return { query, places: places.map(presentPlace) }
  },
})

const presentPlace = (place: GeoPlace): z.output<typeof Place> => {
  const links: MapLinks = mapLinks(place)
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
