// Finds the place meant by a name: a city in our own index, the capital of a country, or an exact match from the
// geocoder, which also knows some postal codes. A qualifier may follow: `paris, texas`, `birmingham alabama`, `london ca`.
//
// The geocoder has a place for nearly every word, so we only query it for what looks like a name, and only accept a
// populated place with exactly that name.
//
// A point is named after the nearest city in our index, if one is near. This makes no request, so the client's location
// only goes to the source that the answer needs.

import { openMeteoPlaces, openmeteoplaces } from '@bowerbird/engines/sources/openmeteoplaces.ts'
import type { AnswerContext, AnswerPoint } from '../answer.ts'
import { fold, type Language } from '../question.ts'
import { capitalNames, countryName, findCountry, loadCountries } from './countries.ts'
import { readTable } from './read-table.ts'
import { readTimeZone, readZone } from './zones.ts'

export interface Place extends City {
  /** What to add to the name to tell it apart from other places of that name, or ''. */
  distinction: 'country' | 'region' | ''
  /** The query named a country, and this is its capital or largest city. */
  isForCountry: boolean
}

export interface PlaceSearch {
  /** The language of the answer, for the geocoder's names. */
  language: Language
  /** Minimum population for a city in our own index. */
  minPopulation: number
  /** Minimum population for a place from the geocoder, which has one for nearly every word. */
  minGeocodedPopulation?: number
  /** The client's country, if known: ISO 3166-1 alpha-2 or ''. Decides between namesakes. */
  home?: string
  /** Omitted: don't query the geocoder. */
  context?: Pick<AnswerContext, 'find' | 'deadline'>
}

