// Dates and durations as providers write them, and time ranges as providers take them. "Unknown" is `undefined`.
import type { DateRange, EngineQuery } from '../engine.ts'

const YEAR_2100 = Date.UTC(2100, 0)

const isoMoment = (value: string): number => {
  const hasZone =
    value.length === 10 || value.endsWith('Z') || value.lastIndexOf('+') > 10 || value.lastIndexOf('-') > 10
  return Date.parse(hasZone ? value : `${value}Z`)
}

const millisecondsIn = (value: unknown): number => {
  if (typeof value === 'number') return value * 1000
  if (typeof value !== 'string') return Number.NaN
  return value.charAt(4) === '-' && value.charAt(7) === '-' ? isoMoment(value) : Number(value) * 1000
}

/** ISO 8601 or Unix seconds → milliseconds. No zone means UTC. Some providers send 0 or an absurd date for "unknown". */
export const moment = (value: unknown): number | undefined => {
  const time = millisecondsIn(value)
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

const AGO = /^(an?|\d{1,4}) (second|minute|hour|day|week|month|year)s? ago$/
const WRITTEN = /^(?:(?:[a-z]{3,9},? )?\d{1,2} [a-z]{3,9}\.? \d{4}|[a-z]{3,9}\.? \d{1,2}, \d{4})/
const ZONE = /(?:gmt|utc|z|[+-]\d{2}:?\d{2})$/

/**
 * Parses dates written in words, such as `3 hours ago`, `Oct 2, 2026` or `Sat, 14 Nov 2026 10:00:00 GMT`, besides those
 * that `moment` reads. Only English is understood: request it from a provider that localises dates where possible.
 */
export const when = (value: unknown, now: number): number | undefined => {
  const known = moment(value)
  if (known !== undefined || typeof value !== 'string' || value.length > 60) return known
  const text = value.trim().toLowerCase()
  if (text === 'yesterday') return now - 86_400_000
  const [, count = '', unit = ''] = AGO.exec(text) ?? []
  const ms = UNIT_MS[unit]
  if (ms !== undefined) return now - (count.startsWith('a') ? 1 : Number(count)) * ms
  if (!WRITTEN.test(text)) return undefined
  const time = Date.parse(ZONE.test(text) ? text : `${text} UTC`)
  return time > 0 ? time : undefined
}

/** What most providers call a time range. */
export const RANGE_NAMES = { d: 'day', w: 'week', m: 'month', y: 'year' } as const

const DAYS: Record<DateRange, number> = { d: 1, w: 7, m: 30, y: 365 }

/** The start of the requested time range, for providers that take dates instead of names. */
export const rangeStart = ({ date, now }: Pick<EngineQuery, 'date' | 'now'>): Date | undefined =>
  date && new Date(now - DAYS[date] * 86_400_000)

/** The same in Unix seconds. */
export const rangeStartSeconds = (query: Pick<EngineQuery, 'date' | 'now'>): number | undefined => {
  const start = rangeStart(query)
  return start && Math.floor(start.getTime() / 1000)
}

/** The same as a day: `2026-11-07`. */
export const rangeStartDay = (query: Pick<EngineQuery, 'date' | 'now'>): string | undefined =>
  rangeStart(query)?.toISOString().slice(0, 10)

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)$/

/** Parses a duration written like a clock: 3:45 or 03:45:00. A provider without one sends '', a word or 0:00. */
export const clockSeconds = (value: unknown): number | undefined => {
  const match = typeof value === 'string' ? CLOCK.exec(value.trim()) : null
  if (match === null) return undefined
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || undefined
}

const THOUSAND_HOURS = 3_600_000

/** Seconds or a clock. `undefined` for 0, which marks a live broadcast, and for absurd durations. */
export const durationSeconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value < THOUSAND_HOURS
    ? Math.round(value) || undefined
    : clockSeconds(value)
