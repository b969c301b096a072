// Nominatim as the public server runs it: `GET /search`, `/reverse` and `/status`, keyless. Coordinates are strings, a
// point in the sea is a 200 with `error` as a string, a wrong parameter a 400 with `error` as an object, and a client
// that does not identify itself gets a web page, as do a query that looks like an IP address (418) and too many
// requests (429). Our own choice: an empty request is a 400, and formats other than the two JSON lists are answered in
// XML.
import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { addressLines, findPlaces, firstLanguage, nameIn, type Place, placeAt } from '../corpus/places.ts'
import { defineProvider, type ProviderReply, type ProviderRequest } from './provider.ts'

/** Default names of libraries. */
const NAMELESS_AGENT = /^(?:node|undici|axios|got|curl|wget|python|go-http|java|okhttp)\b/i
const IPV4 = /^\s*\d{1,3}(?:\.\d{1,3}){3}\s*$/
const COORDINATES = /^\s*(-?\d{1,2}(?:\.\d+)?)[\s,]+(-?\d{1,3}(?:\.\d+)?)\s*$/
const STRUCTURED = ['amenity', 'street', 'city', 'county', 'state', 'country', 'postalcode']
const FORMATS = ['xml', 'json', 'jsonv2', 'geojson', 'geocodejson']
const MOST_PLACES = 50

