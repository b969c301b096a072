// GET /api/v1/maps/: places by name (`q`), or the place at a point (`lat` and `lon`). A request
// with both is refused, because no single answer would fit both.

import { plainDecimal } from '@bowerbird/engines/parsing/geo-place.ts'
import { z } from 'zod'
import { presentPlace } from '../../maps/map-links.ts'
import type { Maps } from '../../maps/maps.ts'
import { GUARD_HEADER } from '../../search/query-guard.ts'
import { MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import { readWholeNumber } from '../../text/query-params.ts'
import { defineEndpoint } from '../endpoint.ts'
import { alwaysChecked, degreesParam, latWithLon, lonWithLat } from './place-params.ts'
import { langParam, limitQueryLength } from './search-params.ts'

const MAX_PLACES = 50
const DEFAULT_PLACES = 10
/** Decimals of the point in `query`: a tenth of a metre. */
const POINT_DECIMALS = 6

const nameParam = limitQueryLength(z.string().trim())
  .default('')
  .meta({
    description: 'A place name or an address. Required unless `lat` and `lon` are given.',
    example: 'Eiffel Tower',
    schema: { type: 'string', maxLength: MAX_QUERY_LENGTH, default: '' },
  })

const limitParam = z
  .string()
  .trim()
  .default('')
  .transform((text, context) => {
    if (text === '') return DEFAULT_PLACES
    const limit = readWholeNumber(text) ?? 0
    if (limit < 1 || limit > MAX_PLACES) {
      context.addIssue({ code: 'custom', message: `Send a whole number from 1 to ${MAX_PLACES}.` })
    }
    return limit
  })
  .meta({
    description: 'Maximum number of places.',
    example: DEFAULT_PLACES,
    schema: { type: 'integer', minimum: 1, maximum: MAX_PLACES, default: DEFAULT_PLACES },
  })

const MapsParams = z
  .object({
    q: nameParam,
    lat: degreesParam(90, 'Latitude of a point. Send it with `lon`, instead of `q`.', 48.8584),
    lon: degreesParam(180, 'Longitude of a point. Send it with `lat`, instead of `q`.', 2.2945),
    limit: limitParam,
    lang: langParam,
  })
  .refine(
    ({ q, lat, lon }) => q !== '' || lat !== undefined || lon !== undefined,
    alwaysChecked('q', 'Send a place name in q, or a point in lat and lon.'),
  )
  .refine(
    ({ q, lat, lon }) => q === '' || (lat === undefined && lon === undefined),
    alwaysChecked('q', 'Send either q or lat and lon, not both.'),
  )
  .refine(...latWithLon)
  .refine(...lonWithLat)

const Place = z
  .object({
    name: z.string(),
    display_name: z.string().describe('The name with the full address.'),
    lat: z.number(),
    lon: z.number(),
    category: z.string().describe('As tagged in OpenStreetMap, such as `man_made`.'),
    type: z.string().describe('As tagged in OpenStreetMap, such as `tower`.'),
    addresstype: z.string().describe('Its role in an address, such as `city`, `road` or `house_number`.'),
    importance: z.number().describe('From 0 to about 1; 0 if the provider gives none.'),
    embed_url: z.url().describe('A map of the place, for an iframe.'),
    mini_embed_url: z.url().describe('A map of its immediate surroundings, for a small iframe.'),
    osm_url: z.url().describe('Its page on openstreetmap.org.'),
    directions_url: z.url().describe('Directions to it, on openstreetmap.org.'),
    geo_uri: z.string().describe('RFC 5870: `geo:48.8582599,2.2945006`.'),
  })
  .meta({ id: 'Place' })

export const mapsEndpoint = (maps: Maps) =>
  defineEndpoint({
    name: 'maps',
    method: 'GET',
    path: '/api/v1/maps/',
    summary: 'Places',
    description:
      'Places by name (`q`), or the place at a point (`lat` and `lon`). The data is © OpenStreetMap contributors; ' +
      'show this notice wherever you show the data.',
    params: MapsParams,
    reply: z.object({ query: z.string(), places: z.array(Place) }).meta({ id: 'MapsReply' }),
    counts: true,
    scope: 'maps',
    headers: GUARD_HEADER,
    async handle({ params: { q, lat, lon, limit, lang }, caller }) {
      if (lat === undefined || lon === undefined) {
        const { places } = await maps.forward(caller, { text: q, limit, lang })
        return { query: q, places: places.map(presentPlace) }
      }
      const { places } = await maps.reverse(caller, { lat, lon, lang })
      const query = `${plainDecimal(lat, POINT_DECIMALS)},${plainDecimal(lon, POINT_DECIMALS)}`
      return { query, places: places.map(presentPlace) }
    },
  })
