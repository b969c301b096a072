import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { openMeteoPlaces, openmeteoplaces } from './openmeteoplaces.ts'

const SETTINGS = { baseUrl: '', apiKey: '' }
const QUERY = { name: 'Zürich, CH', language: 'de' }
const asked = { query: QUERY, now: 0 }

const parse = (body: unknown, status = 200) =>
  openMeteoPlaces.parse({ status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }, asked)

describe('openmeteoplaces requests', () => {
  it('are the documented ones', () => {
    expect(openMeteoPlaces.request(QUERY, SETTINGS)).toEqual({
      path: '/v1/search?name=Z%C3%BCrich%2C%20CH&count=10&language=de&format=json',
      headers: { accept: 'application/json' },
    })
    expect(openMeteoPlaces.request(QUERY, { ...SETTINGS, apiKey: 'k' }).path).toMatch(/&apikey=k$/)
    expect(openmeteoplaces.probe?.request(null, SETTINGS).path).toBe(
      '/v1/search?name=Berlin&count=1&language=en&format=json',
    )
  })

  it('are the same for the same name in another case', () => {
    expect(openMeteoPlaces.keyOf(QUERY)).toBe(openMeteoPlaces.keyOf({ ...QUERY, name: 'zürich, ch' }))
    expect(openMeteoPlaces.keyOf(QUERY)).not.toBe(openMeteoPlaces.keyOf({ ...QUERY, language: 'fr' }))
  })
})

describe('openmeteoplaces replies', () => {
  it('omit zeros; results that cannot be a place are dropped', () => {
    const found = openMeteoPlaces.parse(readFixture('openmeteoplaces-places', 'sources'), asked)
    expect(found).toEqual([
      {
        name: 'Bowerville & Sons',
        latitude: 48.85341,
        longitude: 2.3488,
        feature: 'PPLC',
        country: 'FR',
        region: 'Île-de-France',
        zone: 'Europe/Paris',
        population: 2138551,
        postcodes: ['75001'],
      },
      {
        name: 'Equator Landing',
        latitude: 0,
        longitude: 36.1,
        feature: 'PPL',
        country: '',
        region: '',
        zone: '',
        population: 0,
        postcodes: [],
      },
      {
        name: 'Strange Zone',
        latitude: 1.5,
        longitude: 0,
        feature: '',
        country: '',
        region: '',
        zone: '',
        population: 0,
        postcodes: [],
      },
    ])
    expect(openMeteoPlaces.schema.parse(found)).toEqual(found)
  })

  it('without results mean that there is no such place', () => {
    expect(openMeteoPlaces.parse(readFixture('openmeteoplaces-empty', 'sources'), asked)).toEqual([])
  })

  it.each([
    [{ results: 'none' }, 200, 'malformed'],
    [{ results: [{ name: 7, latitude: 'x' }] }, 200, 'malformed'],
    ['<html>', 200, 'malformed'],
    ['{"results":[{"na', 200, 'malformed'],
    [{ error: true, reason: 'Parameter count must be between 1 and 100.' }, 400, 'rejected'],
    [{ error: true, reason: 'x' }, 429, 'throttled'],
  ])('%j with status %i is %s', (body, status, kind) => {
    expect(() => parse(body, status)).toThrow(expect.objectContaining({ kind }))
  })

  it('tell by a known city that the source is well', () => {
    const well = (body: string) =>
      openmeteoplaces.probe?.parse({ status: 200, headers: {}, body }, { query: null, now: 0 })
    expect(() => well('{"results":[{"name":"Berlin"}]}')).not.toThrow()
    expect(() => well('{"generationtime_ms":1}')).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })
})
