// The time at a place or in a zone: resolves a name to a zone and writes the time there. Shared by the world clock and
// the conversion between zones.

import { cached } from '../lib/cached.ts'
import type { Moment } from '../lib/calendar.ts'
import { countryName } from '../lib/countries.ts'
import { writeDate } from '../lib/dates.ts'
import { findPlace, type PlaceSearch, placeLabel } from '../lib/places.ts'
import { colonIn } from '../lib/write-text.ts'
import { readZone, writeOffset } from '../lib/zones.ts'

export interface TimedPlace {
  /** The display name. */
  label: string
  /** ISO 3166-1 alpha-2, or '' for a zone. */
  country: string
  /** An IANA name or an offset, as Temporal accepts. */
  zone: string
  /** The query named a zone, so its label needs no abbreviation of the same name. */
  isZone: boolean
  /** For a country with several times, their range: `Russia: UTC+2 – UTC+12`; otherwise ''. */
  span: string
}

export interface TimeSearch extends PlaceSearch {
  locale: string
  now: number
  /** Follows an unmistakable trigger, so the name itself may be ambiguous. */
  isExplicit: boolean
}

/** Abbreviations that are also words: `art time` isn't about Argentina. */
const ALSO_WORDS = new Set(['art', 'cat', 'eat', 'wat', 'wet', 'west', 'z', 'et', 'ct', 'mt', 'pt', 'central'])

/** `name` is folded. */
export async function findTimedPlace(name: string, search: TimeSearch): Promise<TimedPlace | undefined> {
  const words = !search.isExplicit && ALSO_WORDS.has(name) ? undefined : readZone(name)
  if (words) return { label: words.label, country: '', zone: words.zone, isZone: true, span: '' }
  const place = await findPlace(name, search)
  if (!place) return undefined
  const { country, zone } = place
  if (!place.isForCountry) return { label: placeLabel(place, search.locale), country, zone, isZone: false, span: '' }
  const wholeCountry = countryName(country, search.locale)
  const offsets = await offsetsIn(country, search.now)
  const [first = '', last = ''] = [offsets[0], offsets.at(-1)]
  if (first === last) return { label: wholeCountry, country, zone, isZone: false, span: '' }
  const span = `${wholeCountry}${colonIn(search.language)} UTC${writeOffset(first)} – UTC${writeOffset(last)}`
  return { label: placeLabel(place, search.locale), country, zone, isZone: false, span }
}

/** The client's own place, named after its zone; `undefined`: its zone isn't known. */
export const ownPlace = (zone: string | undefined): TimedPlace | undefined =>
  zone === undefined
    ? undefined
    : { label: zone.replace(/^.*\//, '').replaceAll('_', ' '), country: '', zone, isZone: zone === 'UTC', span: '' }

/** The offsets in use in a country at this moment, from west to east. */
async function offsetsIn(country: string, now: number): Promise<string[]> {
  const [{ rawTimeZones }, { momentIn }] = await Promise.all([import('@vvo/tzdb'), import('../lib/calendar.ts')])
  const zones = rawTimeZones.filter(({ countryCode }) => countryCode === country)
  const offsets = new Set(zones.map(({ name }) => momentIn(name, now).offset))
  return [...offsets].toSorted((one, other) => minutesOf(one) - minutesOf(other))
}

/** `CET, UTC+1`; `UTC+5:30` if there is no abbreviation. */
export async function writeZone({ zone, label, isZone }: TimedPlace, { epochMs, offset }: Moment): Promise<string> {
  const abbreviation = zone.includes('/') ? await abbreviationOf(zone, { epochMs, offset }) : ''
  const utc = isZone || writeOffset(offset) !== '' ? `UTC${writeOffset(offset)}` : 'UTC+0'
  const names = [abbreviation, utc].filter((name) => name !== '' && name !== (isZone ? label : ''))
  return [...new Set(names)].join(', ')
}

export const writeClock = ({ date, time }: Moment, locale: string): string =>
  writeDate(`${date}T${time}`, 'clock', locale)

const LETTERS = /^[A-Z][A-Za-z]{1,4}$/

const longNames = new Map<string, Intl.DateTimeFormat>()

/**
 * The abbreviation of a zone at a moment: CET in winter, CEST in summer; '' if none is in use. Intl has most of them
 * only in the locales of their own zones, so the English long name is looked up in tzdb, a large import.
 */
async function abbreviationOf(zone: string, { epochMs, offset }: Pick<Moment, 'epochMs' | 'offset'>): Promise<string> {
  const { abbreviations, rawTimeZones } = await import('@vvo/tzdb')
  const create = () => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' })
  const parts = cached(longNames, zone, create).formatToParts(epochMs)
  const long = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const known = abbreviations[long]
  if (known !== undefined) return LETTERS.test(known) ? known : ''
  // The zone table only has the winter abbreviation.
  const listed = rawTimeZones.find(({ name, group }) => name === zone || group.includes(zone))
  const isWinter = listed !== undefined && listed.rawOffsetInMinutes === minutesOf(offset)
  return isWinter && LETTERS.test(listed.abbreviation) ? listed.abbreviation : ''
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (hours * 60 + minutes) * (offset.startsWith('-') ? -1 : 1)
}
