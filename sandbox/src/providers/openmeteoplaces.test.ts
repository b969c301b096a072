import { describe, expect, it } from 'vitest'
import { openmeteoplaces } from './openmeteoplaces.ts'
import { askProvider } from './provider-testing.ts'

interface PlacesReply {
  results?: Record<string, unknown>[]
  generationtime_ms: number
}

const ask = (query: Record<string, string>) => askProvider<PlacesReply>(openmeteoplaces, { path: '/v1/search', query })
const namesOf = (query: Record<string, string>) => ask(query).json.results?.map((result) => result['name'])

describe('Open-Meteo’s geocoder in the sandbox', () => {
  it('200: finds names with this prefix, ignoring accents, the largest first', () => {
    expect(namesOf({ name: 'zurich' })).toEqual(['Zürich'])
    expect(namesOf({ name: 'san ' })?.slice(0, 2)).toEqual(['San Antonio', 'San Diego'])
    expect(ask({ name: 'Paris' }).json.results?.[0]).toMatchObject({
      latitude: 48.85341,
      country_code: 'FR',
      timezone: 'Europe/Paris',
      feature_code: 'PPLC',
    })
  })

  it('knows names in other languages, and returns them in the requested one', () => {
    expect(namesOf({ name: 'Mailand', language: 'de' })).toEqual(['Mailand'])
    expect(namesOf({ name: 'Mailand' })).toEqual(['Milan'])
  })

  it('takes a country or a region after a comma', () => {
    expect(ask({ name: 'Paris, Texas' }).json.results).toHaveLength(1)
    expect(ask({ name: 'London, CA' }).json.results?.[0]).toMatchObject({ admin1: 'Ontario' })
    expect(ask({ name: 'London, France' }).json.results).toBeUndefined()
  })

  it('omits everything zero or empty, including the list of results', () => {
    expect(Object.keys(ask({ name: 'Null Harbour' }).json.results?.[0] ?? {})).toEqual(
      expect.not.arrayContaining(['latitude', 'longitude', 'population', 'country', 'timezone']),
    )
    expect(ask({ name: 'nowhere at all' }).json).toEqual({ generationtime_ms: expect.any(Number) })
    expect(ask({ name: 'q' }).json.results).toBeUndefined()
  })

  it('two characters must match exactly', () => {
    expect(ask({ name: 'pa' }).json.results).toBeUndefined()
  })

  it.each([
    {},
    { name: 'Paris', count: '0' },
    { name: 'Paris', count: '101' },
    { name: 'Paris', countryCode: 'France' },
  ])('400: %o', (query) => {
    const { status, json } = ask(query)
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: true, reason: expect.any(String) })
  })
})
