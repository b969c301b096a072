// Places by name and by point,
// their links, and what happens if geocoders fail or none is configured.
import { afterEach, describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const PATH = '/api/v1/maps/'
const KEYS = (
  'name display_name lat lon category type addresstype importance ' +
  'embed_url mini_embed_url osm_url directions_url geo_uri'
).split(' ')

const OSM = 'https://www.openstreetmap.org'
const EMBED = `${OSM}/export/embed.html`
const MARKED = 'layer=mapnik&marker=48.85826%2C2.294501'
const EIFFEL_TOWER = {
  name: 'Eiffel Tower',
  display_name: 'Eiffel Tower, 5, Avenue Anatole France, Paris, Île-de-France, 75007, France',
  lat: 48.8582599,
  lon: 2.2945006,
  category: 'man_made',
  type: 'tower',
  addresstype: 'man_made',
  importance: 0.6205937724353116,
  embed_url: `${EMBED}?bbox=2.293601%2C48.85736%2C2.295401%2C48.85916&${MARKED}`,
  mini_embed_url: `${EMBED}?bbox=2.286501%2C48.85026%2C2.302501%2C48.86626&${MARKED}`,
  osm_url: `${OSM}/way/5013364`,
  directions_url: `${OSM}/directions?engine=fossgis_osrm_car&route=%3B48.85826%2C2.294501`,
  geo_uri: 'geo:48.8582599,2.2945006',
}

describe('an instance with two geocoders', () => {
  const server = useTestInstance({ SEARCH_TIMEOUT_MS: '1000' })
  afterEach(() => server.sandbox.reset())

  const maps = (parameters: string, key?: string) => server.api.get(`${PATH}?${parameters}`, key ? { key } : {})
  const namesOf = async (parameters: string): Promise<string[]> =>
    (await maps(parameters)).json.places.map(({ name }: { name: string }) => name)
  const searchesOf = (slug: string) => server.sandbox.calls(slug).filter(({ path }) => path !== '/status').length

  it('returns exactly query and places for a name, and each place has exactly its 13 keys', async () => {
    const { status, json } = await maps('q=Eiffel%20Tower')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['query', 'places'])
    expect(json.query).toBe('Eiffel Tower')
    expect(json.places[0]).toEqual(EIFFEL_TOWER)
    expect(json.places).toHaveLength(10)
    for (const place of json.places) expect(Object.keys(place)).toEqual(KEYS)
  })

  it('returns the place at a point', async () => {
    const { status, json } = await maps('lat=48.8584&lon=2.2945')
    expect([status, json]).toEqual([200, { query: '48.8584,2.2945', places: [EIFFEL_TOWER] }])
  })

  it('returns no place for a point in the sea', async () => {
    expect((await maps('lat=-0.0&lon=-30.5')).json).toEqual({ query: '0,-30.5', places: [] })
  })

  it('lang is the language of the names, forward and reverse', async () => {
    expect((await namesOf('q=eiffel%20tower&lang=de'))[0]).toBe('Eiffelturm')
    expect((await namesOf('q=eiffel%20tower&lang=es-MX'))[0]).toBe('Torre Eiffel')
    expect(await namesOf('lat=48.8584&lon=2.2945&lang=fr')).toEqual(['Tour Eiffel'])
  })

  it('unknown parameters are ignored, as is limit for a point', async () => {
    const { status, json } = await maps('lat=48.8584&lon=2.2945&limit=3&engine=nosuch&page=x')
    expect([status, json.places]).toEqual([200, [EIFFEL_TOWER]])
  })

  it('responses are cached, ignoring case, white space, a smaller limit and a slightly different point', async () => {
    const query = freshQuery('Old Mill')
    for (const asked of [query, query.toUpperCase().replaceAll('%20', '%20%20'), `${query}&limit=3`]) {
      expect((await maps(`q=${asked}`)).status).toBe(200)
    }
    await maps('lat=48.200001&lon=16.37')
    await maps('lat=48.2&lon=16.370002')
    expect(searchesOf('nominatim')).toBe(2)
  })

  it('what a geocoder omits is empty, not missing', async () => {
    for (const slug of ['nominatim', 'photon']) server.sandbox.setFault(slug, { kind: 'omit-optional' })
    const { json } = await maps(`q=${freshQuery('Quay')}`)
    for (const place of json.places) {
      expect(Object.keys(place)).toEqual(KEYS)
      expect(place.osm_url).toContain('?mlat=')
      expect(place.name).not.toBe('')
    }
  })

  it('503 with Retry-After, never an empty list, if all fail; it is not counted, and no details leak', async () => {
    const key = await server.createKey()
    for (const slug of ['nominatim', 'photon']) server.sandbox.setFault(slug, { kind: 'status', status: 503 })
    for (const parameters of [`q=${freshQuery('Quay')}`, 'lat=41.9&lon=12.5']) {
      const { status, json, headers } = await maps(parameters, key)
      expect(status).toBe(503)
      expect(json).toEqual({ detail: expect.stringMatching(/^No maps provider responded\./) })
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    }
    expect((await server.api.get('/api/v1/usage/', { key })).json.searches).toBe(0)
    const { json } = await server.api.get('/api/v1/status/')
    const listed = json.providers.filter(({ group }: { group: string }) => group === 'maps')
    expect(
      listed.map(({ slug, name, monitor, state }: Record<string, string>) => [slug, name, monitor, state]),
    ).toEqual([
      ['nominatim', 'Nominatim', 'probe', 'down'],
      ['photon', 'Photon', 'probe', 'down'],
    ])
    for (const { last_error } of listed) expect(last_error).toMatch(/^[A-Z][a-z ,;']+\.$/)
  })
})
