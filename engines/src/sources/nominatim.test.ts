import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { nominatim, nominatimReverse, nominatimSearch } from './nominatim.ts'

const at = { baseUrl: '' }
const search = { query: { text: 'Eiffel Tower', limit: 10, lang: '' }, now: 0 }
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

describe('requests to Nominatim', () => {
  it.each([
    [{}, '/search?q=Eiffel%20Tower&format=jsonv2&limit=10&accept-language=en'],
    [{ limit: 1, lang: 'pt-BR' }, '/search?q=Eiffel%20Tower&format=jsonv2&limit=10&accept-language=pt-BR'],
    [{ limit: 11 }, '/search?q=Eiffel%20Tower&format=jsonv2&limit=50&accept-language=en'],
    [
      { text: 'a&format=xml#鳥 \ud800' },
      expect.stringMatching(/^\/search\?q=a%26format%3Dxml%23%E9%B3%A5%20%EF%BF%BD&/),
    ],
  ])('a name: %j', (change, path) => {
    expect(nominatimSearch.request({ ...search.query, ...change }, at)).toEqual({
      path,
      headers: { accept: 'application/json' },
    })
  })

  it('a point, to five decimals', () => {
    const { path } = nominatimReverse.request({ lat: 48.85840049, lon: -1e-7, lang: 'fr' }, at)
    expect(path).toBe('/reverse?lat=48.8584&lon=0&format=jsonv2&zoom=18&addressdetails=0&accept-language=fr')
  })

  it('how it is', () => {
    expect(nominatim.probe?.request(null, at).path).toBe('/status?format=json')
  })
})

describe('replies of Nominatim', () => {
  it('are plain text and numbers; results without a point or a name are dropped', () => {
    const found = nominatimSearch.parse(readFixture('nominatim-search', 'sources'), search)
    expect(found).toEqual([
      {
        name: 'Tour Eiffel',
        displayName: 'Tour Eiffel, 5, Avenue Anatole France, Paris, Île-de-France, 75007, France',
        lat: 48.8582599,
        lon: 2.2945006,
        category: 'man_made',
        type: 'tower',
        addressType: 'man_made',
        importance: 0.6205937724353116,
        box: { south: 48.8574753, north: 48.8590465, west: 2.2933119, east: 2.2956897 },
        osm: { type: 'way', id: 5013364 },
      },
      expect.objectContaining({ name: '75007', type: 'postcode', importance: 1e-7, osm: null }),
      {
        name: 'Café & Bar 鳥',
        displayName: 'Café & Bar 鳥, Far Island',
        lat: 0,
        lon: -179.9999999,
        category: 'amenity',
        type: 'cafe',
        addressType: '',
        importance: 0,
        box: null,
        osm: { type: 'node', id: 11234567890 },
      },
    ])
    expect(nominatimSearch.schema.parse(found)).toEqual(found)
  })

  it('nothing', () => {
    expect(nominatimSearch.parse(replyWith([]), search)).toEqual([])
  })

  it('the place at a point, or null in the sea', () => {
    const found = nominatimReverse.parse(readFixture('nominatim-reverse', 'sources'), reverse)
    expect(found).toMatchObject({ name: 'Paris', lat: 48.8534951, osm: { type: 'relation', id: 7444 } })
    expect(nominatimReverse.schema.parse(found)).toEqual(found)
    expect(nominatimReverse.parse(readFixture('nominatim-sea', 'sources'), reverse)).toBeNull()
  })
})

describe('what goes wrong with Nominatim', () => {
  it('a query that it refuses says nothing about it', () => {
    const refused = readFixture('nominatim-refused', 'sources')
    expect(kindOf(() => nominatimSearch.parse(refused, search))).toMatchObject({ kind: 'rejected', isQueryFault: true })
    expect(kindOf(() => nominatimSearch.parse({ ...refused, status: 418 }, search))).toMatchObject({
      isQueryFault: true,
    })
    expect(kindOf(() => nominatimReverse.parse(refused, reverse))).toMatchObject({
      kind: 'rejected',
      isQueryFault: false,
    })
  })

  it.each([
    [403, 'blocked'],
    [429, 'throttled'],
    [503, 'unreachable'],
    [302, 'malformed'],
  ])('status %i with a web page is %s', (status, kind) => {
    const reply = { ...readFixture('nominatim-blocked', 'sources'), status }
    expect(kindOf(() => nominatimSearch.parse(reply, search))).toMatchObject({ kind })
    expect(kindOf(() => nominatimReverse.parse(reply, reverse))).toMatchObject({ kind })
  })

  it.each([
    ['a web page', '<!doctype html><title>Nominatim</title>'],
    ['nothing', ''],
    ['half a reply', '[{"lat":"48.8582599","lo'],
    ['a text', '"paris"'],
    ['an error that is neither of the two', { error: { code: 500 } }],
    ['values of wrong types', [{ lat: [], lon: {}, name: 7, display_name: 7 }]],
    ['coordinates and nothing else', [{ lat: 7, lon: 7, name: 7, display_name: null }]],
  ])('malformed: %s', (_what, body) => {
    expect(kindOf(() => nominatimSearch.parse(replyWith(body), search))).toMatchObject({ kind: 'malformed' })
    expect(kindOf(() => nominatimReverse.parse(replyWith(body), reverse))).toMatchObject({ kind: 'malformed' })
  })

  it('the check takes status 0 only', () => {
    const check = (body: unknown, status?: number) =>
      kindOf(() => nominatim.probe?.parse(replyWith(body, status), { query: null, now: 0 }))
    expect(check({ status: 0, message: 'OK' })).toBeUndefined()
    expect(check({ status: 700, message: 'Database connection failed' })).toMatchObject({ kind: 'unreachable' })
    expect(check('OK')).toMatchObject({ kind: 'malformed' })
    expect(check('ERROR: No database', 500)).toMatchObject({ kind: 'unreachable' })
  })
})
