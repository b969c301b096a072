// Dates and clock times, on Temporal. Importing this file loads the polyfill, so answers import it only after a match.
import { Temporal } from 'temporal-polyfill'
import type { AnswerContext } from '../answer.ts'
import type { ParsedDate } from './dates.ts'
import { type DayRule, easterSunday } from './named-days.ts'

export type Day = Temporal.PlainDate

export interface Span {
  years: number
  months: number
  weeks: number
  days: number
}

const LAST_YEAR = 9999

export interface ClientDay {
  today: Day
  zone: string
  /** Returns the text unchanged, or with a remark that its days are in UTC. */
  withRemark: (text: string) => string
}

/** Today in the client's time zone; in UTC if it didn't send one. */
export function clientDay({ zone, now }: Pick<AnswerContext, 'zone' | 'now'>): ClientDay {
  const name = zone ?? 'UTC'
  return { today: todayIn(name, now), zone: name, withRemark: zone === undefined ? withUtcRemark : (text) => text }
}

/** `Sunday (UTC)`; joins an existing remark at the end of the text. */
const withUtcRemark = (text: string): string => (text.endsWith(')') ? `${text.slice(0, -1)}, UTC)` : `${text} (UTC)`)

export const todayIn = (zone: string, now: number): Day =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()

/** `undefined`: no such day. */
export function dayOf(year: number, month: number, day: number): Day | undefined {
  if (year < 1 || year > LAST_YEAR) return undefined
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    // Temporal throws for days such as 30 February.
    return undefined
  }
}

/** Dates without a year: `coming` picks the next one, including today; `thisYear` the one in the current year. */
export function resolveDate(words: ParsedDate, today: Day, yearless: 'coming' | 'thisYear'): Day | undefined {
  if (words.kind === 'days') return today.add({ days: words.fromToday })
  if (words.kind === 'weekday') {
    const ahead = (words.weekday - today.dayOfWeek + 7) % 7
    return today.add({ days: words.direction === 'last' ? (ahead || 7) - 7 || -7 : ahead || 7 })
  }
  const inYear = (year: number) =>
    words.kind === 'date' ? oneOrNone(dayOf(year, words.month, words.day)) : daysByRule(words.named.rule, year)
  if (words.year !== undefined || yearless === 'thisYear') {
    const [day, second] = inYear(words.year ?? today.year)
    // An Islamic day may come twice in a year, and then neither is the day of that year.
    return second === undefined ? day : undefined
  }
  // Nine years, because 29 February can be eight years away, around 2100.
  for (let year = today.year; year < today.year + 9; year++) {
    const day = inYear(year).find((one) => Temporal.PlainDate.compare(one, today) >= 0)
    if (day) return day
  }
  return undefined
}

const oneOrNone = (day: Day | undefined): Day[] => (day ? [day] : [])

/** In order. */
function daysByRule(rule: DayRule, year: number): Day[] {
  if ('dates' in rule)
    return rule.dates.filter((date) => date.startsWith(`${year}-`)).map((date) => Temporal.PlainDate.from(date))
  return 'calendar' in rule ? daysOfCalendar(rule, year) : oneOrNone(dayByRule(rule, year))
}

type CalendarRule = Extract<DayRule, { calendar: string }>

/** The published years of the Umm al-Qura calendar end in 2077, and its months before 1900 aren't what was kept. */
const CALENDAR_YEARS = { first: 1900, last: 2076 }

function daysOfCalendar({ calendar, monthOfYear, dayOfMonth }: CalendarRule, year: number): Day[] {
  if (year < CALENDAR_YEARS.first || year > CALENDAR_YEARS.last) return []
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 }).withCalendar(calendar).year
  const monthCode = `M${String(monthOfYear).padStart(2, '0')}`
  return [first, first + 1, first + 2]
    .map((itsYear) => Temporal.PlainDate.from({ calendar, year: itsYear, monthCode, day: dayOfMonth }))
    .map((day) => day.withCalendar('iso8601'))
    .filter((day) => day.year === year)
}

function dayByRule(rule: Exclude<DayRule, { dates: unknown } | CalendarRule>, year: number): Day | undefined {
  if ('easter' in rule) return easterOf(year)?.add({ days: rule.easter })
  if ('day' in rule) return dayOf(year, rule.month, rule.day)
  if ('lastSundayOfMay' in rule) return lastSundayOfMay(year, rule.lastSundayOfMay === 'but not on Pentecost')
  const first = dayOf(year, rule.month, 1)
  const ahead = first ? (rule.weekday - first.dayOfWeek + 7) % 7 : 0
  return first?.add({ days: ahead + 7 * (rule.nth - 1) + rule.plus })
}

