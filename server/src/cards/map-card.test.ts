import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { describe, expect, it } from 'vitest'
import { anArticle, stageCard } from './card.test-harness.ts'
import { mapCard } from './map-card.ts'

const place = (rest: Partial<GeoPlace> = {}): GeoPlace => ({
  name: 'Paris',
  displayName: 'Paris, Île-de-France, France',
  lat: 48.85,
  lon: 2.35,
  category: 'boundary',
  type: 'administrative',
  addressType: 'city',
  importance: 0.8,
  box: { south: 48.8, north: 48.9, west: 2.2, east: 2.5 },
  osm: null,
  ...rest,
})
const village = (name: string) =>
  place({ name, displayName: `${name}, Texas`, addressType: 'village', importance: 0.2 })
const PARIS = anArticle({ title: 'Paris', coordinates: { lat: 48.8567, lon: 2.3522 } })

describe('the map card', () => {
  it.each([
    ['map of Paris', 'Paris'],
    ['Paris map', 'Paris'],
    ['where is paris, france?', 'paris, france'],
    ['plan de Paris', 'Paris'],
    ['où se trouve Paris', 'Paris'],
    ['wo liegt Paris', 'Paris'],
    ['dónde está París', 'París'],
    ["dov'è Paris", 'Paris'],
    ['onde fica Paris', 'Paris'],
    ['waar ligt Paris', 'Paris'],
  ])('%s asks for a place', async (text, name) => {
    const { context, geocoded } = stageCard({ text, place: place() })
    expect(await mapCard.ask(context)).toMatchObject({ name: 'Paris', addresstype: 'city', geo_uri: 'geo:48.85,2.35' })
    expect(geocoded).toEqual([name])
  })

  it('an article with coordinates is a hint, and the place must be near them', async () => {
    expect(await mapCard.ask(stageCard({ text: 'paris', article: PARIS, place: place() }).context)).not.toBeNull()
    const texas = place({ displayName: 'Paris, Texas', lat: 33.66, lon: -95.55, box: null })
    expect(await mapCard.ask(stageCard({ text: 'paris', article: PARIS, place: texas }).context)).toBeNull()
  })

  it('a country may have its centre far from the article’s coordinates, but must contain them', async () => {
    const france = anArticle({ title: 'France', coordinates: { lat: 43.5, lon: 5 } })
    const box = { south: 41, north: 51, west: -5, east: 9 }
    const found = place({ name: 'France', displayName: 'France', addressType: 'country', lat: 46.6, lon: 1.9, box })
    expect(await mapCard.ask(stageCard({ text: 'france', article: france, place: found }).context)).not.toBeNull()
  })

  it('a box across the antimeridian is handled', async () => {
    const fiji = anArticle({ title: 'Fiji', coordinates: { lat: -17, lon: 179.5 } })
    const box = { south: -21, north: -12, west: 172, east: -178 }
    const found = place({ name: 'Fiji', displayName: 'Fiji', addressType: 'country', lat: -14, lon: -179, box })
    expect(await mapCard.ask(stageCard({ text: 'fiji', article: fiji, place: found }).context)).not.toBeNull()
  })

  it('a qualifier in a title is not part of the name', async () => {
    const article = anArticle({ title: 'Paris (city)', coordinates: { lat: 48.8567, lon: 2.3522 } })
    const { context, geocoded } = stageCard({ text: 'paris city', article, place: place() })
    expect(await mapCard.ask(context)).not.toBeNull()
    expect(geocoded).toEqual(['Paris'])
  })

  it.each([
    ['another name', 'map of London', place()],
    ['words that are not in the address', 'where is paris hilton', place()],
    ['a shop', 'where is Paris', place({ addressType: 'shop' })],
    ['a house', 'where is Paris', place({ addressType: 'house_number' })],
    ['an unknown village for a map of something else', 'mind map', village('Mind')],
    ['nothing', 'map of Atlantis', undefined],
  ])('null: %s', async (_what, text, found) => {
    const stage = stageCard({ text, ...(found && { place: found }) })
    expect(await mapCard.ask(stage.context)).toBeNull()
  })

  it('"where is" shows even a village', async () => {
    expect(await mapCard.ask(stageCard({ text: 'where is Mind', place: village('Mind') }).context)).not.toBeNull()
  })

  it.each([
    ['without a sign', stageCard({ text: 'best pizza', place: place() })],
    ['for an article that is nowhere', stageCard({ text: 'glass', article: anArticle(), place: place() })],
    ['for a very long text', stageCard({ text: `map of ${'x'.repeat(200)}`, place: place() })],
  ])('the geocoder is not called %s', async (_what, { context, geocoded }) => {
    expect([await mapCard.ask(context), geocoded]).toEqual([null, []])
  })

  it('null: no geocoder', async () => {
    const { context } = stageCard({ text: 'map of Paris' })
    expect(await mapCard.ask({ ...context, geocode: undefined })).toBeNull()
  })
})
