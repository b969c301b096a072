import { describe, expect, it } from 'vitest'
import { readCountry } from './country-names.ts'
import { COUNTRIES, ignoresRegion, readRegion, regionsTakenBy, slotsWithoutRegion } from './regions.ts'

describe('readRegion', () => {
  it.each([
    ['de', 'DE'],
    [' GB ', 'GB'],
    ['uk', 'GB'],
    ['', ''],
    ['all', ''],
    ['EU', undefined],
    ['deu', undefined],
    ['d', undefined],
    ['XX', undefined],
    ['D\n', undefined],
  ])('%j: %j', (text, region) => {
    expect(readRegion(text)).toBe(region)
  })

  it('knows every country that Intl has a name for, and no other', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect([...COUNTRIES].filter((code) => names.of(code) === undefined)).toEqual([])
    expect(COUNTRIES.size).toBe(249)
  })
})

it.each([
  ['germany', 'DE'],
  ['Czech Republic', 'CZ'],
  ['czechia', 'CZ'],
  ['Côte d’Ivoire', 'CI'],
  ['ch', 'CH'],
  ['Europe', undefined],
  ['__proto__', undefined],
])('a country by its name: %s is %s', (text, region) => {
  expect(readCountry(text)).toBe(region)
})

const onlyWithLanguage = { takesRegion: (_region: string, lang: string) => lang !== '' }
const onlyAustria = { takesRegion: (region: string) => region === 'AT' }

it('a region has no effect on an engine that doesn’t take it, and none is not ignored', () => {
  expect(ignoresRegion({}, { region: 'AT', lang: '' })).toBe(true)
  expect(ignoresRegion({}, { lang: '' })).toBe(false)
  expect(ignoresRegion(onlyAustria, { region: 'AT', lang: '' })).toBe(false)
  expect(ignoresRegion(onlyAustria, { region: 'DE', lang: '' })).toBe(true)
  expect(ignoresRegion(onlyWithLanguage, { region: 'DE', lang: 'de' })).toBe(false)
})

it('the countries that somebody takes', () => {
  expect(regionsTakenBy([{}, undefined, onlyAustria])).toEqual(['AT'])
  expect(regionsTakenBy([onlyWithLanguage])).toHaveLength(COUNTRIES.size)
})

it('names each slot once whose results are those for any region', () => {
  const ignored = { slot: 'engine_a', ignoresRegion: true } as const
  expect(slotsWithoutRegion([ignored, { slot: 'engine_b' }, ignored])).toEqual(['engine_a'])
})
