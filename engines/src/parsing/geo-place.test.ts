import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boxOf,
  exactDecimal,
  GeoPlace,
  osmObjectOf,
  placeKey,
  plainDecimal,
  pointKey,
  pointOf,
  roundedPoint,
} from './geo-place.ts'

const asked = { text: 'Eiffel Tower', limit: 10, lang: 'en' }

describe('the cache key of a place', () => {
  it.each([
    ['case', { text: 'eiffel TOWER' }],
    ['white space', { text: 'Eiffel \t Tower' }],
    ['fewer places', { limit: 1 }],
    ['English and no language', { lang: '' }],
  ])('is shared: %s', (_what, change) => {
    expect(placeKey({ ...asked, ...change })).toBe(placeKey(asked))
  })

  it.each([
    ['another text', { text: 'Eiffel Towers' }],
    ['more places', { limit: 11 }],
    ['another language', { lang: 'fr' }],
  ])('is not shared: %s', (_what, change) => {
    expect(placeKey({ ...asked, ...change })).not.toBe(placeKey(asked))
  })

  it('a point is rounded to about a metre and never written with an exponent', () => {
    const key = (lat: number, lon: number, lang = '') => pointKey({ lat, lon, lang })
    expect(key(48.858401, 2.2945)).toBe(key(48.8584, 2.294504))
    expect(key(48.85841, 2.2945)).not.toBe(key(48.8584, 2.2945))
    expect(key(1, 2, 'fr')).not.toBe(key(1, 2))
    expect(roundedPoint({ lat: -1e-7, lon: 1e-7, lang: '' })).toEqual({ lat: '0', lon: '0' })
  })
})

describe('what is read', () => {
  it.each([
    ['48.8582599', '2.2945006', { lat: 48.8582599, lon: 2.2945006 }],
    [-90, 180, { lat: -90, lon: 180 }],
    ['', '2', undefined],
    [' ', '2', undefined],
    ['1', null, undefined],
    [Number.NaN, 1, undefined],
    ['90.0001', '1', undefined],
    ['1', '-180.1', undefined],
    [['1'], ['2'], undefined],
  ])('the point %j, %j', (lat, lon, point) => {
    expect(pointOf(lat, lon)).toEqual(point)
  })

  it('a box is one, or null', () => {
    const box = { south: 1, north: 2, west: 3, east: 4 }
    expect(boxOf({ south: '1', north: '2', west: '3', east: '4' })).toEqual(box)
    expect(boxOf({ ...box, west: 179, east: -179 })).toEqual({ ...box, west: 179, east: -179 })
    for (const wrong of [{ south: 3 }, { east: undefined }, { west: 'x' }, { north: 91 }, { east: Infinity }]) {
      expect(boxOf({ ...box, ...wrong })).toBeNull()
    }
  })

  it.each([
    ['way', 5013364, { type: 'way', id: 5013364 }],
    ['N', '11234567890', { type: 'node', id: 11234567890 }],
    [undefined, 5, null],
    ['constructor', 5, null],
    ['way', 0, null],
    ['way', -4, null],
    ['way', 2 ** 60, null],
    ['way', '../evil', null],
  ])('the object %j %j', (type, id, object) => {
    expect(osmObjectOf(type, id)).toEqual(object)
    expect(GeoPlace.shape.osm.safeParse(object).success).toBe(true)
  })
})

it.each([
  [48.8584, '48.8584'],
  [2.2945006, '2.294501'],
  [100, '100'],
  [-180, '-180'],
  [0.5, '0.5'],
  [1e-7, '0'],
  [-1e-7, '0'],
  [-0, '0'],
  [-0.000001, '-0.000001'],
])('%d with at most six decimals is %s', (value, text) => {
  expect(plainDecimal(value, 6)).toBe(text)
})

it('plainDecimal: is always a plain decimal near the number', () => {
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), fc.integer({ min: 1, max: 8 }), (value, decimals) => {
      const text = plainDecimal(value, decimals)
      expect(text).toMatch(/^(?:0|-?[1-9]\d*|-?\d+\.\d*[1-9])$/)
      expect(text.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(decimals)
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(10 ** -decimals)
    }),
  )
})

it.each([
  [48.8582599, '48.8582599'],
  [-0.1276474, '-0.1276474'],
  [5e-7, '0.0000005'],
  [-1.25e-9, '-0.00000000125'],
  [-0, '0'],
  [180, '180'],
])('%d has the digits that JSON writes: %s', (value, text) => {
  expect(exactDecimal(value)).toBe(text)
})

it('exactDecimal: is the same number, without an exponent', () => {
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (value) => {
      expect(exactDecimal(value)).toMatch(/^-?\d+(?:\.\d+)?$/)
      expect(Number(exactDecimal(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})
