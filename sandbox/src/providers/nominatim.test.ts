import { describe, expect, it } from 'vitest'
import { nominatim } from './nominatim.ts'
import { askProvider } from './provider-testing.ts'

interface Found {
  lat: string
  lon: string
  name: string
  display_name: string
  osm_type?: string
  postcode_id?: string
  boundingbox: string[]
  [member: string]: unknown
}

const AGENT = { 'user-agent': 'Tester/1.0 (tester@example.org)' }
const ask = <Json>(path: string, query: Record<string, string>, headers: Record<string, string> = AGENT) =>
  askProvider<Json>(nominatim, { path, query, headers })
const search = (query: Record<string, string>) => ask<Found[]>('/search', { format: 'jsonv2', ...query })
const reverse = (query: Record<string, string>) =>
  ask<Found & { error: unknown }>('/reverse', { format: 'jsonv2', ...query })

describe('Nominatim in the sandbox: search', () => {
  it('200: the documented example, with coordinates and box as strings', () => {
    const { status, json } = search({ q: 'Eiffel Tower', 'accept-language': 'en' })
    expect(status).toBe(200)
    expect(json[0]).toEqual({
      place_id: expect.any(Number),
      licence: expect.stringContaining('ODbL'),
      osm_type: 'way',
      osm_id: 5013364,
      lat: '48.8582599',
      lon: '2.2945006',
      category: 'man_made',
      type: 'tower',
      place_rank: 30,
      importance: 0.6205937724353116,
      addresstype: 'man_made',
      name: 'Eiffel Tower',
      display_name: 'Eiffel Tower, 5, Avenue Anatole France, Paris, Île-de-France, 75007, France',
      boundingbox: ['48.8573599', '48.8591599', '2.2936006', '2.2954006'],
    })
  })

  it('names are local, unless a language is requested', () => {
    const nameIn = (query: Record<string, string>) => search({ q: 'tour eiffel', ...query }).json[0]?.name
    expect(nameIn({})).toBe('Tour Eiffel')
    expect(nameIn({ 'accept-language': 'de-AT,en;q=0.5' })).toBe('Eiffelturm')
    expect(
      ask<Found[]>('/search', { q: 'eiffel', format: 'jsonv2' }, { ...AGENT, 'accept-language': 'es' }).json[0]?.name,
    ).toBe('Torre Eiffel')
  })

  it('finds towns by their names in any language, and places in them', () => {
    expect(search({ q: 'München', 'accept-language': 'de' }).json[0]?.display_name).toBe('München, Bavaria, Germany')
    expect(search({ q: 'Paris, Texas' }).json[0]?.display_name).toBe('Paris, Texas, United States')
    expect(search({ q: 'paris' }).json[0]?.['addresstype']).toBe('city')
  })

  it('a postcode is not an OpenStreetMap object', () => {
    const [found] = search({ q: '75007' }).json
    expect(found?.osm_type).toBeUndefined()
    expect(found?.postcode_id).toBe('Pfr:75007')
  })

  it('coordinates are looked up as a point', () => {
    expect(search({ q: '48.8584, 2.2945' }).json.map(({ name }) => name)).toEqual(['Tour Eiffel'])
    expect(search({ q: '0 0' }).json).toEqual([])
  })

  it('finds something for any short name, and nothing for a sentence', () => {
    expect(search({ q: 'zanzibarry' }).json).toHaveLength(10)
    expect(search({ q: 'zanzibarry', limit: '45' }).json).toHaveLength(45)
    expect(search({ q: 'zanzibarry', limit: '500' }).json).toHaveLength(50)
    expect(search({ q: 'zanzibarry', limit: '0' }).json).toHaveLength(1)
    expect(search({ q: 'nothingtofind here' }).json).toEqual([])
    expect(search({ q: 'what is the meaning of life' }).json).toEqual([])
  })

  it('format=json calls the category class, no format is a redirect, others are XML', () => {
    expect(ask<Found[]>('/search', { q: 'paris', format: 'json' }).json[0]?.['class']).toBe('boundary')
    expect(ask('/search', { q: 'paris' }).status).toBe(302)
    expect(ask('/search', { q: 'paris', format: 'xml' }).text).toContain('<?xml')
  })

  it.each([
    ['limit that is no number', { q: 'paris', limit: 'abc' }],
    ['text and parts', { q: 'paris', city: 'paris' }],
    ['nothing', { q: ' ' }],
    ['unknown format', { q: 'paris', format: 'html' }],
  ])('400: %s, with an object as error', (_what, query) => {
    const { status, json } = ask<{ error: unknown }>('/search', { format: 'jsonv2', ...query })
    expect(status).toBe(400)
    expect(json.error).toEqual({ code: 400, message: expect.any(String) })
  })

  it('418: an IP address, with a web page', () => {
    const { status, text } = search({ q: '192.0.2.1' })
    expect([status, text]).toEqual([418, expect.stringContaining('<html>')])
  })

  it('403: a client that does not identify itself, with a web page', () => {
    for (const agent of ['', 'node', 'curl/8.0']) {
      const { status, text } = ask('/search', { q: 'paris', format: 'jsonv2' }, { 'user-agent': agent })
      expect([status, text]).toEqual([403, expect.stringContaining('Access blocked')])
    }
  })
})

describe('Nominatim in the sandbox: reverse, status and errors', () => {
  it('200: one object, with the address unless it is turned off', () => {
    const { status, json } = reverse({ lat: '48.8584', lon: '2.2945', 'accept-language': 'en' })
    expect([status, json.name]).toEqual([200, 'Eiffel Tower'])
    expect(json['address']).toMatchObject({ road: 'Avenue Anatole France', country_code: 'fr' })
    expect(reverse({ lat: '48.8584', lon: '2.2945', addressdetails: '0' }).json['address']).toBeUndefined()
  })

  it('200: a house in the town around it', () => {
    expect(reverse({ lat: '52.5', lon: '13.4' }).json.display_name).toMatch(/^\d+, \w+ Street, Berlin, .*Germany$/)
  })

  it('200: the sea, with a string as error', () => {
    expect(reverse({ lat: '0', lon: '-30' })).toMatchObject({ status: 200, json: { error: 'Unable to geocode' } })
  })

  it.each([{}, { lat: '1' }, { lat: 'x', lon: '1' }, { lat: '1', lon: 'NaN' }, { lat: '1', lon: '1', zoom: 'x' }])(
    '400: %j',
    (query) => {
      expect(reverse(query).status).toBe(400)
    },
  )

  it('without a format it answers in XML', () => {
    expect(ask('/reverse', { lat: '48.8584', lon: '2.2945' }).text).toContain('<?xml')
  })

  it('reports its status', () => {
    expect(ask('/status', { format: 'json' }).json).toEqual({
      status: 0,
      message: 'OK',
      data_updated: '2026-11-14T12:00:00+00:00',
      software_version: '5.2.0-0',
      database_version: '5.2.0-0',
    })
    expect(ask('/status', {}).text).toBe('OK')
  })

  it('its errors are web pages, a sentence, or an object', () => {
    const shapes = [403, 429, 503, 500].map((status) => nominatim.failure(0, status))
    expect(shapes.map((reply) => ('json' in reply ? 'json' : reply.contentType.split(';')[0]))).toEqual([
      'text/html',
      'text/html',
      'text/plain',
      'json',
    ])
  })
})
