// Time zones by their common names: `utc+5:30`, `pst`, `europe/berlin`, `eastern time`, `california`. Ambiguous
// abbreviations get their best-known meaning: CST is American, IST Indian, BST British. PST and PDT are fixed offsets,
// as their names say; PT, ET and cities follow daylight saving time.

export interface ZoneWords {
  /** An IANA name or an offset such as `-08:00`, as Temporal accepts. */
  zone: string
  /** The display name. */
  label: string
}

/** `label:zone`; looked up by the lower-case label. */
const ABBREVIATIONS =
  'UTC:+00:00 GMT:+00:00 Z:+00:00 EST:-05:00 EDT:-04:00 CST:-06:00 CDT:-05:00 MST:-07:00 MDT:-06:00 PST:-08:00 PDT:-07:00 ' +
  'AKST:-09:00 AKDT:-08:00 HST:-10:00 NST:-03:30 NDT:-02:30 ADT:-03:00 BRT:-03:00 ART:-03:00 CLT:-04:00 WET:+00:00 WEST:+01:00 ' +
  'BST:+01:00 CET:+01:00 CEST:+02:00 MEZ:+01:00 MESZ:+02:00 EET:+02:00 EEST:+03:00 MSK:+03:00 TRT:+03:00 SAST:+02:00 EAT:+03:00 ' +
  'WAT:+01:00 CAT:+02:00 GST:+04:00 PKT:+05:00 IST:+05:30 NPT:+05:45 ICT:+07:00 WIB:+07:00 SGT:+08:00 HKT:+08:00 PHT:+08:00 ' +
  'AWST:+08:00 JST:+09:00 KST:+09:00 ACST:+09:30 ACDT:+10:30 AEST:+10:00 AEDT:+11:00 NZST:+12:00 NZDT:+13:00 ' +
  'PT:America/Los_Angeles MT:America/Denver CT:America/Chicago ET:America/New_York'

const NAMED =
  'pacific:Pacific time:America/Los_Angeles,mountain:Mountain time:America/Denver,central:Central time:America/Chicago,' +
  'eastern:Eastern time:America/New_York,atlantic:Atlantic time:America/Halifax,alaska:Alaska:America/Anchorage,' +
  'hawaii:Hawaii:Pacific/Honolulu'

/** States and provinces, by the zone where most of their people live. */
const REGIONS =
  'America/New_York:connecticut,delaware,florida,maine,maryland,massachusetts,michigan,new hampshire,new jersey,north carolina,' +
  'ohio,pennsylvania,rhode island,south carolina,vermont,virginia,west virginia,kentucky,indiana ' +
  'America/Chicago:alabama,arkansas,illinois,iowa,kansas,louisiana,minnesota,mississippi,missouri,nebraska,north dakota,' +
  'oklahoma,south dakota,tennessee,texas,wisconsin America/Denver:colorado,idaho,montana,new mexico,utah,wyoming ' +
  'America/Phoenix:arizona America/Los_Angeles:california,nevada,oregon,washington state ' +
  'America/Vancouver:british columbia America/Edmonton:alberta America/Regina:saskatchewan America/Winnipeg:manitoba ' +
  'America/Halifax:nova scotia America/St_Johns:newfoundland Australia/Sydney:new south wales Australia/Brisbane:queensland ' +
  'Australia/Perth:western australia Australia/Adelaide:south australia Australia/Hobart:tasmania ' +
  'Europe/Berlin:bavaria,bayern,saxony,sachsen Europe/London:northern ireland Europe/Madrid:catalonia,cataluna Europe/Rome:sicily,sicilia,sardinia ' +
  'Atlantic/Canary:canary islands,canarias,islas canarias Atlantic/Azores:azores,acores Atlantic/Madeira:madeira ' +
  'Asia/Makassar:bali Asia/Kolkata:kerala,goa'

const capitalised = (words: string): string => words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

const ZONES: ReadonlyMap<string, ZoneWords> = new Map([
  ...ABBREVIATIONS.split(' ').map((pair) => {
    const at = pair.indexOf(':')
    const label = pair.slice(0, at)
    return [label.toLowerCase(), { label, zone: pair.slice(at + 1) }] as const
  }),
  ...NAMED.split(',').flatMap((entry) => {
    const [word = '', label = '', zone = ''] = entry.split(':')
    return [word, `${word} time`].map((name) => [name, { label, zone }] as const)
  }),
  ...REGIONS.split(/ (?=[A-Z][a-z]+\/)/).flatMap((group) => {
    const [zone = '', names = ''] = group.split(':')
    return names.split(',').map((name) => [name, { label: capitalised(name), zone }] as const)
  }),
])

const OFFSET = /^(?:utc|gmt)? ?([-+−])(\d{1,2})(?::?([0-5]\d))?$/
const IANA =
  /^(?:africa|america|antarctica|asia|atlantic|australia|europe|indian|pacific)\/[a-z_]{3,30}(?:\/[a-z_]{3,30})?$/

/** `undefined`: not a zone, or one that only the city index knows. `text` is folded. */
export function readZone(text: string): ZoneWords | undefined {
  const known = ZONES.get(text)
  if (known) return known
  const [, sign, hours = '', minutes = '00'] = OFFSET.exec(text) ?? []
  if (sign) return offsetZone(sign === '+' ? '+' : '-', Number(hours), minutes)
  return IANA.test(text) ? ianaZone(text) : undefined
}

function offsetZone(sign: '+' | '-', hours: number, minutes: string): ZoneWords | undefined {
  if (hours > 14) return undefined
  const zone = `${sign}${String(hours).padStart(2, '0')}:${minutes}`
  return { zone, label: `UTC${writeOffset(zone)}` }
}

function ianaZone(text: string): ZoneWords | undefined {
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
    // The platform may prefer an older name; show the one that was asked for.
    return {
      zone,
      label: text.replace(/(^|[/_])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase()),
    }
  } catch {
    // Intl throws for unknown zones.
    return undefined
  }
}

/** `+05:30` → `+5:30`, `-08:00` → `-8`, `+00:00` → ``. */
export function writeOffset(offset: string): string {
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)/.exec(offset) ?? []
  if (Number(hours) === 0 && minutes === '00') return ''
  return `${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`
}

const ZONE_NAME = /^[a-z][a-z\d_+-]{0,31}(?:\/[a-z\d_+-]{1,31}){0,2}$/i
const MAX_SPELLINGS = 2_000

const spellings = new Map<string, string>()

/**
 * Reads a name in the IANA database: `Europe/Berlin`, `UTC`. An offset isn't accepted, because it doesn't tell when
 * summer time applies. Returns the database's own spelling, if Intl reports it; `undefined`: there is no such zone.
 */
export function readTimeZone(text: string): string | undefined {
  if (!ZONE_NAME.test(text)) return undefined
  const name = spellings.get(text) ?? databaseSpelling(text)
  if (name === undefined) return undefined
  if (spellings.size >= MAX_SPELLINGS) spellings.clear()
  spellings.set(text, name)
  return name
}

function databaseSpelling(text: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    // For a zone with two names Intl returns the older: Asia/Calcutta for Asia/Kolkata. Keep the client's.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    // Intl throws for an unknown zone.
    return undefined
  }
}
