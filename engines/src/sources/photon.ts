// Photon: OpenStreetMap places by name or point. GeoJSON over HTTP, no key; the operator's own server, or
// photon.komoot.io within its fair use, as the operator chooses with PHOTON_URL. It has no importance and no complete
// address, so we assemble one. It refuses unknown parameters, and a `lang` that it wasn't built with, so the language
// is sent in the Accept-Language header, which is never refused.
import type { ProviderReply } from '../engine.ts'
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
  asObject,
  asString,
  asTitle,
  hitsOf,
  type JsonObject,
  jsonReply,
} from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { queryRefused } from '../parsing/status-error.ts'
import { setting } from '../setting.ts'
import { defineSource } from '../source.ts'
import { UpstreamError } from '../upstream-error.ts'

const settings = { baseUrl: setting('PHOTON_URL') }

/** A server that lacks the language uses English. */
const headersFor = (lang: string): Record<string, string> => ({
  'accept-language': requestLanguage(lang) === 'en' ? 'en' : `${lang}, en;q=0.5`,
})

function addressOf(properties: JsonObject): { name: string; displayName: string } {
  const part = (key: string) => asTitle(properties[key])
  const street = [part('street'), part('housenumber')].filter(Boolean).join(' ')
  const parts = [part('name'), street, part('locality'), part('district'), part('city'), part('county'), part('state')]
  const address = [...new Set([...parts, part('country')].filter(Boolean))]
  return { name: address[0] ?? '', displayName: asDescription(address.join(', ')) }
}

function placeOf(feature: JsonObject): GeoPlace | undefined {
  const [longitude, latitude] = asArray(asObject(feature['geometry'])['coordinates'])
  const point = pointOf(latitude, longitude)
  if (!point) return undefined
  const properties = asObject(feature['properties'])
  const address = addressOf(properties)
  if (address.name === '') return undefined
  const [west, north, east, south] = asArray(properties['extent'])
  return {
    ...address,
    ...point,
    category: asTitle(properties['osm_key']),
    type: asTitle(properties['osm_value']),
    addressType: asTitle(properties['type']),
    importance: 0,
    box: boxOf({ south, north, west, east }),
    osm: osmObjectOf(properties['osm_type'], properties['osm_id']),
  }
}

function placesIn(reply: ProviderReply, now: number): GeoPlace[] {
  const { features } = jsonReply(reply, { now })
  if (!Array.isArray(features)) throw new UpstreamError('malformed', 'The provider answered without a list of places.')
  return hitsOf(features, placeOf)
}

export const photonSearch = placeSearch<typeof settings>({
  request: (query) => getJson('/api', { q: query.text, limit: requestSize(query) }, headersFor(query.lang)),
  parse(reply, { now }): GeoPlace[] {
    // Photon sends 400 for any internal error, and only the query differs from one request to the next.
    if (reply.status === 400) throw queryRefused()
    return placesIn(reply, now)
  },
})

/** Photon looks no further than a kilometre. */
export const photonReverse = placeAtPoint<typeof settings>({
  request: (query) => getJson('/reverse', { ...roundedPoint(query), limit: 1 }, headersFor(query.lang)),
  parse: (reply, { now }): GeoPlace | null => placesIn(reply, now)[0] ?? null,
})

export const photon = defineSource({
  slug: 'photon',
  name: 'Photon',
  homepage: 'https://photon.komoot.io',
  group: 'maps',
  settings,
  terms: { cacheIn: 'shared', pricePerCallMicros: 0, attribution: '© OpenStreetMap contributors, ODbL 1.0' },
  probe: {
    request: () => getJson('/status'),
    parse(reply, { now }) {
      if (asString(jsonReply(reply, { now })['status']).toLowerCase() !== 'ok') throw outOfOrder()
    },
  },
})
