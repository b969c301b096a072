// A map of the place the query names. A geocoder finds something for almost any text and allows one call a second, so
// it is called only on a hint: the query asks where something is or for a map of it, or names an article with
// coordinates. The place found must have that name and be the kind of thing people look for on a map. If the hint was
// an article, the place must be near its coordinates; if it was the word `map` (think of `mind map`, `carte de
// visite`), the place must be well known.

import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { nominatim } from '@bowerbird/engines/sources/nominatim.ts'
import { photon } from '@bowerbird/engines/sources/photon.ts'
import { z } from 'zod'
import { presentPlace } from '../maps/map-links.ts'
import { Attribution, type CardContext, defineCard, type Geocode } from './card.ts'
import { createSubjectFinder, withoutArticle, wordsOf } from './names.ts'

const whereIs = createSubjectFinder([
  {
    before:
      "where is|where are|where's|ou est|ou se trouve|wo ist|wo liegt|donde esta|donde queda|dov'e|" +
      'dove si trova|onde fica|onde e|waar is|waar ligt',
  },
  { after: 'on a map|on the map' },
])

const mapOf = createSubjectFinder([
  {
    before: 'map of|carte de|plan de|karte von|stadtplan|mapa de|mappa di|cartina di|kaart van',
  },
  { after: 'map|karte|stadtplan|carte|mapa|mappa|kaart' },
])

/** Excludes shops, offices, houses and postcodes: those are addresses, not places. */
const PLACES = new Set(
  (
    'continent country state region province county state_district municipality district city town village ' +
    'hamlet borough suburb quarter neighbourhood city_district island islet archipelago locality place ' +
    'boundary natural water waterway peak volcano bay sea ocean tourism historic man_made building leisure ' +
    'aeroway railway bridge park road mountain_range protected_area'
  ).split(' '),
)

const MAX_DISTANCE_KM = 60
const KM_PER_DEGREE = 111.2

const MAX_TEXT_LENGTH = 150

/** A place is well known from this importance on Nominatim's scale, from 0 to about 1. A village has less. */
const MIN_IMPORTANCE = 0.4
const ALWAYS_KNOWN = new Set(['country', 'state', 'city'])

const isKnownWell = ({ importance, addressType }: GeoPlace): boolean =>
  importance >= MIN_IMPORTANCE || ALWAYS_KNOWN.has(addressType)

/** The query may have more words than the name (`Paris, France`), if they are all in the address. */
function hasName({ name, displayName }: GeoPlace, text: string): boolean {
  const asked = wordsOf(text)
  const nameWords = withoutArticle(wordsOf(name || displayName.split(',')[0] || ''))
  const address = new Set([
    ...nameWords,
    ...wordsOf(displayName),
    ...asked.slice(0, asked.length - withoutArticle(asked).length),
  ])
  return (
    nameWords.length > 0 && nameWords.every((word) => asked.includes(word)) && asked.every((word) => address.has(word))
  )
}

/** Precise enough to tell one Paris from another. */
function isNear(place: GeoPlace, { lat, lon }: { lat: number; lon: number }): boolean {
  const { box } = place
  const crossesAntimeridian = box !== null && box.west > box.east
  const isInside =
    box !== null &&
    lat >= box.south &&
    lat <= box.north &&
    (crossesAntimeridian ? lon >= box.west || lon <= box.east : lon >= box.west && lon <= box.east)
  const apart = Math.abs(place.lon - lon)
  const east = Math.min(apart, 360 - apart) * Math.cos((lat * Math.PI) / 180)
  return isInside || Math.hypot(place.lat - lat, east) * KM_PER_DEGREE <= MAX_DISTANCE_KM
}

/** `Mercury (Nevada)` is an article title, not a place name. */
const withoutQualifier = (title: string): string => title.replace(/ \([^()]{1,80}\)$/, '')

async function placeFor(context: CardContext, geocode: Geocode): Promise<GeoPlace | undefined> {
  const { text, lang } = context
  const sought = whereIs(text)
  const subject = sought ?? mapOf(text)
  if (subject !== undefined) {
    const place = await geocode(subject, lang)
    const isMatch = place && hasName(place, subject) && (sought !== undefined || isKnownWell(place))
    return isMatch ? place : undefined
  }
  const article = await context.article()
  if (!article?.coordinates) return undefined
  const name = withoutQualifier(article.title)
  const place = await geocode(name, lang || article.lang)
  return place && hasName(place, name) && isNear(place, article.coordinates) ? place : undefined
}

export const mapCard = defineCard({
  kind: 'map',
  summary: 'The place the query names, in the same form as in `maps/`.',
  sources: [nominatim, photon],
  reply: z.object({
    name: z.string(),
    display_name: z.string(),
    lat: z.number(),
    lon: z.number(),
    category: z.string(),
    type: z.string(),
    addresstype: z.string(),
    importance: z.number(),
    embed_url: z.string(),
    mini_embed_url: z.string(),
    osm_url: z.string(),
    directions_url: z.string(),
    geo_uri: z.string(),
    attribution: Attribution,
  }),
  async ask(context) {
    if (!context.geocode || context.text.length > MAX_TEXT_LENGTH) return null
    const place = await placeFor(context, context.geocode)
    if (!place || !PLACES.has(place.addressType)) return null
    const presented = presentPlace(place)
    return {
      ...presented,
      attribution: {
        text: 'OpenStreetMap contributors',
        url: presented.osm_url,
        licence: 'ODbL 1.0',
        licence_url: 'https://www.openstreetmap.org/copyright',
      },
    }
  },
})
