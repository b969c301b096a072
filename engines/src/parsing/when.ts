// Parses dates written in words, such as `3 hours ago`, `Oct 2, 2026` or `Sat, 14 Nov 2026 10:00:00 GMT`, besides those
// that `moment` reads. Only English is understood: request it from a provider that localises dates where possible;
// otherwise the age is unknown.
import { moment } from './json-reply.ts'

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
