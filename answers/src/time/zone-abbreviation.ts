// The abbreviation of a zone at a moment: CET in winter, CEST in summer. Intl writes most of them only for zones of its
// own locale, so the English long name is looked up in tzdb. It is a large import, so answers load it when needed.
import { abbreviations, rawTimeZones } from '@vvo/tzdb'

const LETTERS = /^[A-Z][A-Za-z]{1,4}$/
const MOST_FORMATS = 100

const formats = new Map<string, Intl.DateTimeFormat>()

/** '' if none is in use. `offset` is the zone's at that moment: `+01:00`. */
export function zoneAbbreviation(zone: string, epochMs: number, offset: string): string {
  const long = longName(zone, epochMs)
  const known = abbreviations[long]
  if (known !== undefined) return LETTERS.test(known) ? known : ''
  // The zone table only has the winter abbreviation.
  const listed = rawTimeZones.find(({ name, group }) => name === zone || group.includes(zone))
  const isWinter = listed !== undefined && listed.rawOffsetInMinutes === minutesOf(offset)
  return isWinter && LETTERS.test(listed.abbreviation) ? listed.abbreviation : ''
}

function longName(zone: string, epochMs: number): string {
  let format = formats.get(zone)
  if (!format) {
    if (formats.size >= MOST_FORMATS) formats.clear()
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' })
    formats.set(zone, format)
  }
  return format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (hours * 60 + minutes) * (offset.startsWith('-') ? -1 : 1)
}

/** Whether the whole country has the same time at this moment. */
export function hasOneTime(
  country: string,
  epochMs: number,
  offsetOf: (zone: string, epochMs: number) => string,
): boolean {
  const zones = rawTimeZones.filter(({ countryCode }) => countryCode === country)
  return new Set(zones.map(({ name }) => offsetOf(name, epochMs))).size === 1
}