const MIN_GEOCODED_POPULATION = 1000
const MAX_NAME_LENGTH = 60
const MAX_NAME_WORDS = 6
/** A namesake with more than this share of the population is worth distinguishing. */
const NOTABLE_NAMESAKE = 0.2
/** Digits, and the town or country that they're in. Four digits alone are a year. */
export const POSTAL_CODE = /^(\d{5,6}(?![\d])|\d{4}(?=,? [a-z]))(?:,? ([a-z .'-]{2,40}))?$/
const IS_NAME = /^[\p{L}][\p{L}\d .,'’-]*$/u
/** The openings of phrases that aren't names. French and Spanish articles aren't among them: many towns have one. */
const NOT_A_NAME = /^(?:an?|the|my|your|this|that|mein|meine|mon|ma|mi|mio|meu|mijn) /
const IS_SETTLEMENT = /^(?:PPL|ADM|PCL|ISL)/

/** `name` is folded. */
export async function findPlace(name: string, search: PlaceSearch): Promise<Place | undefined> {
  if (name.length < 2 || name.length > MAX_NAME_LENGTH) return undefined
  const [, code, within = ''] = POSTAL_CODE.exec(name) ?? []
  if (code !== undefined) return findByPostalCode(code, within, search)
  if (!IS_NAME.test(name)) return undefined
  if (name.split(' ').length > MAX_NAME_WORDS) return undefined
  const cities = await loadCities()
  return (
    findCity(cities, name, search) ??
    (await findQualified(cities, name)) ??
    (await findCapital(cities, name, search.language)) ??
    findWithGeocoder(name, search)
  )
}

function findCity(cities: CityIndex, name: string, { minPopulation, home }: PlaceSearch): Place | undefined {
  const same = (cities.get(cityKey(name)) ?? []).filter(({ population }) => population >= minPopulation)
  const meant = same.find(({ country }) => country === home) ?? same[0]
  if (!meant) return undefined
  const namesake = same.find((city) => city !== meant && city.population > meant.population * NOTABLE_NAMESAKE)
  if (!namesake) return toPlace(meant, '')
  return toPlace(meant, namesake.country === meant.country ? 'region' : 'country')
}

const toPlace = (city: City, distinction: Place['distinction']): Place => ({
  ...city,
  distinction,
  isForCountry: false,
})

/** Takes the longest city name that is followed by a matching country or region. */
async function findQualified(cities: CityIndex, name: string): Promise<Place | undefined> {
  const comma = name.indexOf(',')
  const words = name
    .replace(',', ' ')
    .split(' ')
    .filter((word) => word !== '')
  const wordsBeforeComma = name.slice(0, Math.max(0, comma)).split(' ').length
  for (let length = comma >= 0 ? wordsBeforeComma : words.length - 1; length >= 1; length--) {
    const same = cities.get(cityKey(words.slice(0, length).join(' ')))
    const qualifier = words.slice(length).join(' ')
    if (same && qualifier !== '') {
      const country = await findCountry(qualifier)
      const city = same.find((one) => isWithin(one, qualifier, country))
      if (city) return toPlace(city, city.country === country ? 'country' : 'region')
    }
    if (comma >= 0) return undefined
  }
  return undefined
}

const isWithin = (city: City, qualifier: string, country: string | undefined): boolean =>
  city.country === country ||
  cityKey(city.region) === cityKey(qualifier) ||
  (city.regionCode !== '' && city.regionCode.toLowerCase() === qualifier)

async function findCapital(cities: CityIndex, name: string, language: Language): Promise<Place | undefined> {
  const code = await findCountry(name)
  const country = code === undefined ? undefined : (await loadCountries()).get(code)
  if (!country) return undefined
  const [city = ''] = country.capital.split(' (')
  const known = cities.get(cityKey(city))?.find((one) => one.country === code) ?? largestOf(cities, country.code)
  if (!known) return undefined
  // Use its name in the answer's language, without remarks.
  const [local = ''] = (await capitalNames(language))(country).split(' (')
  return { ...toPlace(known, ''), name: cityKey(known.name) === cityKey(city) ? local : known.name, isForCountry: true }
}

function largestOf(cities: CityIndex, country: string): City | undefined {
  let largest: City | undefined
  for (const [city] of cities.values()) {
    if (city?.country === country && city.population > (largest?.population ?? 0)) largest = city
  }
  return largest
}

async function findWithGeocoder(name: string, search: PlaceSearch): Promise<Place | undefined> {
  const { language, context, minGeocodedPopulation = MIN_GEOCODED_POPULATION } = search
  const places = context?.find(openmeteoplaces)
  if (!context || !places || NOT_A_NAME.test(name)) return undefined
  const asked = await withComma(name)
  const { found } = await places.ask(openMeteoPlaces, { name: asked, language }, context.deadline)
  const [wanted = ''] = asked.split(',')
  const place = found.find(
    (one) =>
      cityKey(one.name) === cityKey(wanted) &&
      one.zone !== '' &&
      IS_SETTLEMENT.test(one.feature) &&
      (one.population >= minGeocodedPopulation || asked.includes(',')),
  )
  // Accept a provider's time zone only if the platform knows it.
  if (!place || readTimeZone(place.zone) === undefined) return undefined
  const { name: shown, country, region, zone, latitude, longitude, population } = place
  const distinction = !asked.includes(',') ? '' : region === '' ? 'country' : 'region'
  return toPlace({ name: shown, country, region, regionCode: '', zone, latitude, longitude, population }, distinction)
}

/** Several countries may use the same number, so without a country it must be the client's, or used by only one. */
async function findByPostalCode(code: string, within: string, search: PlaceSearch): Promise<Place | undefined> {
  const { context, language, home } = search
  const places = context?.find(openmeteoplaces)
  if (!context || !places) return undefined
  const { found } = await places.ask(openMeteoPlaces, { name: code, language }, context.deadline)
  const country = within === '' ? home : await findCountry(within)
  const usable = found.filter((place) => place.postcodes.includes(code) && readTimeZone(place.zone) !== undefined)
  const named = usable.filter((place) => within !== '' && cityKey(place.name) === cityKey(within))
  const candidates = named.length > 0 ? named : usable.filter((place) => !country || place.country === country)
  const [first] = candidates
  const isCertain =
    candidates.every((place) => place.country === first?.country) && (within === '' || named.length > 0 || country)
  if (!first || !isCertain) return undefined
  const { name, region, zone, latitude, longitude, population } = first
  return toPlace(
    { name, country: first.country, region, regionCode: '', zone, latitude, longitude, population },
    'country',
  )
}

/** `paris texas` → `paris, texas`: the geocoder only accepts a country or region after a comma. */
async function withComma(name: string): Promise<string> {
  const at = name.lastIndexOf(' ')
  if (at < 0 || name.includes(',')) return name
  const last = name.slice(at + 1)
  const isQualifier = readZone(last)?.zone.includes('/') || (await findCountry(last)) !== undefined
  return isQualifier ? `${name.slice(0, at)}, ${last}` : name
}

/** `San José, Costa Rica`: the name, and what tells it apart from its namesakes. */
export function placeLabel({ name, country, region, distinction }: Place, locale: string): string {
  const more = distinction === 'country' ? countryName(country, locale) : distinction === 'region' ? region : ''
  return more === '' || more === name ? name : `${name}, ${more}`
}

const NEAR_KM = 30
const KM_PER_DEGREE = 111.2
const SHOWN_DECIMALS = 2

/** Its zone is '' if no city is near enough to tell. */
export async function placeAt({ latitude, longitude }: AnswerPoint): Promise<Place> {
  const nearest = nearestOf((await loadCities()).values(), { latitude, longitude })
  const name = `${latitude.toFixed(SHOWN_DECIMALS)}, ${longitude.toFixed(SHOWN_DECIMALS)}`
  const nowhere = { name, country: '', region: '', regionCode: '', zone: '', population: 0 }
  return toPlace({ ...(nearest ?? nowhere), latitude, longitude }, '')
}

function nearestOf(cities: Iterable<readonly City[]>, point: AnswerPoint): City | undefined {
  let best: City | undefined
  let bestKm = NEAR_KM
  for (const same of cities) {
    for (const city of same) {
      const km = distanceKm(city, point)
      if (km >= bestKm) continue
      best = city
      bestKm = km
    }
  }
  return best
}

/** Treats the Earth as flat, which is fine over a few kilometres, and handles the date line. */
function distanceKm(city: City, { latitude, longitude }: AnswerPoint): number {
  const north = city.latitude - latitude
  const apart = Math.abs(city.longitude - longitude)
  const east = Math.min(apart, 360 - apart) * Math.cos((latitude * Math.PI) / 180)
  return Math.hypot(north, east) * KM_PER_DEGREE
}

/**
 * A city that we can find without a geocoder, from city-timezones (7,300 cities, English names) and
 * `data/place-names.txt`, its other names.
 */
interface City {
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
type CityIndex = ReadonlyMap<string, readonly City[]>

let loaded: Promise<CityIndex> | undefined

function loadCities(): Promise<CityIndex> {
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
  for (const entry of cityMapping) {
    // Some entries have no time zone, and we can't use a city without one.
    if (!entry.timezone) continue
    const city: City = {
      name: entry.city,
      country: entry.iso2,
      region: entry.province ?? '',
      regionCode: entry.state_ansi ?? '',
      zone: entry.timezone,
      latitude: rounded(entry.lat),
      longitude: rounded(entry.lng),
      population: entry.pop,
    }
    add(entry.city, city)
    if (cityKey(entry.city_ascii) !== cityKey(entry.city)) add(entry.city_ascii, city)
  }
  await addOtherNames(index, add)
  for (const same of index.values()) same.sort((left, right) => right.population - left.population)
  return index
}

/** Four decimals are about ten metres; the list's further digits aren't meaningful. */
const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

async function addOtherNames(index: Map<string, City[]>, add: (name: string, city: City) => void): Promise<void> {
  for (const line of await readTable('place-names.txt')) {
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
const cityKey = (name: string): string =>
  fold(name).replace(/[.’']/g, '').replaceAll('-', ' ').replaceAll('ø', 'o').replaceAll('ß', 'ss').trim()
