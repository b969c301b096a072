import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { photon, photonReverse, photonSearch } from './photon.ts'

const at = { baseUrl: '' }
const search = { query: { text: 'Paris', limit: 10, lang: '' }, now: 0 }
const reverse = { query: { lat: 48.8584, lon: 2.2945, lang: '' }, now: 0 }
const replyWith = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const kindOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    return error
  }
  return undefined
}

describe('requests to Photon', () => {
  it('a name, with no parameter that it could refuse', () => {
    expect(photonSearch.request({ text: 'Café & Bar', limit: 20, lang: 'it' }, at)).toEqual({
      path: '/api?q=Caf%C3%A9%20%26%20Bar&limit=50',
      headers: { accept: 'application/json', 'accept-language': 'it, en;q=0.5' },
    })
    expect(photonSearch.request(search.query, at).headers?.['accept-language']).toBe('en')
  })

  it('a point, and how it is', () => {
    expect(photonReverse.request({ lat: -33.8678512, lon: 151, lang: 'en' }, at).path).toBe(
      '/reverse?lat=-33.86785&lon=151&limit=1',
    )
    expect(photon.probe?.request(null, at).path).toBe('/status')
  })
})

describe('replies of Photon', () => {
  it('have an assembled address; results without a point or a name are dropped', () => {
    const found = photonSearch.parse(readFixture('photon-search', 'sources'), search)
    expect(found).toEqual([
      {
        name: 'Paris',
        displayName: 'Paris, Île-de-France, France',
        lat: 48.8534951,
        lon: 2.3483915,
        category: 'place',
        type: 'city',
        addressType: 'city',
        importance: 0,
        box: { south: 48.8155755, north: 48.902156, west: 2.224122, east: 2.4697602 },
        osm: { type: 'relation', id: 7444 },
      },
      {
        name: "Rue de l'Oiseau 12 bis",
        displayName: "Rue de l'Oiseau 12 bis, Quartier & Port, Lyon, France",
        lat: 45.7,
        lon: 4.8,
        category: 'building',
        type: 'yes',
        addressType: 'house',
        importance: 0,
        box: null,
        osm: { type: 'node', id: 11234567890 },
      },
    ])
    expect(photonSearch.schema.parse(found)).toEqual(found)
  })

  it('nothing', () => {
    const nothing = replyWith({ type: 'FeatureCollection', features: [] })
    expect(photonSearch.parse(nothing, search)).toEqual([])
    expect(photonReverse.parse(nothing, reverse)).toBeNull()
  })

  it('the place nearest to a point', () => {
    const found = photonReverse.parse(readFixture('photon-search', 'sources'), reverse)
    expect(found).toMatchObject({ name: 'Paris' })
    expect(photonReverse.schema.parse(found)).toEqual(found)
  })
})

describe('what goes wrong with Photon', () => {
  it('a query that it refuses says nothing about it', () => {
    const refused = readFixture('photon-refused', 'sources')
    expect(kindOf(() => photonSearch.parse(refused, search))).toMatchObject({ kind: 'rejected', isQueryFault: true })
    expect(kindOf(() => photonReverse.parse(refused, reverse))).toMatchObject({ isQueryFault: false })
  })

  it.each([
    [403, 'blocked'],
    [429, 'throttled'],
    [500, 'unreachable'],
  ])('status %i is %s', (status, kind) => {
    expect(kindOf(() => photonSearch.parse(replyWith({ message: 'x' }, status), search))).toMatchObject({ kind })
  })

  it.each([
    ['a web page', '<html></html>'],
    ['nothing', ''],
    ['half a reply', '{"type":"FeatureCollection","features":[{"ty'],
    ['no list', { type: 'FeatureCollection' }],
    ['values of wrong types', { features: [{ properties: 7, geometry: { coordinates: ['a', 'b'] } }] }],
  ])('malformed: %s', (_what, body) => {
    expect(kindOf(() => photonSearch.parse(replyWith(body), search))).toMatchObject({ kind: 'malformed' })
    expect(kindOf(() => photonReverse.parse(replyWith(body), reverse))).toMatchObject({ kind: 'malformed' })
  })

  it('the check takes Ok only', () => {
    const check = (body: unknown) => kindOf(() => photon.probe?.parse(replyWith(body), { query: null, now: 0 }))
    expect(check({ status: 'Ok', import_date: '2026-11-01' })).toBeUndefined()
    expect(check({ status: 'Error' })).toMatchObject({ kind: 'unreachable' })
    expect(check({})).toMatchObject({ kind: 'unreachable' })
    expect(check('Ok')).toMatchObject({ kind: 'malformed' })
  })
})
