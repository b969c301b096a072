import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { BoundSource, FindSource } from '@bowerbird/engines/source.ts'
import type { FoundPlace } from '@bowerbird/engines/sources/openmeteoplaces.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { regionOf } from '../question.ts'
import { findPlace, placeLabel } from './places.ts'

const TOWN: FoundPlace = {
  name: 'Bowerville',
  latitude: 1,
  longitude: 2,
  feature: 'PPL',
  country: 'FR',
  region: 'Nowhere',
  zone: 'Europe/Paris',
  population: 5000,
  postcodes: ['12345'],
}

/** A geocoder that returns these places for any name and records its queries. */
function geocoder(places: FoundPlace[] | UpstreamError) {
  const asked: string[] = []
  const bound: Pick<BoundSource, 'ask'> = {
    ask: async (_call, query) => {
      asked.push(String(Object(query).name))
      if (places instanceof UpstreamError) throw places
      // The only call made here is the one for places.
      return { found: places as never, isStale: false, ageMs: 0 }
    },
  }
  // Only `ask` is used here.
  const find = (() => bound) as unknown as FindSource
  return { asked, context: { find, deadline: createDeadline(1000) } }
}

const find = (name: string, options: { minPopulation?: number; home?: string } = {}) =>
  findPlace(name, { language: 'en', minPopulation: 0, ...options })

describe('a place by its name', () => {
  it.each([
    ['paris', 'Paris', 'Europe/Paris'],
    ['londres', 'Londres', 'Europe/London'],
    ['munchen', 'München', 'Europe/Berlin'],
    ['mailand', 'Mailand', 'Europe/Rome'],
    ['lisbonne', 'Lisbonne', 'Europe/Lisbon'],
    ['st petersburg', 'St. Petersburg', 'Europe/Moscow'],
    ['tromsø', 'Tromsø', 'Europe/Oslo'],
    ['sao paulo', 'São Paulo', 'America/Sao_Paulo'],
    ['nyc', 'NYC', 'America/New_York'],
    ['portland, or', 'Portland', 'America/Los_Angeles'],
    ['london ontario', 'London', 'America/Toronto'],
    ['valencia venezuela', 'Valencia', 'America/Caracas'],
  ])('%j is %s in %s', async (name, shown, zone) => {
    expect(await find(name)).toMatchObject({ name: shown, zone })
  })

  it('a country means its capital, by its name in any of the languages, with or without an article', async () => {
    for (const name of ['japan', 'le japon', 'il giappone', 'japon', 'o japao']) {
      expect(await find(name)).toMatchObject({ name: 'Tokyo', isForCountry: true })
    }
    expect(await find('usa')).toMatchObject({ name: 'Washington, D.C.' })
  })

  it('of several, the largest or the one in the client’s country is meant; a notable namesake is distinguished', async () => {
    const [abroad, atHome] = [await find('valencia'), await find('valencia', { home: 'ES' })]
    expect(abroad && placeLabel(abroad, 'en')).toBe('Valencia, Venezuela')
    expect(atHome && placeLabel(atHome, 'es')).toBe('Valencia, España')
    expect([regionOf('es-ES'), regionOf('de'), regionOf('zh-Hant-TW')]).toEqual(['ES', '', 'TW'])
  })

  it('a city with too few people is ignored', async () => {
    expect(await find('bath', { minPopulation: 100_000 })).toBeUndefined()
  })

  it.each(['a', 'a bottle', '3', '<b>', 'x'.repeat(80), 'one two three four five six seven'])(
    '%j is not a place, and the geocoder is not queried',
    async (name) => {
      const { asked, context } = geocoder([TOWN])
      expect(await findPlace(name, { language: 'en', minPopulation: 0, context })).toBeUndefined()
      expect(asked).toEqual([])
    },
  )
})

describe('a place that only the geocoder knows', () => {
  const ask = (name: string, places: FoundPlace[]) => {
    const { asked, context } = geocoder(places)
    return findPlace(name, { language: 'en', minPopulation: 0, context }).then((place) => ({ place, asked }))
  }

  it('is accepted if it has exactly that name and enough people', async () => {
    expect((await ask('bowerville', [{ ...TOWN, name: 'Bowerville-sur-Mer' }, TOWN])).place).toMatchObject({
      name: 'Bowerville',
      zone: 'Europe/Paris',
    })
  })

  it.each([
    ['another name', { name: 'Bowervillea' }],
    ['a mountain', { feature: 'MT' }],
    ['a hamlet', { population: 12 }],
    ['no zone', { zone: '' }],
    ['an unknown zone', { zone: 'Europe/Nowhere' }],
  ])('is not accepted with %s', async (_, change) => {
    expect((await ask('bowerville', [{ ...TOWN, ...change }])).place).toBeUndefined()
  })

  it('is queried with a comma before its country or state', async () => {
    const { place, asked } = await ask('bowerville texas', [TOWN])
    expect(asked).toEqual(['bowerville, texas'])
    expect(place && placeLabel(place, 'en')).toBe('Bowerville, Nowhere')
  })

  it('is found by a postal code that only one country uses, or the named town or country', async () => {
    const other = { ...TOWN, name: 'Otherville', country: 'DE' }
    expect((await ask('12345', [TOWN])).place).toMatchObject({ name: 'Bowerville', distinction: 'country' })
    expect((await ask('12345', [TOWN, other])).place).toBeUndefined()
    expect((await ask('12345 germany', [TOWN, other])).place).toMatchObject({ name: 'Otherville' })
    expect((await ask('12345, bowerville', [TOWN, other])).place).toMatchObject({ name: 'Bowerville' })
  })

  it.each([
    ['12345 spain', TOWN],
    ['12345 nowhere', TOWN],
    ['12346', TOWN],
    ['12345', { ...TOWN, zone: 'Europe/Nowhere' }],
  ])('is not found by %s', async (name, place) => {
    expect((await ask(name, [place])).place).toBeUndefined()
  })

  it('an outage of the geocoder is an error, not "no such place"', async () => {
    const { context } = geocoder(new UpstreamError('timeout', 'too slow'))
    await expect(findPlace('bowerville', { language: 'en', minPopulation: 0, context })).rejects.toThrow(UpstreamError)
  })
})
