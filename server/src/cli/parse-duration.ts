// Parses durations as operators write them: a whole number and one unit, such as 30s, 15m, 24h or 90d. `m` is minutes:
// there are no months, because a date can be given instead.

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Six digits of days stay within the range of a date. */
const DURATION = /^(\d{1,6})([smhd])$/

/** Milliseconds, or undefined for anything that is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = DURATION.exec(text.trim()) ?? []
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}

/** A time relative to now (90d) or the start of a UTC day (2027-01-31); undefined for anything else. */
export function parseMoment(text: string, now: number): Date | undefined {
  const durationMs = parseDuration(text)
  if (durationMs !== undefined) return new Date(now + durationMs)
  const day = text.trim()
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const moment = new Date(`${day}T00:00:00Z`)
  // 30 February would otherwise become 2 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? moment : undefined
}
