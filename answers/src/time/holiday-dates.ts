// Computes the dates of a holiday's rule in a year. Rules are short strings, because there are thousands of them:
//   12-25          the same date every year
//   12-25>         the same, but a weekend moves it to the Monday after; >> moves it by two days, out of the way of a
//                  holiday before it; >2 moves it out of the way of a New Year's Day that was moved
//   e-2            days after Easter Sunday
//   M5.1.1         the first Monday of May (1 is Monday); the fifth is the last
//   <05-25.1       the last Monday before 25 May
//   2026-11-08     that one day
// A holiday may have several rules, separated by spaces.
import { easterSunday } from '../lib/easter.ts'

const DAY_MS = 86_400_000
const SATURDAY = 6
const SUNDAY = 7

export interface HolidayDate {
  date: string
  /** Replaces a day at the weekend. */
  isSubstitute: boolean
}

const isoOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10)
/** 1 is Monday. */
const weekdayOf = (epochMs: number): number => new Date(epochMs).getUTCDay() || SUNDAY
const plainly = (epochMs: number): HolidayDate => ({ date: isoOf(epochMs), isSubstitute: false })

export const holidayDates = (rules: string, year: number): HolidayDate[] =>
  rules.split(' ').flatMap((rule) => datesOf(rule, year))

function datesOf(rule: string, year: number): HolidayDate[] {
  const [, month, day, move] = /^(\d\d)-(\d\d)(>|>>|>2)?$/.exec(rule) ?? []
  if (month !== undefined) return [moved(Date.UTC(year, Number(month) - 1, Number(day)), move ?? '')]
  if (rule.startsWith('e')) return [plainly(easterSunday(year) + Number(rule.slice(1)) * DAY_MS)]
  const [, inMonth, nth, weekday] = /^M(\d{1,2})\.([1-5])\.([1-7])$/.exec(rule) ?? []
  if (inMonth !== undefined)
    return [plainly(nthWeekday({ year, month: Number(inMonth) }, Number(nth), Number(weekday)))]
  const [, before, on, last] = /^<(\d\d)-(\d\d)\.([1-7])$/.exec(rule) ?? []
  if (before !== undefined) {
    const limit = Date.UTC(year, Number(before) - 1, Number(on))
    return [plainly(limit - ((weekdayOf(limit) - Number(last) + 6) % 7) * DAY_MS - DAY_MS)]
  }
  return rule.startsWith(`${year}-`) ? [{ date: rule, isSubstitute: false }] : []
}

function moved(epochMs: number, move: string): HolidayDate {
  const weekday = weekdayOf(epochMs)
  const days = daysMoved(weekday, move)
  return { date: isoOf(epochMs + days * DAY_MS), isSubstitute: days > 0 }
}

function daysMoved(weekday: number, move: string): number {
  if (move === '') return 0
  if (weekday === SATURDAY) return 2
  if (weekday === SUNDAY) return move === '>' ? 1 : 2
  return weekday === 1 && move === '>2' ? 1 : 0
}

function nthWeekday({ year, month }: { year: number; month: number }, nth: number, weekday: number): number {
  const first = Date.UTC(year, month - 1, 1)
  const start = first + ((weekday - weekdayOf(first) + 7) % 7) * DAY_MS
  const wanted = start + (nth - 1) * 7 * DAY_MS
  // The fifth means the last, and most months have only four.
  return new Date(wanted).getUTCMonth() === month - 1 ? wanted : wanted - 7 * DAY_MS
}
