// The invented map for the geocoders: a few real landmarks and towns, a postcode, and for any other short name some
// streets, cafés and bridges that don't exist. A point far from every town is in the sea.
import { capitalised, fill, nth } from './phrasing.ts'
import { fraction, hash, mix } from './random.ts'
import { TOWNS, type Town } from './towns.ts'

export interface Place {
  /** Undefined for a postcode, which isn't an object in OpenStreetMap. */
  osmType: 'node' | 'way' | 'relation' | undefined
  id: number
  lat: number
  lon: number
  /** Distance from the point to each side of its box, in degrees. */
  reach: number
  category: string
  type: string
  /** Its kind as a part of an address: `city`, `road`, `tourism`. */
  addressType: string
  rank: number
  importance: number
  /** '' for a house without a name. */
  name: string
  /** Keyed by language, where they differ. */
  names: Readonly<Record<string, string>>
  /** The places around it. Empty parts are left out. */
  address: { houseNumber: string; road: string; city: string; state: string; postcode: string; country: string }
  countryCode: string
}

const PARIS = { city: 'Paris', state: 'Île-de-France', country: 'France' }
const EIFFEL_TOWER: Place = {
  osmType: 'way',
  id: 5013364,
  lat: 48.8582599,
  lon: 2.2945006,
  reach: 0.0009,
  category: 'man_made',
  type: 'tower',
  addressType: 'man_made',
  rank: 30,
  importance: 0.6205937724353116,
  name: 'Tour Eiffel',
  names: { en: 'Eiffel Tower', de: 'Eiffelturm', es: 'Torre Eiffel', it: 'Torre Eiffel', pt: 'Torre Eiffel' },
  address: { houseNumber: '5', road: 'Avenue Anatole France', postcode: '75007', ...PARIS },
  countryCode: 'fr',
}
const LANDMARKS: readonly Place[] = [
  EIFFEL_TOWER,
  {
    ...EIFFEL_TOWER,
    osmType: 'node',
    id: 7_210_334_551,
    lat: 48.8572911,
    lon: 2.2927823,
    reach: 0.00005,
    category: 'amenity',
    type: 'restaurant',
    addressType: 'amenity',
    importance: 9.99e-6,
    name: 'Brasserie <de la> Tour & Fils',
    names: {},
    address: { ...EIFFEL_TOWER.address, houseNumber: '12 bis', road: 'Quai Jacques Chirac' },
  },
  {
    ...EIFFEL_TOWER,
    osmType: undefined,
    id: 75007,
    lat: 48.8566,
    lon: 2.3125,
    reach: 0.015,
    category: 'place',
    type: 'postcode',
    addressType: 'postcode',
    rank: 21,
    importance: 0.12,
    name: '75007',
    names: {},
    address: { houseNumber: '', road: '', postcode: '', ...PARIS },
  },
]

const placeOfTown = (town: Town): Place => ({
  osmType: 'relation',
  id: town.id,
  lat: town.latitude,
  lon: town.longitude,
  reach: 0.02 + Math.sqrt(town.population) / 40_000,
  category: 'boundary',
  type: 'administrative',
  addressType: town.population > 100_000 ? 'city' : 'town',
  rank: 16,
  importance: Number((0.3 + Math.log10(town.population + 1) / 13).toFixed(9)),
  name: town.name,
  names: town.names,
  address: { houseNumber: '', road: '', city: '', state: town.region, postcode: '', country: town.country },
  countryCode: town.countryCode.toLowerCase(),
})

const INHABITED = TOWNS.filter(({ feature }) => feature.startsWith('PPL'))
const KNOWN: readonly Place[] = [...LANDMARKS, ...INHABITED.map(placeOfTown)]

interface Kind extends Pick<Place, 'category' | 'type' | 'addressType' | 'osmType'> {
  /** A template; '' for a house that has only a number. */
  name: string
}

const KINDS: readonly [Kind, ...Kind[]] = [
  { name: '{Q} Street', category: 'highway', type: 'residential', addressType: 'road', osmType: 'way' },
  { name: 'Café {Q}', category: 'amenity', type: 'cafe', addressType: 'amenity', osmType: 'node' },
  { name: '{Q} Park', category: 'leisure', type: 'park', addressType: 'leisure', osmType: 'way' },
  { name: '{Q} Bridge', category: 'man_made', type: 'bridge', addressType: 'man_made', osmType: 'way' },
  { name: '', category: 'place', type: 'house', addressType: 'place', osmType: 'node' },
  { name: '{Q} Station', category: 'railway', type: 'station', addressType: 'railway', osmType: 'node' },
  { name: 'Hôtel {Q}', category: 'tourism', type: 'hotel', addressType: 'tourism', osmType: 'way' },
]

const MOST_FOUND = 60
const LONGEST_INVENTED = 3

