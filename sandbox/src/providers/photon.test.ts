import { describe, expect, it } from 'vitest'
import { photon } from './photon.ts'
import { askProvider } from './provider-testing.ts'

interface Features {
  features: { properties: Record<string, unknown>; geometry: unknown }[]
  message: string
}

const ask = (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  askProvider<Features>(photon, { path, query, headers })

describe('Photon in the sandbox', () => {
  it('200: the documented example as GeoJSON, longitude first', () => {
    const { status, json } = ask('/api', { q: 'Eiffel Tower', lang: 'en' })
    expect(status).toBe(200)
    expect(json.features[0]).toEqual({
      type: 'Feature',
      properties: {
        osm_type: 'W',
        osm_id: 5013364,
        osm_key: 'man_made',
        osm_value: 'tower',
        type: 'house',
        name: 'Eiffel Tower',
        housenumber: '5',
        street: 'Avenue Anatole France',
        city: 'Paris',
        state: 'Île-de-France',
        postcode: '75007',
        country: 'France',
        countrycode: 'FR',
        extent: [2.2936006, 48.8591599, 2.2954006, 48.8573599],
        extra: {},
      },
      geometry: { type: 'Point', coordinates: [2.2945006, 48.8582599] },
    })
  })

  it('answers in the first supported language of the header', () => {
    const nameFor = (header: string) =>
      ask('/api', { q: 'eiffel' }, { 'accept-language': header }).json.features[0]?.properties['name']
    expect(nameFor('de-AT, en;q=0.5')).toBe('Eiffelturm')
    expect(nameFor('it, en;q=0.5')).toBe('Eiffel Tower')
    expect(nameFor('')).toBe('Tour Eiffel')
  })

  it('returns 15 places by default, as many as requested, and 50 at most', () => {
    const count = (query: Record<string, string>) => ask('/api', { q: 'harbour', ...query }).json.features.length
    expect([count({}), count({ limit: '3' }), count({ limit: '99' })]).toEqual([15, 3, 50])
    expect(ask('/api', { q: 'nothingtofind' }).json.features).toEqual([])
  })

  it('finds what is at a point, and nothing in the sea', () => {
    const [found] = ask('/reverse', { lat: '48.8584', lon: '2.2945', limit: '1' }).json.features
    expect(found?.properties['name']).toBe('Tour Eiffel')
    expect(ask('/reverse', { lat: '0', lon: '-30' }).json.features).toEqual([])
  })

  it('reports its status', () => {
    expect(ask('/status').json).toMatchObject({ status: 'Ok', version: '1.2.1' })
  })

  it.each([
    ['/api', {}],
    ['/api', { q: 'paris', nocache: '1' }],
    ['/api', { q: 'paris', lang: 'it' }],
    ['/api', { q: 'paris', limit: 'x' }],
    ['/reverse', { lat: '1' }],
    ['/reverse', { lat: '91', lon: '1' }],
    ['/reverse', { lat: '1', lon: '1', q: 'x' }],
  ])('400: %s %j, with a message', (path, query) => {
    const { status, json } = ask(path, query)
    expect([status, json]).toEqual([400, { message: expect.stringMatching(/\w/) }])
  })
})
