// Open-Meteo's geocoder: places worldwide by name or postal code, with their time zone, from GeoNames. JSON over HTTP, no key on the
// free host. Its JSON leaves out every zero and every empty value: no match is a reply without `results`, and a place
// on the equator has no `latitude`. It also finds names that only start with the query, so callers must check the
// result.
import { z } from 'zod'
import { asArray, asString, asTitle, hitsOf, type JsonObject, jsonReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { secret, setting } from '../setting.ts'
import { defineCall, defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const MAX_PLACES = 10
const MAX_POSTCODES = 100
const POSTCODE = /^[A-Z\d][A-Z\d -]{1,9}$/i

const settings = {
  baseUrl: setting('OPENMETEOPLACES_URL', 'https://geocoding-api.open-meteo.com'),
  apiKey: secret('OPENMETEOPLACES_API_KEY', ''),
}

const FoundPlace = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** A GeoNames code: PPLC is a capital, PPL a populated place, PCLI a country, MT a mountain. */
  feature: z.string(),
  /** ISO 3166-1 alpha-2, or ''. */
  country: z.string(),
  /** The first level below the country, in the requested language, or ''. */
  region: z.string(),
  /** An IANA name, or ''. */
  zone: z.string(),
  /** 0: unknown. */
  population: z.number(),
  /** Those that GeoNames knows, which is few of a large city's. */
  postcodes: z.array(z.string()),
})
export type FoundPlace = z.infer<typeof FoundPlace>

export interface PlaceQuery {
  /** At least two characters, or a postal code. May be followed by a comma and a country or its first level. */
  name: string
  /** The language of the names returned; two lower-case letters. */
  language: string
}

const ZONE = /^[A-Za-z][A-Za-z_]{1,20}(?:\/[A-Za-z0-9_+-]{1,30}){0,2}$/

/** A missing value is zero; anything but a number is NaN. */
const numberOrZero = (value: unknown): number => {
  if (value === undefined || value === null) return 0
  return typeof value === 'number' ? value : Number.NaN
}

function placeOf(result: JsonObject): FoundPlace | undefined {
  const name = asTitle(result['name'])
  const [latitude, longitude] = [numberOrZero(result['latitude']), numberOrZero(result['longitude'])]
  if (name === '' || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  const [zone, country] = [asString(result['timezone']), asString(result['country_code']).toUpperCase()]
  return {
    name,
    latitude,
    longitude,
    feature: asTitle(result['feature_code']).slice(0, 10),
    country: /^[A-Z]{2}$/.test(country) ? country : '',
    region: asTitle(result['admin1']),
    zone: ZONE.test(zone) ? zone : '',
    population: Math.max(0, numberOrZero(result['population'])) || 0,
    postcodes: asArray(result['postcodes'])
      .slice(0, MAX_POSTCODES)
      .map(asString)
      .filter((code) => POSTCODE.test(code)),
  }
}

const requestFor = (query: PlaceQuery, apiKey: string, count: number) =>
  getJson('/v1/search', {
    name: query.name,
    count,
    language: query.language,
    format: 'json',
    apikey: apiKey || undefined,
  })

/** Finds places by name, best first; [] if there is none. */
export const openMeteoPlaces = defineCall<typeof settings>()({
  name: 'search',
  keepSeconds: 7 * 86_400,
  keyOf: ({ name, language }: PlaceQuery) => `${language} ${name.toLowerCase()}`,
  request: (query, { apiKey }) => requestFor(query, apiKey, MAX_PLACES),
  parse: (reply, { now }): FoundPlace[] => {
    const { results = [] } = jsonReply(reply, { now })
    if (!Array.isArray(results)) throw new UpstreamError('malformed', 'The provider answered with no list of places.')
    return hitsOf(results, placeOf)
  },
  schema: z.array(FoundPlace),
})

export const openmeteoplaces = defineSource({
  slug: 'openmeteoplaces',
  name: 'Open-Meteo places',
  homepage: 'https://open-meteo.com/en/docs/geocoding-api',
  group: 'weather',
  settings,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: 'Places from GeoNames, CC BY 4.0',
    rateLimit: { calls: 600, perSeconds: 60 },
    rateLimitedHost: 'geocoding-api.open-meteo.com',
  },
  probe: {
    request: (_query, { apiKey }) => requestFor({ name: 'Berlin', language: 'en' }, apiKey, 1),
    parse: (reply, { now }) => {
      if (hitsOf(jsonReply(reply, { now })['results'], placeOf).length === 0) {
        throw new UpstreamError('malformed', 'The provider answered with no place for a name that has one.')
      }
    },
  },
})