/** The n-th invented place named after a text, in some town. */
function invented(text: string, n: number): Place {
  const state = hash(`place\n${text}`)
  const town = INHABITED[mix(state, n) % INHABITED.length] ?? TOWNS[0]
  const kind = nth(KINDS, n + (state % KINDS.length))
  const subject = capitalised(text)
  return {
    osmType: kind.osmType,
    // Real ids exceed 32 bits.
    id: 4_000_000_000 + mix(state, n + MOST_FOUND),
    lat: Number(((town?.latitude ?? 0) + (fraction(state, 3 * n) - 0.5) / 10).toFixed(7)),
    lon: Number(((town?.longitude ?? 0) + (fraction(state, 3 * n + 1) - 0.5) / 10).toFixed(7)),
    reach: kind.osmType === 'node' ? 0.00005 : 0.002,
    category: kind.category,
    type: kind.type,
    addressType: kind.addressType,
    rank: kind.osmType === 'node' ? 30 : 26,
    importance: n === 0 ? 1e-7 : Number((0.05 / n).toFixed(9)),
    name: fill(kind.name, subject),
    names: {},
    address: {
      houseNumber: kind.type === 'residential' ? '' : String(1 + (mix(state, n) % 180)),
      road: kind.type === 'residential' ? '' : `${subject} Street`,
      city: town?.name ?? '',
      state: town?.region ?? '',
      postcode: String(10_000 + (mix(state, n) % 89_999)),
      country: town?.country ?? '',
    },
    countryCode: (town?.countryCode ?? '').toLowerCase(),
  }
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const KNOWN_WORDS = KNOWN.map((place) => ({
  place,
  own: new Set([place.name, ...Object.values(place.names)].flatMap(wordsOf)),
  around: new Set([...Object.values(place.address), place.countryCode].flatMap(wordsOf)),
}))

/** Best first. Every word must match the place or its surroundings, and the first word the place itself. */
export function findPlaces(text: string): Place[] {
  const words = wordsOf(text)
  const [first] = words
  if (first === undefined || words.includes('nothingtofind')) return []
  const known = KNOWN_WORDS.filter(
    ({ own, around }) => own.has(first) && words.every((word) => own.has(word) || around.has(word)),
  ).map(({ place }) => place)
  known.sort((one, other) => other.importance - one.importance)
  if (words.length > LONGEST_INVENTED || /^\d+$/.test(first)) return known
  const others = Array.from({ length: MOST_FOUND - known.length }, (_, n) => invented(text.trim(), n))
  return [...known, ...others]
}

const distance = (place: Place, { lat, lon }: { lat: number; lon: number }): number =>
  Math.hypot(place.lat - lat, (place.lon - lon) * Math.cos((lat * Math.PI) / 180))

const LANDMARK_REACH = 0.002
const TOWN_REACH = 0.5

/** The landmark at a point, or a house in the town around it; undefined in the sea. */
export function placeAt(point: { lat: number; lon: number }): Place | undefined {
  const [landmark] = LANDMARKS.filter(({ osmType }) => osmType).toSorted(
    (one, other) => distance(one, point) - distance(other, point),
  )
  if (landmark && distance(landmark, point) < LANDMARK_REACH) return landmark
  const town = KNOWN.find((place) => place.category === 'boundary' && distance(place, point) < TOWN_REACH)
  if (!town) return undefined
  const house = invented(`${point.lat.toFixed(4)},${point.lon.toFixed(4)}`, 0)
  const streets = ['Mill', 'Orchard', 'Harbour', 'Station', 'Linden', 'Bower'] as const
  const road = `${nth(streets, house.id)} Street`
  const { state, country } = town.address
  return {
    ...house,
    ...point,
    osmType: 'way',
    reach: 0.0001,
    category: 'building',
    type: 'yes',
    addressType: 'building',
    name: '',
    address: { ...house.address, houseNumber: String(1 + (house.id % 180)), road, city: town.name, state, country },
    countryCode: town.countryCode,
  }
}

/** The names of a place and its surroundings, the smallest first. A house without a name goes by its number. */
export function addressLines(place: Place, lang: string): string[] {
  const { houseNumber, road, city, state, postcode, country } = place.address
  const parts = [nameIn(place, lang), houseNumber, road, city, state, postcode, country]
  return [...new Set(parts.filter((part) => part !== ''))]
}

export const nameIn = ({ name, names }: Place, lang: string): string =>
  (Object.hasOwn(names, lang) ? names[lang] : undefined) ?? name

/** The first valid language in a header: `pt` of `pt-BR, en;q=0.5`. */
export const firstLanguage = (header: string): string => /^\s*([a-z]{2,3})\b/i.exec(header)?.[1]?.toLowerCase() ?? ''
