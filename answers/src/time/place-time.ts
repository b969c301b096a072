// The time at a place or in a zone: resolves a name to a zone and writes the time there. Shared by the world clock and
// the conversion between zones.
import type { Moment } from '../lib/calendar.ts'
import { countryName } from '../lib/countries.ts'
import { writeDate } from '../lib/date-words.ts'
import { findPlace, type PlaceSearch, placeLabel } from '../lib/find-place.ts'
import { readZone, writeOffset } from '../lib/zone-words.ts'

export interface TimedPlace {
  /** The display name. */
  label: string
  /** ISO 3166-1 alpha-2, or '' for a zone. */
  country: string
  /** An IANA name or an offset, as Temporal accepts. */
  zone: string
  /** The query named a zone, so its label needs no abbreviation of the same name. */
  isZone: boolean
}

export interface TimeSearch extends PlaceSearch {
  locale: string
  now: number
  /** Follows an unmistakable trigger, so the name itself may be ambiguous. */
  isExplicit: boolean
}

/** Abbreviations that are also words: `art time` isn't about Argentina. */
const WORDS_TOO = new Set(['art', 'cat', 'eat', 'wat', 'wet', 'west', 'z', 'et', 'ct', 'mt', 'pt', 'central'])

/** `name` is folded. */
export async function findTimedPlace(name: string, search: TimeSearch): Promise<TimedPlace | undefined> {
  const words = !search.isExplicit && WORDS_TOO.has(name) ? undefined : readZone(name)
  if (words) return { label: words.label, country: '', zone: words.zone, isZone: true }
  const place = await findPlace(name, search)
  if (!place) return undefined
  const { country, zone } = place
  const isWhole = place.isForCountry && (await isOneTime(country, search.now))
  const label = isWhole ? countryName(country, search.locale) : placeLabel(place, search.locale)
  return { label, country, zone, isZone: false }
}

async function isOneTime(country: string, now: number): Promise<boolean> {
  const [{ hasOneTime }, { momentIn }] = await Promise.all([
    import('./zone-abbreviation.ts'),
    import('../lib/calendar.ts'),
  ])
  return hasOneTime(country, now, (zone, epochMs) => momentIn(zone, epochMs).offset)
}

/** `CET, UTC+1`; `UTC+5:30` if there is no abbreviation. */
export async function writeZone({ zone, label, isZone }: TimedPlace, { epochMs, offset }: Moment): Promise<string> {
  const { zoneAbbreviation } = await import('./zone-abbreviation.ts')
  const abbreviation = zone.includes('/') ? zoneAbbreviation(zone, epochMs, offset) : ''
  const utc = isZone || writeOffset(offset) !== '' ? `UTC${writeOffset(offset)}` : 'UTC+0'
  const names = [abbreviation, utc].filter((name) => name !== '' && name !== (isZone ? label : ''))
  return [...new Set(names)].join(', ')
}

export const writeClock = ({ date, time }: Moment, locale: string): string =>
  writeDate(`${date}T${time}`, 'clock', locale)
