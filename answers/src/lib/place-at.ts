// Names the place at a point: the nearest city in our own list, if one is near, else the coordinates. This makes no
// request, so the caller's location only goes to the source that the answer needs.
import type { AnswerPoint } from '../answer.ts'
import { type City, loadCities } from './city-index.ts'
import type { Place } from './find-place.ts'

const NEAR_KM = 30
const KM_A_DEGREE = 111.2
const SHOWN_DECIMALS = 2

export interface PlaceAt extends Place {
  /** '' if no city is near enough to tell. */
  zone: string
}

export async function placeAt({ latitude, longitude }: AnswerPoint): Promise<PlaceAt> {
  const nearest = nearestOf((await loadCities()).values(), { latitude, longitude })
  const name = nearest?.name ?? `${latitude.toFixed(SHOWN_DECIMALS)}, ${longitude.toFixed(SHOWN_DECIMALS)}`
  const { country = '', region = '', regionCode = '', zone = '', population = 0 } = nearest ?? {}
  return {
    name,
    country,
    region,
    regionCode,
    zone,
    population,
    latitude,
    longitude,
    distinction: '',
    isForCountry: false,
  }
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
  return Math.hypot(north, east) * KM_A_DEGREE
}
