import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import { setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const TOWER: GeoPlace = {
  name: 'Eiffel Tower',
  displayName: 'Eiffel Tower, Paris, France',
  lat: 48.85826,
  lon: 2.294501,
  category: 'man_made',
  type: 'tower',
  addressType: 'man_made',
  importance: 0.62,
  box: { south: 48.857, west: 2.293, north: 48.859, east: 2.296 },
  osm: { type: 'way', id: 5_013_364 },
}
const NEEDED = 'Send a place name in q, or a point in lat and lon.'

const maps = (params: Record<string, string>) => stage.get(`/api/v1/maps/?${new URLSearchParams(params).toString()}`)

describe('places by name', () => {
  it('200: asks for ten places in any language by default', async () => {
    await maps({ q: ' Eiffel Tower ' })
    await maps({ q: 'Eiffel Tower', limit: '50', lang: 'fr' })
    await maps({ q: 'Eiffel Tower', limit: '', lang: '', lat: '', lon: ' ' })
    expect(stage.asked).toEqual([
      ['forward', { text: 'Eiffel Tower', limit: 10, lang: '' }],
      ['forward', { text: 'Eiffel Tower', limit: 50, lang: 'fr' }],
      ['forward', { text: 'Eiffel Tower', limit: 10, lang: '' }],
    ])
  })
})

describe('the place at a point', () => {
  it('200: looks it up, and repeats the shortened point as the query', async () => {
    stage.says.reverse = async () => ({ places: [TOWER], attribution: '' })
    const { json } = await maps({ lat: '+48.85840000', lon: '2.29449999999', lang: 'fr' })
    expect(stage.asked).toEqual([['reverse', { lat: 48.8584, lon: 2.29449999999, lang: 'fr' }]])
    expect(json.query).toBe('48.8584,2.2945')
    expect(json.places).toHaveLength(1)
  })

  it.each([
    ['-90', '-180'],
    ['90', '180'],
    ['0', '0.'],
  ])('200: %s, %s is a point', async (lat, lon) => {
    expect((await maps({ lat, lon })).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    ['nothing at all', {}, { q: [NEEDED] }],
    ['a blank name', { q: '  ' }, { q: [NEEDED] }],
    ['a name and a point', { q: 'paris', lat: '1', lon: '2' }, { q: ['Send either q or lat and lon, not both.'] }],
    [
      'a name and half a point',
      { q: 'paris', lat: '1' },
      { q: ['Send either q or lat and lon, not both.'], lon: ['Send lon together with lat.'] },
    ],
    ['half a point', { lat: '1' }, { lon: ['Send lon together with lat.'] }],
    ['the other half', { lon: '1' }, { lat: ['Send lat together with lon.'] }],
    [
      'a point off the earth',
      { lat: '90.1', lon: '181' },
      { lat: ['Send a number of degrees from -90 to 90.'], lon: ['Send a number of degrees from -180 to 180.'] },
    ],
    [
      'a point in words',
      { lat: 'north', lon: '1e3' },
      { lat: ['Send a number of degrees from -90 to 90.'], lon: ['Send a number of degrees from -180 to 180.'] },
    ],
    ['a limit of none', { q: 'paris', limit: '0' }, { limit: ['Send a whole number from 1 to 50.'] }],
    ['a limit of 51', { q: 'paris', limit: '51' }, { limit: ['Send a whole number from 1 to 50.'] }],
    ['a limit in words', { q: 'paris', limit: 'few' }, { limit: ['Send a whole number from 1 to 50.'] }],
    [
      'an invalid language',
      { q: 'paris', lang: 'french!' },
      { lang: ['Send a language tag such as en, de or pt-BR.'] },
    ],
    ['a name of 501 characters', { q: 'x'.repeat(501) }, { q: ['Send at most 500 characters.'] }],
    ['two mistakes', { limit: '0' }, { limit: ['Send a whole number from 1 to 50.'], q: [NEEDED] }],
  ])('%s', async (_, params, messages) => {
    const { status, json } = await maps(params)
    expect({ status, json }).toEqual({ status: 400, json: messages })
    expect(stage.asked).toEqual([])
  })
})

it('503: no provider is configured, in the words of the service', async () => {
  stage.says.forward = () =>
    Promise.reject(new Refusal('maps_not_configured', 'Places are not configured on this deployment.'))
  const { status, json, headers } = await maps({ q: 'paris' })
  expect({ status, json }).toEqual({ status: 503, json: { detail: 'Places are not configured on this deployment.' } })
  expect(headers).not.toHaveProperty('retry-after')
})
