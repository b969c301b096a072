// Nominatim: OpenStreetMap places by name or point. JSON over HTTP, no key, and no default URL: the public server
// requires callers to identify themselves, make at most one request a second per instance, cache answers, and not use
// it for autocomplete. So the operator sets NOMINATIM_URL, or OPERATOR_CONTACT to use the public one.
// Coordinates are strings. A point in the sea is a 200 whose `error` is a string, a wrong parameter a 400 whose `error`
// is an object. The public server's refusals are web pages, and a query that takes too long is a 503 in plain text.

import {
  boxOf,
  type GeoPlace,
  osmObjectOf,
  outOfOrder,
  placeAtPoint,
  placeSearch,
  pointOf,
  requestLanguage,
  requestSize,
  roundedPoint,
} from '../parsing/geo-place.ts'
import {
  asArray,
  asDescription,
  asTitle,
  hitsOf,
  type JsonObject,
  jsonListReply,
  jsonReply,
} from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const PUBLIC_HOST = 'nominatim.openstreetmap.org'
/** Statuses that blame the query: the rest of the request is ours, and the probe below checks the server itself. */
const QUERY_REFUSED = new Set([400, 414, 418])

const settings = { baseUrl: setting('NOMINATIM_URL') }

function placeOf(result: JsonObject): GeoPlace | undefined {
  const point = pointOf(result['lat'], result['lon'])
  if (!point) return undefined
  const [south, north, west, east] = asArray(result['boundingbox'])
  const { importance } = result
  const displayName = asDescription(result['display_name'])
  const name = asTitle(result['name']) || (displayName.split(',', 1)[0] ?? '')
  if (name === '') return undefined
  return {
    name,
    displayName: displayName || name,
    ...point,
    // Servers with the older format call it `class`.
    category: asTitle(result['category']) || asTitle(result['class']),
    type: asTitle(result['type']),
    addressType: asTitle(result['addresstype']),
    importance: typeof importance === 'number' && importance > 0 ? importance : 0,
    box: boxOf({ south, north, west, east }),
    osm: osmObjectOf(result['osm_type'], result['osm_id']),
  }
}

export const nominatimSearch = placeSearch<typeof settings>({
  request: (query) =>
    getJson('/search', {
      q: query.text,
      format: 'jsonv2',
      limit: requestSize(query),
      'accept-language': requestLanguage(query.lang),
    }),
  parse(reply, { now }): GeoPlace[] {
    if (QUERY_REFUSED.has(reply.status)) throw queryRefused()
    return hitsOf(jsonListReply(reply, { now }), placeOf)
  },
})

export const nominatimReverse = placeAtPoint<typeof settings>({
  request: (query) =>
    getJson('/reverse', {
      ...roundedPoint(query),
      format: 'jsonv2',
      zoom: 18,
      addressdetails: 0,
      'accept-language': requestLanguage(query.lang),
    }),
  parse(reply, { now }): GeoPlace | null {
    const result = jsonReply(reply, { now })
    if (typeof result['error'] === 'string') return null
    const place = placeOf(result)
    if (!place) throw new UpstreamError('malformed', 'The provider answered with a place that cannot be read.')
    return place
  },
})

export const nominatim = defineSource({
  slug: 'nominatim',
  name: 'Nominatim',
  homepage: 'https://nominatim.org',
  group: 'maps',
  settings,
  identifiedUrl: `https://${PUBLIC_HOST}`,
  terms: {
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '© OpenStreetMap contributors, ODbL 1.0',
    rateLimit: { calls: 1, perSeconds: 1 },
    rateLimitedHost: PUBLIC_HOST,
  },
  probe: {
    request: () => getJson('/status', { format: 'json' }),
    parse(reply, { now }) {
      // A server without its database reports that with HTTP status 200.
      if (jsonReply(reply, { now })['status'] !== 0) throw outOfOrder()
    },
  },
})
