import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapLinks } from './map-links.ts'

const tower = {
  lat: 48.8582599,
  lon: 2.2945006,
  box: { south: 48.8, north: 48.9, west: 2.2, east: 2.4 },
  osm: { type: 'way', id: 5013364 },
} as const

/** West, south, east, north. */
const boxIn = (address: string): number[] => (new URL(address).searchParams.get('bbox') ?? '').split(',').map(Number)

describe('the links of a place', () => {
  it('lead to openstreetmap.org', () => {
    expect(mapLinks(tower)).toEqual({
      embedUrl:
        'https://www.openstreetmap.org/export/embed.html?bbox=2.2%2C48.8%2C2.4%2C48.9&layer=mapnik&marker=48.85826%2C2.294501',
      miniEmbedUrl:
        'https://www.openstreetmap.org/export/embed.html?bbox=2.286501%2C48.85026%2C2.302501%2C48.86626&layer=mapnik&marker=48.85826%2C2.294501',
      osmUrl: 'https://www.openstreetmap.org/way/5013364',
      directionsUrl: 'https://www.openstreetmap.org/directions?engine=fossgis_osrm_car&route=%3B48.85826%2C2.294501',
      geoUri: 'geo:48.8582599,2.2945006',
    })
  })

  it('without an OpenStreetMap object, lead to the point', () => {
    expect(mapLinks({ ...tower, osm: null }).osmUrl).toBe(
      'https://www.openstreetmap.org/?mlat=48.85826&mlon=2.294501#map=16/48.85826/2.2945',
    )
  })

  it('without a box, show the surroundings', () => {
    const { embedUrl, miniEmbedUrl } = mapLinks({ ...tower, box: null })
    expect(embedUrl).toBe(miniEmbedUrl)
  })

  it.each([
    [
      'a few metres',
      { south: 48.8582, north: 48.8583, west: 2.2944, east: 2.2946 },
      [2.286501, 48.85026, 2.302501, 48.86626],
    ],
    [
      'no extent',
      { south: 48.8582599, north: 48.8582599, west: 2.2945006, east: 2.2945006 },
      [2.286501, 48.85026, 2.302501, 48.86626],
    ],
    ['a straight street', { south: 48.858, north: 48.8583, west: 2.2, east: 2.3 }, [2.2, 48.85026, 2.3, 48.86626]],
  ])('widen a box of %s to the surroundings', (_what, box, shown) => {
    expect(boxIn(mapLinks({ ...tower, box }).embedUrl)).toEqual(shown)
  })

  it('show a building as it is', () => {
    const box = { south: 48.8574753, north: 48.8590465, west: 2.2933119, east: 2.2956897 }
    expect(boxIn(mapLinks({ ...tower, box }).embedUrl)).toEqual([2.293312, 48.857475, 2.29569, 48.859046])
  })

  it.each([
    ['east', 178, [177, -19, 180, -16]],
    ['west', -179, [-180, -19, -178, -16]],
  ])('show the %s part of a box across the antimeridian, where the point is', (_side, lon, shown) => {
    const box = { south: -19, north: -16, west: 177, east: -178 }
    expect(boxIn(mapLinks({ lat: -17, lon, box, osm: null }).embedUrl)).toEqual(shown)
  })

  it('are clamped to the poles and the antimeridian', () => {
    const { miniEmbedUrl, geoUri } = mapLinks({ lat: 90, lon: 180, box: null, osm: null })
    expect(boxIn(miniEmbedUrl)).toEqual([179.992, 89.992, 180, 90])
    expect(geoUri).toBe('geo:90,180')
    expect(mapLinks({ lat: -90, lon: -180, box: null, osm: null }).geoUri).toBe('geo:-90,-180')
    expect(mapLinks({ lat: 0, lon: -180, box: null, osm: null }).geoUri).toBe('geo:0,-180')
  })

  it('never have an exponent or a negative zero', () => {
    const links = mapLinks({ lat: 1e-7, lon: -1e-7, box: null, osm: null })
    expect(links.geoUri).toBe('geo:0.0000001,-0.0000001')
    expect(JSON.stringify(links)).not.toMatch(/\de-|-0[^.\d]/)
  })
})

describe('the links of any place', () => {
  const latitude = fc.double({ min: -90, max: 90, noNaN: true })
  const longitude = fc.double({ min: -180, max: 180, noNaN: true })
  const box = fc.option(
    fc.tuple(latitude, latitude, longitude, longitude).map(([one, other, west, east]) => ({
      south: Math.min(one, other),
      north: Math.max(one, other),
      west,
      east,
    })),
  )
  const osm = fc.constantFrom(null, { type: 'node', id: 11234567890 } as const)
  const DEGREES = /^(?:0|-?[1-9]\d{0,2}|-?\d{1,3}\.\d{0,5}[1-9])$/

  it('are plain decimals within the world, and every map has an extent', () => {
    fc.assert(
      fc.property(fc.record({ lat: latitude, lon: longitude, box, osm }), (place) => {
        const { embedUrl, miniEmbedUrl, osmUrl, directionsUrl, geoUri } = mapLinks(place)
        for (const address of [embedUrl, miniEmbedUrl]) {
          const { searchParams } = new URL(address)
          const sides = (searchParams.get('bbox') ?? '').split(',')
          expect(sides).toHaveLength(4)
          for (const side of [...sides, ...(searchParams.get('marker') ?? '').split(',')]) expect(side).toMatch(DEGREES)
          const [west = 0, south = 0, east = 0, north = 0] = sides.map(Number)
          expect(west).toBeGreaterThanOrEqual(-180)
          expect(east).toBeLessThanOrEqual(180)
          expect(south).toBeGreaterThanOrEqual(-90)
          expect(north).toBeLessThanOrEqual(90)
          expect(east - west).toBeGreaterThan(0.00099)
          expect(north - south).toBeGreaterThan(0.00099)
        }
        const [lat = '', lon = ''] = geoUri.slice('geo:'.length).split(',')
        expect([Number(lat), Number(lon)]).toEqual([place.lat + 0, place.lon + 0])
        expect(geoUri).not.toMatch(/\de[+-]/)
        for (const address of [osmUrl, directionsUrl]) {
          expect(address).toMatch(/^https:\/\/www\.openstreetmap\.org\//)
          expect(address).not.toMatch(/\de[+-]/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
