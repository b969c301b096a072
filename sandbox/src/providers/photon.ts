// Photon: `GET /api`, `/reverse` and `/status`, keyless: GeoJSON, with coordinates and boxes that begin with the
// longitude. Unknown parameters are refused, and so is a `lang` it was not built with; Accept-Language never is. Our
// own choice: it knows default, en, de and fr, and the wording of errors other than that for unknown parameters.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { findPlaces, firstLanguage, nameIn, type Place, placeAt } from '../corpus/places.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

const LANGUAGES = ['default', 'en', 'de', 'fr']
const SHARED = ['lang', 'limit', 'debug', 'dedupe', 'geometry', 'osm_tag', 'layer', 'include', 'exclude']
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/api': [...SHARED, 'q', 'lat', 'lon', 'zoom', 'location_bias_scale', 'bbox', 'countrycode'],
  '/reverse': [...SHARED, 'lat', 'lon', 'radius', 'query_string_filter', 'distance_sort'],
  '/status': [],
}
const DEFAULT_LIMIT = 15
const MOST_PLACES = 50

const message = (status: number, text: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  json: { message: text },
})

export const photon = defineProvider({
  slug: 'photon',
  key: '',
  readsHeaders: ['accept-language'],
  optionalMembers: ['extent', 'extra', 'postcode', 'housenumber', 'street', 'city', 'state', 'country', 'countrycode'],
  answer(request, corpus) {
    const { method, path, query } = request
    const allowed = Object.hasOwn(PARAMETERS, path) ? PARAMETERS[path] : undefined
    if (method !== 'GET' || !allowed) return undefined
    if (path === '/status') return status(request)
    const unknown = [...query.keys()].find((name) => !allowed.includes(name))
    if (unknown !== undefined) {
      return message(400, `Unknown query parameter '${unknown}'.  Allowed parameters are: [${allowed.join(', ')}]`)
    }
    const lang = query.get('lang')
    if (lang !== null && !LANGUAGES.includes(lang)) {
      return message(400, `Language is not supported. Supported are: ${LANGUAGES.join(', ')}`)
    }
    const isEmpty = corpus === EMPTY_CORPUS
    return path === '/api' ? search(request, isEmpty) : reverse(request, isEmpty)
  },
  badKey: () => message(403, 'Forbidden'),
  throttled: (_now, retryAfterSeconds) =>
    message(429, 'Too many requests', { 'retry-after': String(retryAfterSeconds) }),
  failure: (_now, status) => message(status, 'Internal error'),
})

const status = ({ now }: ProviderRequest): ProviderReply => ({
  status: 200,
  json: {
    status: 'Ok',
    import_date: new Date(now - (now % 604_800_000)).toISOString(),
    version: '1.2.1',
    git_commit: 'a1b2c3d',
  },
})

function limitIn(query: URLSearchParams, fallback: number): number | undefined {
  const given = query.get('limit')
  if (given === null) return fallback
  return /^\d{1,9}$/.test(given) ? Math.min(Math.max(Number(given), 1), MOST_PLACES) : undefined
}

function search(request: ProviderRequest, isEmpty: boolean): ProviderReply {
  const text = request.query.get('q')?.trim() ?? ''
  const limit = limitIn(request.query, DEFAULT_LIMIT)
  if (text === '') return message(400, "Missing search term 'q'.")
  if (limit === undefined) return message(400, "Invalid value for 'limit' parameter.")
  return collection(isEmpty ? [] : findPlaces(text).slice(0, limit), request)
}

function reverse(request: ProviderRequest, isEmpty: boolean): ProviderReply {
  const { query } = request
  for (const [name, most] of [['lat', 90] as const, ['lon', 180] as const]) {
    const given = query.get(name)
    const isFine = given !== null && /^-?\d{1,3}(?:\.\d+)?$/.test(given) && Math.abs(Number(given)) <= most
    if (!isFine) return message(400, `Invalid value for '${name}' parameter.`)
  }
  if (limitIn(query, 1) === undefined) return message(400, "Invalid value for 'limit' parameter.")
  const place = placeAt({ lat: Number(query.get('lat')), lon: Number(query.get('lon')) })
  return collection(isEmpty || !place ? [] : [place], request)
}

const collection = (places: readonly Place[], request: ProviderRequest): ProviderReply => ({
  status: 200,
  json: { type: 'FeatureCollection', features: places.map((place) => feature(place, languageOf(request))) },
})

/** Unlike in `lang`, a language that it was not built with is skipped. */
function languageOf({ query, headers }: ProviderRequest): string {
  const wanted = query.get('lang') ?? (headers['accept-language'] ?? '').split(',').map(firstLanguage)
  const languages = typeof wanted === 'string' ? [wanted] : wanted
  return languages.find((lang) => LANGUAGES.includes(lang)) ?? 'default'
}

function feature(place: Place, lang: string): unknown {
  const { lat, lon, reach, address } = place
  const named = {
    name: nameIn(place, lang),
    housenumber: address.houseNumber,
    street: address.road,
    city: address.city,
    state: address.state,
    postcode: address.postcode,
    country: address.country,
    countrycode: place.countryCode.toUpperCase(),
  }
  return {
    type: 'Feature',
    properties: {
      osm_type: (place.osmType ?? 'node').charAt(0).toUpperCase(),
      osm_id: place.id,
      osm_key: place.category === 'boundary' ? 'place' : place.category,
      osm_value: place.category === 'boundary' ? place.addressType : place.type,
      type: layerOf(place),
      ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== '')),
      ...(place.osmType !== 'node' && { extent: [lon - reach, lat + reach, lon + reach, lat - reach].map(degrees) }),
      extra: {},
    },
    geometry: { type: 'Point', coordinates: [lon, lat] },
  }
}

const degrees = (value: number): number => Number(value.toFixed(7))

function layerOf({ category, addressType }: Place): string {
  if (category === 'boundary') return 'city'
  return addressType === 'road' ? 'street' : 'house'
}
