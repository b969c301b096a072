// All cities we can find without a geocoder: city-timezones (7,300 cities, English names), under those names and the
// ones in `data/place-names.txt`. Both are loaded on first use.
import { readFile } from 'node:fs/promises'
import { fold } from '../question.ts'

export interface City {
  /** The display name: the one it was found by. */
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  region: string
  /** The region's abbreviation that people write after the name, such as TX, or ''. */
  regionCode: string
  zone: string
  latitude: number
  longitude: number
  population: number
}

/** Cities by folded name, largest first. */
export type CityIndex = ReadonlyMap<string, readonly City[]>

let loaded: Promise<CityIndex> | undefined

export function loadCities(): Promise<CityIndex> {
  loaded ??= readCities()
  return loaded
}

async function readCities(): Promise<CityIndex> {
  const { cityMapping } = await import('city-timezones')
  const index = new Map<string, City[]>()
  const add = (name: string, city: City) => {
    const key = cityKey(name)
    const same = index.get(key)
    if (same) same.push(city)
    else index.set(key, [city])
  }
  for (const given of cityMapping) {
    // Some entries have no time zone, and we can't use a city without one.
    if (!given.timezone) continue
    const city: City = {
      name: given.city,
      country: given.iso2,
      region: given.province ?? '',
      regionCode: given.state_ansi ?? '',
      zone: given.timezone,
      latitude: rounded(given.lat),
      longitude: rounded(given.lng),
      population: given.pop,
    }
    add(given.city, city)
    if (cityKey(given.city_ascii) !== cityKey(given.city)) add(given.city_ascii, city)
  }
  await addOtherNames(index, add)
  for (const same of index.values()) same.sort((left, right) => right.population - left.population)
  return index
}

/** Four decimals are about ten metres; the list's further digits aren't meaningful. */
const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

async function addOtherNames(index: Map<string, City[]>, add: (name: string, city: City) => void): Promise<void> {
  const text = await readFile(new URL('../data/place-names.txt', import.meta.url), 'utf8')
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [names = '', country, others = ''] = line.split('|')
    const [listed = '', spelling = listed] = names.split('=')
    const city = index.get(cityKey(listed))?.find((known) => known.country === country)
    if (!city) continue
    city.name = spelling
    for (const name of others.split(', ')) {
      const isKnown = index.get(cityKey(name))?.some(({ latitude }) => latitude === city.latitude)
      if (name !== '' && !isKnown) add(name, { ...city, name })
    }
  }
}

/** Maps spelling variants to one key: `st. petersburg` and `St Petersburg`, `Saint-Étienne` and `saint etienne`. */
export const cityKey = (name: string): string =>
  fold(name).replace(/[.’']/g, '').replaceAll('-', ' ').replaceAll('ø', 'o').replaceAll('ß', 'ss').trim()