const page = (status: number, title: string, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers: { 'x-nominatim-server': 'sandbox', ...headers },
  text: `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  contentType: 'text/html; charset=utf-8',
})

const error = (status: number, message: string): ProviderReply => ({
  status,
  json: { error: { code: status, message } },
})

const blocked = () => page(403, 'Access blocked')
const tooMuch = (status: number, headers?: Record<string, string>) => page(status, 'Bandwidth limit exceeded', headers)

export const nominatim = defineProvider({
  slug: 'nominatim',
  key: '',
  readsHeaders: ['user-agent', 'accept-language'],
  optionalMembers: ['place_id', 'osm_type', 'osm_id', 'postcode_id', 'name', 'icon', 'address', 'extratags'],
  answer(request, corpus) {
    const { method, path, headers, query } = request
    if (method !== 'GET' || !['/search', '/reverse', '/status'].includes(path)) return undefined
    const agent = headers['user-agent'] ?? ''
    if (agent === '' || NAMELESS_AGENT.test(agent)) return blocked()
    if (path === '/status') return status(request)
    const format = query.get('format')
    if (format === null && path === '/search') return redirect
    if (format !== null && !FORMATS.includes(format)) return error(400, "Parameter 'format' must be one of: jsonv2, …")
    const isEmpty = corpus === EMPTY_CORPUS
    const reply = path === '/search' ? search(request, isEmpty) : reverse(request, isEmpty)
    return reply.status === 200 && format !== 'jsonv2' && format !== 'json' ? XML_REPLY : reply
  },
  badKey: blocked,
  throttled: (_now, retryAfterSeconds) => tooMuch(429, { 'retry-after': String(retryAfterSeconds) }),
  failure(_now, status) {
    if (status === 403) return blocked()
    if (status === 429) return tooMuch(status)
    if (status !== 503) return error(status, 'Unexpected error.')
    return { status, text: 'Query took too long to process.', contentType: 'text/plain; charset=utf-8' }
  },
})

const redirect: ProviderReply = { ...page(302, 'Found'), headers: { location: '/ui/search.html' } }

const XML_REPLY: ProviderReply = {
  status: 200,
  text: '<?xml version="1.0" encoding="UTF-8" ?>\n<searchresults></searchresults>\n',
  contentType: 'text/xml; charset=utf-8',
}

const status = ({ query, now }: ProviderRequest): ProviderReply =>
  query.get('format') === 'json'
    ? {
        status: 200,
        json: {
          status: 0,
          message: 'OK',
          data_updated: new Date(now).toISOString().replace('.000Z', '+00:00'),
          software_version: '5.2.0-0',
          database_version: '5.2.0-0',
        },
      }
    : { status: 200, text: 'OK', contentType: 'text/plain; charset=utf-8' }

/** As Python parses a number. */
function numberIn(query: URLSearchParams, name: string): number | ProviderReply {
  const given = query.get(name)
  if (given === null) return error(400, `Parameter '${name}' missing.`)
  const value = /^\s*[-+]?\d{1,20}(?:\.\d{0,30})?\s*$/.test(given) ? Number(given) : Number.NaN
  return Number.isNaN(value) ? error(400, `Parameter '${name}' must be a number.`) : value
}

function search(request: ProviderRequest, isEmpty: boolean): ProviderReply {
  const { query } = request
  const text = query.get('q') ?? ''
  if (IPV4.test(text)) return { ...blocked(), status: 418 }
  const isStructured = STRUCTURED.some((name) => query.has(name))
  if (isStructured && text !== '') {
    return error(400, "Structured query parameters (amenity, street, …) can't be used together with 'q' parameter.")
  }
  if (text.trim() === '') return error(400, 'Nothing to search for.')
  const limit = query.has('limit') ? numberIn(query, 'limit') : 10
  if (typeof limit !== 'number') return limit
  const count = Math.min(Math.max(Math.trunc(limit), 1), MOST_PLACES)
  const found = isEmpty ? [] : foundBy(text)
  return { status: 200, json: found.slice(0, count).map((place) => present(place, request, '0')) }
}

/** Coordinates alone are looked up as a point, and still answered with a list. */
function foundBy(text: string): Place[] {
  const [, lat, lon] = COORDINATES.exec(text) ?? []
  if (lat === undefined || lon === undefined) return findPlaces(text)
  const place = placeAt({ lat: Number(lat), lon: Number(lon) })
  return place ? [place] : []
}

function reverse(request: ProviderRequest, isEmpty: boolean): ProviderReply {
  const lat = numberIn(request.query, 'lat')
  if (typeof lat !== 'number') return lat
  const lon = numberIn(request.query, 'lon')
  if (typeof lon !== 'number') return lon
  const zoom = request.query.has('zoom') ? numberIn(request.query, 'zoom') : 18
  if (typeof zoom !== 'number') return zoom
  const place = isEmpty ? undefined : placeAt({ lat, lon })
  return { status: 200, json: place ? present(place, request, '1') : { error: 'Unable to geocode' } }
}

function present(place: Place, { query, headers }: ProviderRequest, details: '0' | '1'): unknown {
  const lang = firstLanguage(query.get('accept-language') ?? headers['accept-language'] ?? '')
  const { lat, lon, reach } = place
  const object = place.osmType
    ? { osm_type: place.osmType, osm_id: place.id }
    : { postcode_id: `P${place.countryCode}:${place.id}` }
  return {
    place_id: 80_000_000 + (place.id % 9_999_999),
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0. https://osm.example/copyright',
    ...object,
    lat: lat.toFixed(7),
    lon: lon.toFixed(7),
    [query.get('format') === 'json' ? 'class' : 'category']: place.category,
    type: place.type,
    place_rank: place.rank,
    importance: place.importance,
    addresstype: place.addressType,
    name: nameIn(place, lang),
    display_name: addressLines(place, lang).join(', '),
    ...((query.get('addressdetails') ?? details) !== '0' && { address: addressOf(place, lang) }),
    boundingbox: [lat - reach, lat + reach, lon - reach, lon + reach].map((side) => side.toFixed(7)),
  }
}

function addressOf(place: Place, lang: string): Record<string, string> {
  const { houseNumber, road, city, state, postcode, country } = place.address
  const parts = {
    [place.addressType]: nameIn(place, lang),
    house_number: houseNumber,
    road,
    city,
    state,
    postcode,
    country,
    country_code: place.countryCode,
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''))
}
