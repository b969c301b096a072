// Parses dates and durations as providers write them, and converts time ranges to what providers accept. An unknown
// value is `undefined`.
import type { DateRange, EngineQuery } from '../engine.ts'

const YEAR_2100 = Date.UTC(2100, 0)

const parseIso = (value: string): number => {
  const hasZone =
    value.length === 10 || value.endsWith('Z') || value.lastIndexOf('+') > 10 || value.lastIndexOf('-') > 10
  return Date.parse(hasZone ? value : `${value}Z`)
}

/** In 1973. Smaller numbers are years (`2020`) or days (`20201231`), not seconds. */
const FIRST_TIMESTAMP_SECONDS = 1e8

const toMilliseconds = (value: unknown): number => {
  if (typeof value === 'string' && value.charAt(4) === '-' && value.charAt(7) === '-') return parseIso(value)
  const seconds = typeof value === 'string' ? Number(value) : value
  return typeof seconds === 'number' && seconds >= FIRST_TIMESTAMP_SECONDS ? seconds * 1000 : Number.NaN
}

/**
 * Converts ISO 8601 or Unix seconds to milliseconds. A time without a zone is in UTC. Returns `undefined` for 0 and for
 * absurd dates, which some providers send for "unknown", and for a bare year.
 */
export const parseTimestamp = (value: unknown): number | undefined => {
  const time = toMilliseconds(value)
  return time > 0 && time < YEAR_2100 ? time : undefined
}

const UNIT_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
}

const RELATIVE_DATE = /^(an?|\d{1,4}) (second|minute|hour|day|week|month|year)s? ago$/
const WRITTEN_DATE = /^(?:(?:[a-z]{3,9},? )?\d{1,2} [a-z]{3,9}\.? \d{4}|[a-z]{3,9}\.? \d{1,2}, \d{4})/
const ZONE = /(?:gmt|utc|z|[+-]\d{2}:?\d{2})$/

/**
 * Parses dates written in words, such as `3 hours ago`, `Oct 2, 2026` or `Sat, 14 Nov 2026 10:00:00 GMT`, as well as
 * everything that `parseTimestamp` accepts. Only English is understood; a date in another language is `undefined`.
 */
export const parseWrittenDate = (value: unknown, now: number): number | undefined => {
  const known = parseTimestamp(value)
  if (known !== undefined || typeof value !== 'string' || value.length > 60) return known
  const text = value.trim().toLowerCase()
  if (text === 'yesterday') return now - 86_400_000
  const [, count = '', unit = ''] = RELATIVE_DATE.exec(text) ?? []
  const ms = UNIT_MS[unit]
  if (ms !== undefined) return now - (count.startsWith('a') ? 1 : Number(count)) * ms
  if (!WRITTEN_DATE.test(text)) return undefined
  const time = Date.parse(ZONE.test(text) ? text : `${text} UTC`)
  return time > 0 ? time : undefined
}

/** What most providers call a time range. */
export const RANGE_NAMES = { d: 'day', w: 'week', m: 'month', y: 'year' } as const

const DAYS: Record<DateRange, number> = { d: 1, w: 7, m: 30, y: 365 }

/** The start of the requested time range, for providers that take dates instead of names. */
export const rangeStart = ({ date, now }: Pick<EngineQuery, 'date' | 'now'>): Date | undefined =>
  date && new Date(now - DAYS[date] * 86_400_000)

/** The first moment that is wanted: of `dateFrom` and the time range, the later. */
export const wantedFrom = (query: Pick<EngineQuery, 'date' | 'now' | 'dateFrom'>): Date | undefined => {
  const { dateFrom = Number.NEGATIVE_INFINITY } = query
  const from = Math.max(dateFrom, rangeStart(query)?.getTime() ?? Number.NEGATIVE_INFINITY)
  return Number.isFinite(from) ? new Date(from) : undefined
}

/** The shortest time range that begins no later than `dateFrom`; `undefined` if it is more than a year ago. */
export const rangeSince = (dateFrom: number, now: number): DateRange | undefined =>
  (['d', 'w', 'm', 'y'] as const).find((date) => now - DAYS[date] * 86_400_000 <= dateFrom)

/** A moment as a day in UTC: `2026-11-07`. */
export const isoDay = (moment: number | Date | undefined): string | undefined =>
  moment === undefined ? undefined : new Date(moment).toISOString().slice(0, 10)

/** The same in Unix seconds. */
export const rangeStartSeconds = (query: Pick<EngineQuery, 'date' | 'now'>): number | undefined => {
  const start = rangeStart(query)
  return start && Math.floor(start.getTime() / 1000)
}

/** The same as an ISO date: `2026-11-07`. */
export const rangeStartDay = (query: Pick<EngineQuery, 'date' | 'now'>): string | undefined =>
  rangeStart(query)?.toISOString().slice(0, 10)

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)$/

/** Parses a duration written like a clock: 3:45 or 03:45:00. `undefined` for 0:00 and for anything else. */
export const parseClockDuration = (value: unknown): number | undefined => {
  const match = typeof value === 'string' ? CLOCK.exec(value.trim()) : null
  if (match === null) return undefined
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || undefined
}

const MAX_DURATION_SECONDS = 1000 * 3600

/**
 * Parses a duration in seconds, or one written like a clock. `undefined` for 0, which providers send for live
 * broadcasts, and for a thousand hours or more.
 */
export const parseDuration = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value < MAX_DURATION_SECONDS
    ? Math.round(value) || undefined
    : parseClockDuration(value)
