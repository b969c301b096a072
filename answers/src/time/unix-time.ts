// Unix time: `unix timestamp now`, `unix time 1700000000`, `1700000000 to date`, `unix time of 2026-01-01 12:00`.
// The number of digits decides whether a timestamp is in seconds, milliseconds, microseconds or nanoseconds. Bare
// `epoch` and `timestamp` mean now. Must not answer: a bare number, `unix`, `epoch times`, `unix timestamp bug java`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { dateLocale, type ParsedDate, readClockTime, readDate, writeDate } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'

const HINT = /unix|epoch|timestamp|zeitstempel|\d{9}/
const UNIX = 'unix|(?:unix|epoch|posix)(?: ?timestamp| time| epoch)|unix-?zeit(?:stempel)?'
/** The furthest from 1970 that a Date can be. */
const MAX_EPOCH_MS = 8_640_000_000_000_000n

const TRIGGERS: Triggers = {
  en: [
    /^(?:what(?:'s| is) the )?(?:current )?(?<now>(?:unix|epoch|posix) ?time(?:stamp)?|unix epoch time)(?: now| right now| today)?$/,
    /^(?<now>current (?:unix |epoch )?timestamp|timestamp(?: now)?|epoch(?: now)?)$/,
    /^(?:timestamp|epoch|zeitstempel|(?:unix|epoch|timestamp)(?: time(?:stamp)?)? to date) (?<stamp>\d{9,19})(?: to date)?$/,
    new RegExp(`^(?:convert )?(?:${UNIX}) (?<stamp>-?\\d{1,19})(?: to (?:date|time|human|utc|datetime))?$`),
    /^(?:convert )?(?<stamp>-?\d{9,19}) (?:(?:unix|epoch)(?: time(?:stamp)?)? )?(?:(?:to|in|as) (?:a )?(?:date|datetime|human(?: date)?|utc)|unix(?: time)?|epoch|timestamp)$/,
    /^(?:epoch|timestamp)(?: of| for)? (?<moment>\d{4}-\d{2}-\d{2}[0-9: tz]{0,12})$/,
    new RegExp(`^(?:convert )?(?:${UNIX}) (?:of|for|at|from) (?<moment>[a-z0-9:,./ -]{6,40})$`),
    new RegExp(`^(?:convert )?(?<moment>\\d{4}-\\d{2}-\\d{2}[0-9: tz]{0,12}) (?:to|in|as) (?:${UNIX}|timestamp)$`),
  ],
  de: [/^(?:aktueller? )?(?<now>unix-?zeit|unix-?zeitstempel)(?: jetzt)?$/],
}

type UnixMatch =
  | { stamp: bigint }
  | { date: ParsedDate; hour: number; minute: number; second: number }
  | { isNow: true }

export const unixTime = defineAnswer({
  slug: 'unix_time',
  title: 'Unix time',
  summary: 'The current Unix time, the date of a timestamp, and the timestamp of a date (UTC).',
  examples: [{ q: 'unix time' }, { q: 'unix time 1700000000' }, { q: 'unix time of 2026-01-01 12:00' }],
  reply: z.object({
    seconds: z.string(),
    milliseconds: z.string(),
    unit: z.enum(['s', 'ms', 'µs', 'ns']).describe('The unit in which the timestamp was read'),
    iso: z.string().describe('In UTC'),
  }),
  match(question): UnixMatch | null {
    if (!HINT.test(question.folded)) return null
    return readTriggers(question, TRIGGERS, ({ now = '', stamp = '', moment = '' }, spoken): UnixMatch | undefined => {
      if (now !== '') return { isNow: true }
      if (stamp !== '') return { stamp: BigInt(stamp) }
      return readMoment(moment, (text) => readDate(text, spoken, question))
    })
  },
  async answer(match, { question, now }) {
    const timestamp = 'stamp' in match ? unitOf(match.stamp) : undefined
    const epochMs = timestamp?.ms ?? ('date' in match ? await epochOf(match, now) : BigInt(now))
    if (epochMs === undefined || epochMs > MAX_EPOCH_MS || epochMs < -MAX_EPOCH_MS) return null
    const iso = new Date(Number(epochMs)).toISOString()
    if (!/^\d{4}-/.test(iso)) return null
    const seconds = String(floorDivide(epochMs, 1000n))
    const locale = dateLocale(question, question.lang || 'en')
    const wall = iso.slice(0, 19)
    const written = `${writeDate(wall, 'full', locale)}, ${writeDate(wall, 'seconds', locale)} UTC`
    const stamp = 'stamp' in match ? String(match.stamp) : seconds
    const suffix = timestamp && timestamp.unit !== 's' ? ` ${timestamp.unit}` : ''
    return {
      text: 'stamp' in match ? `${stamp}${suffix} = ${written}` : `${written} = ${stamp}`,
      seconds,
      milliseconds: String(epochMs),
      unit: timestamp?.unit ?? 's',
      iso,
    }
  },
})

/** Guesses the unit from the number of digits of present-day timestamps. */
function unitOf(stamp: bigint): { ms: bigint; unit: 's' | 'ms' | 'µs' | 'ns' } {
  const digits = String(stamp).replace('-', '').length
  if (digits <= 11) return { ms: stamp * 1000n, unit: 's' }
  if (digits <= 14) return { ms: stamp, unit: 'ms' }
  if (digits <= 17) return { ms: floorDivide(stamp, 1000n), unit: 'µs' }
  return { ms: floorDivide(stamp, 1_000_000n), unit: 'ns' }
}

const floorDivide = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by

function readMoment(text: string, read: (text: string) => ParsedDate | undefined): UnixMatch | undefined {
  const [, day = '', clock = '', seconds = '0'] =
    /^(.{3,30}?)(?:[ t](\d{1,2}:\d{2})(?::(\d{2}))?)?(?: ?(?:utc|gmt|z))?$/.exec(text) ?? []
  const date = read(day)
  const time = clock === '' ? { hour: 0, minute: 0 } : readClockTime(clock)
  return date && time && Number(seconds) < 60 ? { date, ...time, second: Number(seconds) } : undefined
}

async function epochOf(
  { date, hour, minute, second }: { date: ParsedDate; hour: number; minute: number; second: number },
  now: number,
): Promise<bigint | undefined> {
  const { resolveDate, todayIn } = await import('../lib/calendar.ts')
  const day = resolveDate(date, todayIn('UTC', now), 'thisYear')
  return day && BigInt(Date.UTC(day.year, day.month - 1, day.day, hour, minute, second))
}
