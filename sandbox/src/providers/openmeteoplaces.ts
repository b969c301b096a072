// Open-Meteo's geocoder: `GET /v1/search`, keyless. Its JSON is proto3: zeros and empty values are omitted, so no match
// is a reply without `results`. Two characters must match exactly, three or more are a prefix, ignoring accents; a
// country or a region may follow a comma. A postal code must match exactly. Our own choice: the texts of errors other than that for `count`, and that an
// unknown language means English.

import { EMPTY_CORPUS } from '../corpus/corpus.ts'
import { TOWNS, type Town } from '../corpus/towns.ts'
import { openMeteoError, openMeteoFailures } from './openmeteo-errors.ts'
import { defineProvider, type ProviderReply } from './provider.ts'
import { readChoice } from './read-choice.ts'
import { readInteger } from './read-integer.ts'

export const openmeteoplaces = defineProvider({
  slug: 'openmeteoplaces',
  key: '',
  readsHeaders: [],
  optionalMembers: ['elevation', 'population', 'postcodes', 'admin1', 'admin1_id', 'country_id', 'ranking'],
  answer({ method, path, query }, corpus) {
    if (method !== 'GET' || path !== '/v1/search') return undefined
    return search(query, corpus === EMPTY_CORPUS ? [] : TOWNS)
  },
  ...openMeteoFailures,
})

function search(query: URLSearchParams, towns: readonly Town[]): ProviderReply {
  const name = query.get('name')
  const count = readInteger(query, 'count', { from: 1, to: 100, fallback: 10 })
  const format = readChoice(query, 'format', { of: ['json', 'protobuf'], fallback: 'json' })
  const country = query.get('countryCode') ?? ''
  if (name === null) return openMeteoError('Parameter name is missing.')
  if (count === undefined) return openMeteoError('Parameter count must be between 1 and 100.')
  if (format !== 'json') return openMeteoError('Parameter format must be json.')
  if (country !== '' && !/^[A-Z]{2}$/.test(country))
    return openMeteoError('Parameter countryCode must have two letters.')
  const language = query.get('language') ?? 'en'
  const found = towns
    .filter((town) => (country === '' || town.countryCode === country) && isNamed(town, name))
    .toSorted((left, right) => right.population - left.population)
    .slice(0, count)
  const results = found.map((town) => withoutZeros(present(town, language)))
  return { status: 200, json: { ...(results.length > 0 && { results }), generationtime_ms: 0.57 } }
}

/** Of some towns, as in GeoNames. The same number may be a code of two countries. */
const POSTCODES: Readonly<Record<string, readonly string[]>> = {
  'Berlin DE': ['10115', '10178'],
  'Munich DE': ['80331'],
  'Paris FR': ['75001', '75116'],
  'Paris US': ['75460'],
  'Los Angeles US': ['90001', '28001'],
  'Madrid ES': ['28001'],
  'Zürich CH': ['8001'],
  'São Paulo BR': ['01000-000'],
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

function isNamed(town: Town, asked: string): boolean {
  const [name = '', within = ''] = asked.split(',', 2).map(plain)
  if (name.length < 2) return false
  const isWithin = within === '' || [town.country, town.countryCode, town.region].map(plain).includes(within)
  if (POSTCODES[`${town.name} ${town.countryCode}`]?.includes(name)) return isWithin
  const names = [town.name, ...Object.values(town.names)].map(plain)
  return isWithin && names.some((known) => (name.length === 2 ? known === name : known.startsWith(name)))
}

const present = (town: Town, language: string): Record<string, unknown> => ({
  id: town.id,
  name: (Object.hasOwn(town.names, language) ? town.names[language] : undefined) ?? town.name,
  latitude: town.latitude,
  longitude: town.longitude,
  elevation: 10 + (town.id % 90),
  ranking: Math.min(1, town.population / 10_000_000),
  feature_code: town.feature,
  country_code: town.countryCode,
  admin1_id: town.region === '' ? 0 : town.id + 1_000_000,
  timezone: town.zone,
  population: town.population,
  postcodes: POSTCODES[`${town.name} ${town.countryCode}`] ?? [],
  country_id: town.country === '' ? 0 : town.id + 2_000_000,
  country: town.country,
  admin1: town.region,
})

const withoutZeros = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== 0 && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
