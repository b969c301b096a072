// Orders the sites' entries on one query, by the seed and the query alone, never by the engine.
import { mix } from './random.ts'

/** The first is so far ahead that an engine that does not filter shows it on its first page. */
const ADULT_PLACES: readonly number[] = [-18, 19, 37, 62]
/** Hand-written entries rank before all composed ones, at every engine. */
const PLACE_AFTER_HAND_WRITTEN = 80
/** Keeps adult entries off the first page then: it is the one of the screenshots. */
const ADULT_DELAY = 60

interface Arrangement<Site> {
  /** The hash of the seed and the query. */
  state: number
  sites: readonly Site[]
  adultSites: readonly Site[]
  /** How many entries each site has. */
  perSite: number
  hasHandWritten: boolean
}

export interface Composition<Site> {
  site: Site
  isAdult: boolean
  /** 0 for the first entry of a site. */
  round: number
  place: number
  /** The site's number for this query, the same in every round. */
  own: number
}

export function arrange<Site>({ state, sites, adultSites, perSite, hasHandWritten }: Arrangement<Site>) {
  const first = hasHandWritten ? PLACE_AFTER_HAND_WRITTEN : 0
  const firstAdult = hasHandWritten ? first + ADULT_DELAY : first
  const compositions: Composition<Site>[] = []
  for (let round = 0; round < perSite; round++) {
    for (const { site, index } of shuffled(sites, mix(state, round))) {
      const place = first + compositions.length
      compositions.push({ site, isAdult: false, round, place, own: mix(state, index) })
    }
  }
  for (const [order, place] of ADULT_PLACES.entries()) {
    const index = order % adultSites.length
    const site = adultSites[index]
    const round = Math.floor(order / adultSites.length)
    const own = mix(state, sites.length + index)
    if (site !== undefined) compositions.push({ site, isAdult: true, round, place: firstAdult + place, own })
  }
  return compositions
}

function shuffled<Site>(sites: readonly Site[], state: number): { site: Site; index: number }[] {
  return sites
    .map((site, index) => ({ site, index, order: mix(state, index) }))
    .sort((left, right) => left.order - right.order)
}