function lastSundayOfMay(year: number, hasToAvoidPentecost: boolean): Day | undefined {
  const end = dayOf(year, 5, 31)
  const sunday = end?.subtract({ days: end.dayOfWeek % 7 })
  const pentecost = easterOf(year)?.add({ days: 49 })
  return hasToAvoidPentecost && pentecost && sunday?.equals(pentecost) ? sunday.add({ days: 7 }) : sunday
}

function easterOf(year: number): Day | undefined {
  const sunday = new Date(easterSunday(year))
  return dayOf(year, sunday.getUTCMonth() + 1, sunday.getUTCDate())
}

/** `undefined`: outside the years 1 to 9999. */
export function addSpan(day: Day, span: Partial<Span>, sign: 1 | -1): Day | undefined {
  const duration = Temporal.Duration.from({ days: 0, ...span })
  try {
    const sum = day.add(sign === 1 ? duration : duration.negated())
    return sum.year >= 1 && sum.year <= LAST_YEAR ? sum : undefined
  } catch {
    // Temporal throws past the end of its calendar.
    return undefined
  }
}

export const daysBetween = (from: Day, to: Day): number => from.until(to, { largestUnit: 'day' }).days

/** Whole years, then months, then days. */
export function ageBetween(from: Day, to: Day): { years: number; months: number; days: number } {
  const { years, months, days } = from.until(to, { largestUnit: 'year' })
  return { years, months, days }
}

/** The Monday of an ISO week; `undefined`: that year has no such week. */
export function mondayOf(year: number, week: number): Day | undefined {
  // The first week is the one with 4 January.
  const dayInWeek = dayOf(year, 1, 4)?.add({ weeks: week - 1 })
  const monday = dayInWeek?.subtract({ days: dayInWeek.dayOfWeek - 1 })
  return monday?.weekOfYear === week && monday.yearOfWeek === year ? monday : undefined
}

/** Wall-clock date and time. */
export interface LocalTime {
  day: Day
  hour: number
  minute: number
}

export interface Moment {
  epochMs: number
  /** `-05:00` */
  offset: string
  /** Local date and time in the zone. */
  date: string
  time: string
}

/** A wall-clock time resolved in a zone, noting whether the clocks skip it or show it twice. */
export interface WallReading extends Moment {
  dst: 'none' | 'gap' | 'overlap'
  /** The second occurrence, if the clocks show the time twice. */
  later: Moment | undefined
}

export const momentIn = (zone: string, epochMs: number): Moment =>
  momentOf(Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone))

/** A skipped time is shifted forward by the gap; a repeated one is read as its first occurrence. */
export function readWall({ day, hour, minute }: LocalTime, zone: string): WallReading {
  const wall = day.toPlainDateTime({ hour, minute })
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' })
  const isGap = !later.toPlainDateTime().equals(wall)
  const isOverlap = !isGap && earlier.epochMilliseconds !== later.epochMilliseconds
  const resolved = isGap ? later : earlier
  return {
    ...momentOf(resolved),
    dst: isGap ? 'gap' : isOverlap ? 'overlap' : 'none',
    later: isOverlap ? momentOf(later) : undefined,
  }
}

const momentOf = (zoned: Temporal.ZonedDateTime): Moment => ({
  epochMs: zoned.epochMilliseconds,
  offset: zoned.offset,
  date: zoned.toPlainDate().toString(),
  time: zoned.toPlainTime().toString({ smallestUnit: 'minute' }),
})

/** A change of a zone's clocks. */
export interface ClockChange {
  /** Local date, and the times before and after. */
  date: string
  before: string
  after: string
  isForward: boolean
  epochMs: number
}

/** The next changes of a zone's clocks after a moment, within two years; none if it has given them up. */
export function clockChangesAfter(zone: string, epochMs: number, count: number): ClockChange[] {
  const changes: ClockChange[] = []
  let from = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)
  const end = from.add({ years: 2 })
  while (changes.length < count) {
    const next = from.getTimeZoneTransition('next')
    if (next === null || Temporal.ZonedDateTime.compare(next, end) > 0) break
    const old = next.subtract({ milliseconds: 1 })
    // The time at which the clocks would have been without the change.
    const unchanged = old.toPlainDateTime().add({ milliseconds: 1 })
    if (old.offsetNanoseconds !== next.offsetNanoseconds) changes.push(changeOf(unchanged, next, old))
    from = next
  }
  return changes
}

const changeOf = (
  unchanged: Temporal.PlainDateTime,
  next: Temporal.ZonedDateTime,
  old: Temporal.ZonedDateTime,
): ClockChange => ({
  date: next.toPlainDate().toString(),
  before: unchanged.toPlainTime().toString({ smallestUnit: 'minute' }),
  after: next.toPlainTime().toString({ smallestUnit: 'minute' }),
  isForward: next.offsetNanoseconds > old.offsetNanoseconds,
  epochMs: next.epochMilliseconds,
})
